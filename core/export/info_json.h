#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/trace/info_facts.h"

namespace bytescope::exporting {

/// An info text of any dialect as the newest one has it, a JSON object. One that is an object
/// already stays as it is; what is no rate, stack, counter or link becomes metadata.
std::string json_info(std::string_view info);

/// A JSON object with its `link` replaced, or left out where there is none.
std::string relinked_info(std::string_view info, const std::optional<trace::SpanLink>& link);

}  // namespace bytescope::exporting
