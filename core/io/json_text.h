#pragma once

#include <string>
#include <string_view>

namespace bytescope::io {

/// The first byte in [begin, end) that is not plain text inside a JSON string: a quote, a backslash
/// or a control character; `end` when there is none.
const char* find_json_special(const char* begin, const char* end);

/// Whether `c` is one of JSON's four white characters.
constexpr bool is_json_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// The value of a hexadecimal digit, or -1.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Appends the text that `raw`, the inside of a JSON string without its quotes, stands for: escapes
/// resolved, lone surrogates kept as three bytes (WTF-8), bytes that are not UTF-8 and broken
/// escapes as U+FFFD. An escape cut off by the end of `raw` is left out.
void append_decoded_json(std::string& out, std::string_view raw);

}  // namespace bytescope::io
