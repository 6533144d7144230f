#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bytescope::io {

/// What stands for bytes that mean nothing.
constexpr char32_t replacement_character = 0xFFFD;

/// One code point of a text that should be UTF-8.
struct CodePoint {
  char32_t value = replacement_character;
  std::size_t size_bytes = 1;  ///< How many bytes it takes, 1 to 4; 1 where they are invalid.
  bool valid = false;          ///< Lone surrogates (WTF-8) count as valid.
  bool is_surrogate() const { return value >= 0xD800 && value <= 0xDFFF; }
};

/// Whether a byte of UTF-8 begins a code point; the others go on with one.
constexpr bool begins_code_point(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

/// The code point at the beginning of `text`, which must not be empty. Any bytes give one.
CodePoint first_code_point(std::string_view text);

/// Appends `value` in one to four bytes; surrogates in three (WTF-8), what lies above U+10FFFF as
/// U+FFFD.
void append_code_point(std::string& out, char32_t value);

/// A text fit for display: lone surrogates and bytes that are not UTF-8 become U+FFFD.
std::string printable_utf8(std::string_view wtf8);

}  // namespace bytescope::io
