#include "core/io/utf8.h"

namespace bytescope::io {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

/// How many bytes a code point takes by its first one; 0 for a byte that begins none.
std::size_t size_by_lead(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  if (lead < 0x80) return {static_cast<char32_t>(lead), 1, true};
  const std::size_t size = size_by_lead(lead);
  if (size == 0 || size > text.size()) return {};
  char32_t value = lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte_at(text, i) & 0xC0U) != 0x80U) return {};
    value = value << 6U | (byte_at(text, i) & 0x3FU);
  }
  const bool overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  if (overlong || value > 0x10FFFF) return {};
  return {value, size, true};
}

void append_code_point(std::string& out, char32_t value) {
  if (value > 0x10FFFF) value = replacement_character;
  const auto add = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (value < 0x80) return add(value);
  if (value < 0x800) {
    add(0xC0U | value >> 6U);
  } else if (value < 0x10000) {
    add(0xE0U | value >> 12U);
    add(0x80U | (value >> 6U & 0x3FU));
  } else {
    add(0xF0U | value >> 18U);
    add(0x80U | (value >> 12U & 0x3FU));
    add(0x80U | (value >> 6U & 0x3FU));
  }
  add(0x80U | (value & 0x3FU));
}

std::string printable_utf8(std::string_view wtf8) {
  std::string out;
  out.reserve(wtf8.size());
  while (!wtf8.empty()) {
    const CodePoint point = first_code_point(wtf8);
    append_code_point(out, point.is_surrogate() ? replacement_character : point.value);
    wtf8.remove_prefix(point.size_bytes);
  }
  return out;
}

}  // namespace bytescope::io
