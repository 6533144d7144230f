#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bytescope::trace {

/// The colours that a terminal escape code can ask for.
enum class AnsiColor : std::uint8_t {
  standard,  ///< None asked for.
  black,
  red,
  green,
  yellow,
  blue,
  magenta,
  cyan,
  white,
  bright_black,
  bright_red,
  bright_green,
  bright_yellow,
  bright_blue,
  bright_magenta,
  bright_cyan,
  bright_white,
};
constexpr std::size_t ansi_color_count = 17;

/// A stretch of text in one colour.
struct AnsiPiece {
  AnsiColor color = AnsiColor::standard;
  std::string_view text;  ///< Never empty; a part of the raw text.
};

/// `raw` cut into stretches of one colour, escape sequences left out. Colours of the 256-colour
/// palette beyond the first sixteen and true colours count as standard; bold makes a dark colour
/// bright, as terminals do. A sequence that does not end takes the rest of the text with it.
std::vector<AnsiPiece> ansi_pieces(std::string_view raw);

/// `raw` without escape sequences; control characters such as line ends stay.
std::string plain_text(std::string_view raw);

/// A text for a label of one line: runs of control characters become one space.
std::string single_line(std::string_view text);

}  // namespace bytescope::trace
