#include "render/label_budget.h"

#include <algorithm>
#include <utility>

#include "core/trace/ansi.h"
#include "render/text_fit.h"

namespace bytescope::render {

std::vector<TextPiece> colored_pieces(const Theme& theme, std::string_view raw) {
  std::vector<TextPiece> pieces;
  for (const trace::AnsiPiece& piece : trace::ansi_pieces(raw)) {
    pieces.push_back(
        {trace::single_line(piece.text), theme.ansi[static_cast<std::size_t>(piece.color)]});
  }
  return pieces;
}

namespace {

/// Whether a name is one of many that a number tells apart: `step 12`, not `E_4096`.
bool ends_in_number(std::string_view raw) {
  const std::size_t before = raw.find_last_not_of("0123456789");
  return before != std::string_view::npos && before + 1 < raw.size() && raw[before] == ' ';
}

}  // namespace

void place_labels(const PaintContext& context) {
  std::vector<LabelWish>& wishes = context.labels;
  if (wishes.size() > most_labels) {
    std::nth_element(
        wishes.begin(), wishes.begin() + most_labels, wishes.end(),
        [](const LabelWish& a, const LabelWish& b) { return a.room.width() > b.room.width(); });
    wishes.resize(most_labels);
  }
  for (const LabelWish& wish : wishes) {
    std::vector<TextPiece> pieces = colored_pieces(context.theme, wish.raw);
    if (ends_in_number(wish.raw)) {
      cut_before_number(context.metrics, wish.face, pieces, wish.room.width());
    } else {
      cut_to(context.metrics, wish.face, pieces, wish.room.width());
    }
    if (pieces.empty()) continue;
    const float y = wish.room.y0 + (wish.room.height() - size_px(wish.face)) / 2;
    if (wish.plate.a != 0) {
      const float width = text_width_px(context.metrics, wish.face, pieces);
      const Box plate = {wish.room.x0 - 3, y - 2, wish.room.x0 + width + 3,
                         y + size_px(wish.face) + 2};
      context.scene.above.push_back({plate, wish.plate, wish.plate});
    }
    context.scene.labels.push_back({wish.room.x0, y, wish.face, wish.room, std::move(pieces)});
  }
}

}  // namespace bytescope::render
