#pragma once

#include <string>

#include <simdjson.h>

namespace bytescope::net {

/// What a viewer tells of a program beside, or instead of, its text, as lines: a text as it is, a
/// table (`cols` and `rows`) in columns, anything else as JSON. Empty where it tells nothing. Costs
/// what it holds, and no more than 64 bytes of padding a cell.
std::string text_of_data(const simdjson::dom::element& data);

}  // namespace bytescope::net
