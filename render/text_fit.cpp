#include "render/text_fit.h"

#include <optional>
#include <utility>

#include "core/io/utf8.h"

namespace bytescope::render {
namespace {

constexpr std::string_view ellipsis = "\xE2\x80\xA6";
constexpr char32_t ellipsis_character = 0x2026;

/// Walks over the characters of several texts as if they were one.
class FittingWalk {
public:
  FittingWalk(const TextMetrics& metrics, Face face, float room_px)
      : metrics_(metrics),
        face_(face),
        room_px_(room_px),
        room_before_ellipsis_px_(room_px - metrics.advance_px(face, ellipsis_character)) {}

  /// Goes on with the next text; answers whether it makes the whole wider than the room.
  bool overflows(std::string_view text, std::size_t piece) {
    for (std::size_t at = 0; at < text.size();) {
      const io::CodePoint next = io::first_code_point(text.substr(at));
      width_px_ += metrics_.advance_px(face_, next.value);
      if (width_px_ > room_px_) return true;
      at += next.size_bytes;
      if (width_px_ <= room_before_ellipsis_px_) last_cut_ = Cut{piece, at};
    }
    return false;
  }

  /// The last place where an ellipsis still fits.
  struct Cut {
    std::size_t piece = 0;
    std::size_t bytes = 0;
  };
  std::optional<Cut> last_cut() const { return last_cut_; }

private:
  const TextMetrics& metrics_;
  Face face_;
  float room_px_;
  float room_before_ellipsis_px_;
  float width_px_ = 0;
  std::optional<Cut> last_cut_;
};

}  // namespace

float text_width_px(const TextMetrics& metrics, Face face, std::string_view text) {
  float width_px = 0;
  while (!text.empty()) {
    const io::CodePoint next = io::first_code_point(text);
    width_px += metrics.advance_px(face, next.value);
    text.remove_prefix(next.size_bytes);
  }
  return width_px;
}

float text_width_px(const TextMetrics& metrics, Face face, std::span<const TextPiece> pieces) {
  float width_px = 0;
  for (const TextPiece& piece : pieces) width_px += text_width_px(metrics, face, piece.text);
  return width_px;
}

std::string text_cut_to(const TextMetrics& metrics, Face face, std::string_view text,
                        float room_px) {
  FittingWalk walk(metrics, face, room_px);
  if (!walk.overflows(text, 0)) return std::string(text);
  const auto cut = walk.last_cut();
  return cut ? std::string(text.substr(0, cut->bytes)).append(ellipsis) : std::string();
}

void cut_to(const TextMetrics& metrics, Face face, std::vector<TextPiece>& pieces, float room_px) {
  FittingWalk walk(metrics, face, room_px);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!walk.overflows(pieces[i].text, i)) continue;
    const auto cut = walk.last_cut();
    pieces.resize(cut ? cut->piece + 1 : 0);
    if (cut) pieces.back().text.resize(cut->bytes);
    if (cut) pieces.back().text.append(ellipsis);
    return;
  }
}

void cut_before_number(const TextMetrics& metrics, Face face, std::vector<TextPiece>& pieces,
                       float room_px) {
  // Nobody reads the end of a longer one beside its beginning.
  constexpr std::size_t most_bytes = 200;
  std::size_t bytes = 0;
  for (const TextPiece& piece : pieces) bytes += piece.text.size();
  if (bytes > most_bytes) return cut_to(metrics, face, pieces, room_px);
  if (pieces.empty() || text_width_px(metrics, face, pieces) <= room_px) return;
  std::string& last = pieces.back().text;
  const std::size_t before = last.find_last_not_of("0123456789");
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  TextPiece number{last.substr(begin), pieces.back().color};
  const float left_px = room_px - text_width_px(metrics, face, number.text);
  const float ellipsis_px = metrics.advance_px(face, ellipsis_character);
  const bool begins_with_it = begin == 0 && pieces.size() == 1;
  if (number.text.empty() || begins_with_it || left_px < ellipsis_px)
    return cut_to(metrics, face, pieces, room_px);
  last.resize(begin);
  if (last.empty()) pieces.pop_back();
  const Color color = pieces.front().color;
  cut_to(metrics, face, pieces, left_px);
  if (pieces.empty()) pieces.push_back({std::string(ellipsis), color});
  pieces.push_back(std::move(number));
}

}  // namespace bytescope::render
