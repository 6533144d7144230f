#include "core/trace/ansi.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace bytescope::trace {
namespace {

constexpr char escape = '\033';

bool is_between(char c, char first, char last) { return c >= first && c <= last; }

/// Bytes of the sequence `ESC [ … letter` or `ESC x` at the beginning of `text`.
std::size_t sequence_bytes(std::string_view text) {
  if (text.size() < 2) return text.size();
  if (text[1] != '[') return is_between(text[1], '@', '_') ? 2 : 1;
  std::size_t size = 2;
  // Parameters and intermediate bytes; anything else ends the sequence, a letter is part of it.
  while (size < text.size() && is_between(text[size], ' ', '?')) ++size;
  if (size == text.size()) return size;
  return is_between(text[size], '@', '~') ? size + 1 : size;
}

/// What a terminal remembers between two codes.
struct Pen {
  std::uint8_t number = 0;  ///< 0 for standard, else AnsiColor's.
  bool bold = false;

  AnsiColor color() const {
    const bool dark = number >= 1 && number <= 8;
    return static_cast<AnsiColor>(bold && dark ? number + 8 : number);
  }
};

int take_parameter(std::string_view& list) {
  const std::size_t size = std::min(list.find_first_of(";:"), list.size());
  int value = 0;
  const auto [end, error] = std::from_chars(list.data(), list.data() + size, value);
  if (error != std::errc() && size > 0) value = -1;
  list.remove_prefix(std::min(size + 1, list.size()));
  return value;
}

/// The colour behind 38 or 48: `5;n` or `2;r;g;b`.
std::uint8_t take_extended(std::string_view& list) {
  const int kind = take_parameter(list);
  if (kind == 5) {
    const int number = take_parameter(list);
    return static_cast<std::uint8_t>(number >= 0 && number < 16 ? number + 1 : 0);
  }
  for (int i = 0; kind == 2 && i < 3; ++i) take_parameter(list);
  return 0;
}

void apply(Pen& pen, std::string_view parameters) {
  do {
    const int code = take_parameter(parameters);
    if (code == 0) pen = Pen();
    if (code == 1) pen.bold = true;
    if (code == 22) pen.bold = false;
    if (code == 39) pen.number = 0;
    if (code >= 30 && code <= 37) pen.number = static_cast<std::uint8_t>(code - 30 + 1);
    if (code >= 90 && code <= 97) pen.number = static_cast<std::uint8_t>(code - 90 + 9);
    if (code == 38) pen.number = take_extended(parameters);
    if (code == 48) take_extended(parameters);
  } while (!parameters.empty());
}

/// Calls `use(color, text)` for each stretch between escape sequences.
template <class Use>
void for_each_stretch(std::string_view raw, Use use) {
  Pen pen;
  while (!raw.empty()) {
    const std::size_t plain = std::min(raw.find(escape), raw.size());
    if (plain > 0) use(pen.color(), raw.substr(0, plain));
    raw.remove_prefix(plain);
    if (raw.empty()) return;
    const std::size_t size = sequence_bytes(raw);
    if (size > 2 && raw[1] == '[' && raw[size - 1] == 'm') apply(pen, raw.substr(2, size - 3));
    raw.remove_prefix(size);
  }
}

}  // namespace

std::vector<AnsiPiece> ansi_pieces(std::string_view raw) {
  std::vector<AnsiPiece> pieces;
  for_each_stretch(raw, [&pieces](AnsiColor color, std::string_view text) {
    AnsiPiece* last = pieces.empty() ? nullptr : &pieces.back();
    const bool touches = last != nullptr && last->text.data() + last->text.size() == text.data();
    if (touches && last->color == color) {
      last->text = {last->text.data(), last->text.size() + text.size()};
    } else {
      pieces.push_back({color, text});
    }
  });
  return pieces;
}

std::string plain_text(std::string_view raw) {
  std::string plain;
  plain.reserve(raw.size());
  for_each_stretch(raw, [&plain](AnsiColor, std::string_view text) { plain += text; });
  return plain;
}

std::string single_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  bool in_run = false;
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    if (!control) line.push_back(c);
    if (control && !in_run) line.push_back(' ');
    in_run = control;
  }
  return line;
}

}  // namespace bytescope::trace
