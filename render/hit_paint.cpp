#include "render/hit_paint.h"

#include <algorithm>
#include <vector>

#include "core/query/search_columns.h"

namespace bytescope::render {
namespace {

constexpr float mark_px = 3;
constexpr float least_width_px = 2;

/// Runs of neighbouring columns become one rectangle each.
void paint_columns(const TimelineInput& input, const std::vector<std::uint8_t>& columns, float y0,
                   float y1, Scene& scene) {
  const Color color = input.theme.hit;
  const Box& tracks = input.areas.tracks;
  for (std::size_t begin = 0; begin < columns.size(); ++begin) {
    if (columns[begin] == 0) continue;
    std::size_t end = begin + 1;
    while (end < columns.size() && columns[end] != 0) ++end;
    const float x0 = tracks.x0 + static_cast<float>(begin) / input.scale;
    const float x1 =
        std::min(std::max(tracks.x0 + static_cast<float>(end) / input.scale, x0 + least_width_px),
                 tracks.x1);
    scene.above.push_back({{x0, y0, x1, y1}, color, color});
    begin = end;
  }
}

}  // namespace

void paint_hits(const TimelineInput& input, const query::Columns& columns,
                const query::SearchResult& result, io::PageReader& reader, Scene& scene) {
  const Box& tracks = input.areas.tracks;
  for (const TrackRow& row : input.layout.rows) {
    if (row.kind != RowKind::spans || row.track >= result.tracks.size()) continue;
    const float top = tracks.y0 + static_cast<float>(row.top_px - input.scroll_px);
    const float bottom = top + static_cast<float>(row.height_px);
    if (bottom <= tracks.y0 || top >= tracks.y1 || result.tracks[row.track].count() == 0) continue;
    const float y1 = std::min(bottom, tracks.y1);
    paint_columns(input, query::hit_columns(result, reader, row.track, columns),
                  std::max(y1 - mark_px, tracks.y0), y1, scene);
  }
  if (!result.markers.empty())
    paint_columns(input, query::marker_columns(result, columns), input.areas.flags.y1 - mark_px,
                  input.areas.flags.y1, scene);
}

}  // namespace bytescope::render
