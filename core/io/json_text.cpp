#include "core/io/json_text.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/io/byte_block.h"
#include "core/io/utf8.h"

namespace bytescope::io {
namespace {

bool is_special(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

/// The number behind `\u` at the beginning of `raw`; none where four digits do not follow.
std::optional<char32_t> unicode_escape(std::string_view raw) {
  if (raw.size() < 6 || raw[0] != '\\' || raw[1] != 'u') return std::nullopt;
  char32_t value = 0;
  for (std::size_t i = 2; i < 6; ++i) {
    const int digit = hex_value(raw[i]);
    if (digit < 0) return std::nullopt;
    value = value * 16 + static_cast<char32_t>(digit);
  }
  return value;
}

char simple_escape(char letter) {
  switch (letter) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case '"':
    case '\\':
    case '/': return letter;
    default: return '\0';
  }
}

/// Appends the `\u` escape at the beginning of `raw` (with its second half, if it has one) and
/// says how many bytes it takes.
std::size_t append_unicode(std::string& out, std::string_view raw) {
  const std::optional<char32_t> first = unicode_escape(raw);
  if (!first) {
    const bool cut_off = raw.size() < 6;
    if (!cut_off) append_code_point(out, replacement_character);
    return cut_off ? raw.size() : 2;
  }
  const bool high = *first >= 0xD800 && *first < 0xDC00;
  const std::optional<char32_t> second = high ? unicode_escape(raw.substr(6)) : std::nullopt;
  if (second && *second >= 0xDC00 && *second < 0xE000) {
    append_code_point(out, 0x10000 + (*first - 0xD800) * 0x400 + (*second - 0xDC00));
    return 12;
  }
  append_code_point(out, *first);
  return 6;
}

/// Appends the escape at the beginning of `raw` and says how many bytes it takes.
std::size_t append_escape(std::string& out, std::string_view raw) {
  if (raw.size() < 2) return raw.size();
  if (raw[1] == 'u') return append_unicode(out, raw);
  const char simple = simple_escape(raw[1]);
  if (simple != '\0') {
    out.push_back(simple);
  } else {
    append_code_point(out, replacement_character);
  }
  return 2;
}

}  // namespace

const char* find_json_special(const char* begin, const char* end) {
  while (end - begin >= static_cast<std::ptrdiff_t>(ByteBlock::bytes)) {
    const ByteBlock block(begin);
    const std::uint64_t special = block.equal('"') | block.equal('\\') | block.control();
    if (special != 0) return begin + std::countr_zero(special);
    begin += ByteBlock::bytes;
  }
  while (begin != end && !is_special(*begin)) ++begin;
  return begin;
}

void append_decoded_json(std::string& out, std::string_view raw) {
  while (!raw.empty()) {
    std::size_t plain = 0;
    while (plain < raw.size() && raw[plain] != '\\' && static_cast<signed char>(raw[plain]) >= 0) {
      ++plain;
    }
    out.append(raw.substr(0, plain));
    raw.remove_prefix(plain);
    if (raw.empty()) return;
    if (raw[0] == '\\') {
      raw.remove_prefix(append_escape(out, raw));
      continue;
    }
    const CodePoint point = first_code_point(raw);
    // Surrogates written as bytes are no UTF-8: only escapes can spell them.
    const bool usable = point.valid && !point.is_surrogate();
    append_code_point(out, usable ? point.value : replacement_character);
    raw.remove_prefix(usable ? point.size_bytes : 1);
  }
}

}  // namespace bytescope::io
