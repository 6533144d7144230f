#include "app/file_shift.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bytescope::app {
namespace {

using render::Box;
using render::Color;

/// Stretches of the window from top to bottom.
class Bands {
public:
  Bands(const ShiftedRows& rows, const std::function<bool(std::uint32_t)>& moves) {
    const render::TrackLayout& layout = rows.layout;
    for (std::size_t i = layout.pinned_rows; i < layout.rows.size(); ++i) {
      const render::TrackRow& row = layout.rows[i];
      const std::uint32_t track =
          row.folded && !row.folded_tracks.empty() ? row.folded_tracks.front() : row.track;
      if (track == render::TrackRow::none || !moves(track)) continue;
      const auto top =
          rows.areas.tracks.y0 + static_cast<float>(layout.seen_top_px(i, rows.scroll_px));
      bands_.push_back({0, top, 0, top + static_cast<float>(row.height_px)});
    }
  }
  bool holds(float y) const {
    return std::any_of(bands_.begin(), bands_.end(),
                       [y](const Box& band) { return band.y0 <= y && y < band.y1; });
  }
  bool holds(const Box& box) const { return holds((box.y0 + box.y1) / 2); }

private:
  std::vector<Box> bands_;
};

void move_box(Box& box, float dx_px, const Box& room) {
  box.x0 = std::clamp(box.x0 + dx_px, room.x0, room.x1);
  box.x1 = std::clamp(box.x1 + dx_px, room.x0, room.x1);
}

/// Moves the texels of a row of columns, where the columns themselves stay.
void move_texels(render::Scene& scene, const render::ColumnRow& row, float dx_px) {
  if (row.texel_count == 0 || row.box.width() <= 0) return;
  Color* const begin = scene.texels.data() + std::size_t{row.texel_row} * scene.texel_width;
  const auto count = static_cast<std::ptrdiff_t>(std::min(row.texel_count, scene.texel_width));
  const float columns_per_px = static_cast<float>(row.texel_count) / row.box.width();
  const auto step = std::clamp<std::ptrdiff_t>(std::lround(dx_px * columns_per_px), -count, count);
  if (step > 0) {
    std::copy_backward(begin, begin + count - step, begin + count);
    std::fill(begin, begin + step, Color());
  } else {
    std::copy(begin - step, begin + count, begin);
    std::fill(begin + count + step, begin + count, Color());
  }
}

}  // namespace

void shift_rows(render::Scene& scene, const ShiftedRows& rows,
                const std::function<bool(std::uint32_t track)>& moves) {
  const Bands bands(rows, moves);
  const Box& room = rows.areas.tracks;
  const float dx_px = rows.dx_px;
  for (render::RectMark& mark : scene.marks)
    if (bands.holds(mark.box)) move_box(mark.box, dx_px, room);
  std::erase_if(scene.marks, [](const render::RectMark& mark) { return mark.box.width() <= 0; });
  for (const render::ColumnRow& row : scene.column_rows)
    if (bands.holds(row.box)) move_texels(scene, row, dx_px);
  for (render::PictureMark& picture : scene.pictures) {
    if (!bands.holds(picture.box)) continue;
    picture.box.x0 += dx_px;
    picture.box.x1 += dx_px;
  }
  for (render::Label& label : scene.labels) {
    if (label.x < room.x0 || !bands.holds(label.y)) continue;
    label.x += dx_px;
    move_box(label.clip, dx_px, room);
  }
}

}  // namespace bytescope::app
