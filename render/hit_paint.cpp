#include "render/hit_paint.h"

#include <algorithm>

#include "render/paint_context.h"

namespace bytescope::render {
namespace {

constexpr float mark_px = 3;
constexpr float least_width_px = 2;

/// Runs of neighbouring columns become one rectangle each.
void paint_columns(const TimelineInput& input, const ColumnMap& map, const HitColumns& columns,
                   float y0, float y1, Scene& scene) {
  const Color color = input.theme.hit;
  const Box& tracks = input.areas.tracks;
  for (std::uint32_t begin = 0; begin < columns.size(); ++begin) {
    if (columns[begin] == 0) continue;
    std::uint32_t end = begin + 1;
    while (end < columns.size() && columns[end] != 0) ++end;
    const ColumnMap::Stretch stretch = map.stretch(begin, end);
    begin = end;
    if (stretch.count() == 0) continue;
    const float x0 = tracks.x0 + static_cast<float>(stretch.first) / input.scale;
    const float x1 = std::min(
        std::max(tracks.x0 + static_cast<float>(stretch.last) / input.scale, x0 + least_width_px),
        tracks.x1);
    scene.above.push_back({{x0, y0, x1, y1}, color, color});
  }
}

}  // namespace

void paint_hits(const TimelineInput& input, const query::Columns& view, Scene& scene) {
  if (input.detail == nullptr || !input.detail->search) return;
  const TimelineDetail& detail = *input.detail;
  const ColumnMap map(detail.columns, view);
  const Box& tracks = input.areas.tracks;
  const auto [first, last] = rows_in_sight(input);
  for (std::size_t i = first; i < last; ++i) {
    const TrackRow& row = input.layout.rows[i];
    const auto hits = detail.hits.find(row.track);
    if (row.kind != RowKind::spans || hits == detail.hits.end()) continue;
    const float bottom = tracks.y0 + static_cast<float>(row.bottom_px() - input.scroll_px);
    const float y1 = std::min(bottom, tracks.y1);
    if (y1 <= tracks.y0) continue;
    paint_columns(input, map, hits->second, std::max(y1 - mark_px, tracks.y0), y1, scene);
  }
}

void paint_marker_hits(const TimelineInput& input, const query::Columns& view, Scene& scene) {
  if (input.detail == nullptr || !input.detail->search) return;
  const Box& flags = input.areas.flags;
  paint_columns(input, ColumnMap(input.detail->columns, view), input.detail->marker_hits,
                flags.y1 - mark_px, flags.y1, scene);
}

}  // namespace bytescope::render
