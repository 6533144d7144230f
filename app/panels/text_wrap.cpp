#include "app/panels/text_wrap.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/io/utf8.h"

namespace bytescope::app {
namespace {

using render::Face;
using render::TextPiece;
using Line = std::vector<TextPiece>;

constexpr std::string_view ellipsis = "\u2026";

/// Where a line may end: in front of byte `byte` of the line's piece `piece`.
struct Break {
  std::size_t piece = 0;
  std::size_t byte = 0;
};

/// Fills lines character by character and takes back what follows the last break when one is full.
class Wrapper {
public:
  Wrapper(const render::TextMetrics& metrics, Face face, float room_px, std::size_t most_lines)
      : metrics_(metrics), face_(face), room_px_(room_px), most_lines_(most_lines) {}

  /// False when there are lines enough.
  bool add(std::string_view character, char32_t value, render::Color color) {
    if (value == U'\n') return end_line();
    const float width_px = metrics_.advance_px(face_, value);
    const bool blank = value == U' ';
    if (width_px_ + width_px > room_px_ && !line_.empty() && !blank && !wrap()) return false;
    if (line_.empty() || !(line_.back().color == color)) line_.push_back({{}, color});
    line_.back().text += character;
    width_px_ += width_px;
    const bool may_break = blank || value == U'/' || value == U'_' || value == U',';
    if (may_break) {
      break_ = Break{line_.size() - 1, line_.back().text.size()};
      width_to_break_px_ = width_px_;
    }
    return true;
  }

  std::vector<Line> finish(bool has_more) {
    if (!line_.empty() && lines_.size() < most_lines_) lines_.push_back(std::move(line_));
    if (has_more && !lines_.empty()) add_ellipsis(lines_.back());
    return std::move(lines_);
  }

private:
  bool end_line() {
    lines_.push_back(std::exchange(line_, {}));
    width_px_ = 0;
    break_ = {};
    width_to_break_px_ = 0;
    return lines_.size() < most_lines_;
  }

  /// Ends the line at its last break; what follows it begins the next.
  bool wrap() {
    Line rest;
    const float rest_px = width_px_ - width_to_break_px_;
    const bool has_break = width_to_break_px_ > 0;
    if (has_break) {
      rest.assign(line_.begin() + static_cast<std::ptrdiff_t>(break_.piece), line_.end());
      rest[0].text.erase(0, break_.byte);
      if (rest[0].text.empty()) rest.erase(rest.begin());
      line_.resize(break_.piece + 1);
      line_.back().text.resize(break_.byte);
    }
    const bool has_room = end_line();
    line_ = std::move(rest);
    width_px_ = has_break ? rest_px : 0;
    return has_room;
  }

  void add_ellipsis(Line& line) {
    if (!line.empty()) line.back().text += ellipsis;
  }

  const render::TextMetrics& metrics_;
  Face face_;
  float room_px_;
  std::size_t most_lines_;
  std::vector<Line> lines_;
  Line line_;
  float width_px_ = 0;
  Break break_;
  float width_to_break_px_ = 0;
};

}  // namespace

std::vector<Line> wrapped(const render::TextMetrics& metrics, Face face, const Line& pieces,
                          float room_px, std::size_t most_lines) {
  Wrapper wrapper(metrics, face, room_px, most_lines);
  for (const TextPiece& piece : pieces) {
    for (std::string_view rest = piece.text; !rest.empty();) {
      const io::CodePoint next = io::first_code_point(rest);
      if (!wrapper.add(rest.substr(0, next.size_bytes), next.value, piece.color))
        return wrapper.finish(/*has_more=*/true);
      rest.remove_prefix(next.size_bytes);
    }
  }
  return wrapper.finish(/*has_more=*/false);
}

std::vector<Line> wrapped(const render::TextMetrics& metrics, Face face, std::string_view text,
                          render::Color color, float room_px, std::size_t most_lines) {
  return wrapped(metrics, face, Line{{std::string(text), color}}, room_px, most_lines);
}

}  // namespace bytescope::app
