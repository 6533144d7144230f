#include "app/timeline_hit.h"

#include <algorithm>
#include <cmath>

#include "core/query/memory_pick.h"
#include "core/query/span_pick.h"
#include "render/memory_paint.h"
#include "render/name_column.h"
#include "render/paint_context.h"

namespace bytescope::app {
namespace {

constexpr double tolerance_px = 3;
constexpr double edge_px = 3;

void hit_buffer(const render::TimelineInput& input, const render::TrackRow& row, double y_in_row,
                float x, TimelineHit& hit) {
  const auto stack = input.stacks.find(row.track);
  const auto& memory = input.trace.tracks[row.track].memory;
  if (stack == input.stacks.end() || !memory) return;
  const render::ByteWindow window = render::byte_window(input, row.track);
  const double share = (row.height_px - y_in_row) / std::max(row.height_px, 1.0);
  const double bytes = static_cast<double>(window.begin_bytes) +
                       share * static_cast<double>(window.end_bytes - window.begin_bytes);
  const render::ColumnMap map(stack->second->cells.columns,
                              render::view_columns(input.viewport, input.scale));
  const double column = map.source(static_cast<double>((x - input.areas.tracks.x0) * input.scale));
  if (column < 0 || column >= stack->second->cells.columns.count || bytes < 0) return;
  const query::StackCell* cell = query::pick_cell(
      stack->second->cells, static_cast<std::uint32_t>(column), static_cast<std::uint64_t>(bytes));
  if (cell == nullptr) return;
  if (cell->ordinal == query::StackCell::thin) {
    hit.thin_buffers = cell->thin_count;
  } else if (cell->ordinal < memory->buffers.size()) {
    hit.item = buffer_selection(input.trace, row.track, cell->ordinal);
  }
}

void hit_span(const render::TimelineInput& input, io::PageReader& reader,
              const render::TrackRow& row, double y_in_row, TimelineHit& hit) {
  const auto lane = row.lane_at(y_in_row);
  if (!lane) return;
  const auto record = query::span_at(input.trace, reader, row.track, *lane, hit.time_ns,
                                     tolerance_px * input.viewport.ns_per_px());
  if (record) hit.item = span_selection(input.trace, reader, row.track, *record);
}

bool can_be_resized(const render::TrackRow& row) {
  return !row.folded && row.track != render::TrackRow::none;
}

}  // namespace

TimelineHit hit_timeline(const render::TimelineInput& input, io::PageReader& reader, float x,
                         float y) {
  TimelineHit hit;
  const render::Box& tracks = input.areas.tracks;
  hit.time_ns = input.viewport.ns_from_px(static_cast<double>(x - tracks.x0));
  hit.on_hidden_note = render::hidden_note_box(input.areas, input.layout).contains(x, y);
  if (y < tracks.y0 || y >= tracks.y1 || x >= tracks.x1) return hit;
  const double y_in_rows =
      input.layout.position_px(static_cast<double>(y - tracks.y0), input.scroll_px);
  hit.row = input.layout.row_at(y_in_rows);
  if (!hit.row) return hit;
  const render::TrackRow& row = input.layout.rows[*hit.row];
  const double y_in_row = y_in_rows - row.top_px;
  hit.on_lower_edge = can_be_resized(row) && row.bottom_px() - y_in_rows < edge_px;
  if (x < tracks.x0) return hit;
  if (row.kind == render::RowKind::spans) hit_span(input, reader, row, y_in_row, hit);
  if (row.kind == render::RowKind::memory && row.expanded) {
    hit.on_byte_axis = x < tracks.x0 + render::byte_axis_px;
    hit_buffer(input, row, y_in_row, x, hit);
  }
  return hit;
}

}  // namespace bytescope::app
