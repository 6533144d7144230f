#pragma once

#include <string>
#include <string_view>

namespace bytescope::bytepack {

/// Appends `raw` as a JSON string, quotes included, that any JSON parser takes: quotes, backslashes
/// and control characters escaped, a lone surrogate (three bytes of WTF-8) as `\udXXX`, bytes that
/// are not UTF-8 as U+FFFD. O(size).
void append_json_string(std::string& out, std::string_view raw);

/// The same as a new string.
std::string json_string(std::string_view raw);

}  // namespace bytescope::bytepack
