#include "core/bytepack/json_text.h"

#include <cstddef>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

namespace bytescope::bytepack {
namespace {

std::uint32_t byte_at(std::string_view raw, std::size_t i) {
  return static_cast<unsigned char>(raw[i]);
}

bool is_continuation(std::string_view raw, std::size_t i) {
  return i < raw.size() && (byte_at(raw, i) & 0xC0U) == 0x80U;
}

/// What the first byte of a sequence and the smallest legal second byte say.
struct Sequence {
  std::size_t size = 0;  ///< 0: not a sequence.
  bool surrogate = false;
};

/// The sequence of two to four bytes at `i`; overlong forms and those above U+10FFFF are none.
Sequence sequence_at(std::string_view raw, std::size_t i) {
  const std::uint32_t lead = byte_at(raw, i);
  if (!is_continuation(raw, i + 1)) return {};
  const std::uint32_t second = byte_at(raw, i + 1);
  if (lead >= 0xC2 && lead <= 0xDF) return {2};
  if (!is_continuation(raw, i + 2)) return {};
  if (lead == 0xE0) return {second >= 0xA0 ? std::size_t{3} : 0};
  if (lead > 0xE0 && lead <= 0xEF) return {3, lead == 0xED && second >= 0xA0};
  if (!is_continuation(raw, i + 3)) return {};
  if (lead == 0xF0) return {second >= 0x90 ? std::size_t{4} : 0};
  if (lead > 0xF0 && lead <= 0xF3) return {4};
  if (lead == 0xF4) return {second < 0x90 ? std::size_t{4} : 0};
  return {};
}

void append_ascii(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
  } else {
    out += c;
  }
}

/// Appends what stands at `i` beyond ASCII; answers how many bytes of `raw` that was.
std::size_t append_beyond_ascii(std::string& out, std::string_view raw, std::size_t i) {
  const Sequence sequence = sequence_at(raw, i);
  if (sequence.size == 0) {
    out += "\xEF\xBF\xBD";
    return 1;
  }
  if (sequence.surrogate) {
    const std::uint32_t code =
        0xD000U | ((byte_at(raw, i + 1) & 0x3FU) << 6U) | (byte_at(raw, i + 2) & 0x3FU);
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
  } else {
    out += raw.substr(i, sequence.size);
  }
  return sequence.size;
}

}  // namespace

void append_json_string(std::string& out, std::string_view raw) {
  out += '"';
  for (std::size_t i = 0; i < raw.size();) {
    if (byte_at(raw, i) < 0x80) {
      append_ascii(out, raw[i]);
      ++i;
    } else {
      i += append_beyond_ascii(out, raw, i);
    }
  }
  out += '"';
}

std::string json_string(std::string_view raw) {
  std::string out;
  append_json_string(out, raw);
  return out;
}

}  // namespace bytescope::bytepack
