#include "render/timeline_scene.h"

#include <algorithm>
#include <cmath>

#include "core/query/clock_time.h"
#include "core/query/memory_outline.h"
#include "core/query/visible.h"
#include "render/axis_paint.h"
#include "render/highlight_paint.h"
#include "render/hit_paint.h"
#include "render/label_budget.h"
#include "render/lane_paint.h"
#include "render/memory_paint.h"
#include "render/name_column.h"
#include "render/overview_paint.h"

namespace bytescope::render {
namespace {

/// What a row shows that stands for several tracks.
struct FoldedLanes {
  std::vector<std::uint32_t> tracks;
  bool are_devices = false;
};

/// A folded group may stand for thousands of tracks: some of them do for all.
FoldedLanes folded_lanes(const TimelineInput& input, const TrackRow& row) {
  constexpr std::size_t most_devices = 32;
  constexpr std::size_t most_lanes = 8;
  FoldedLanes devices;
  FoldedLanes others;
  devices.are_devices = true;
  for (const std::uint32_t track : row.folded_tracks) {
    if (!input.trace.tracks[track].spans) continue;
    const bool is_device = input.trace.tracks[track].role == trace::TrackRole::device;
    FoldedLanes& to = is_device ? devices : others;
    if (to.tracks.size() < (is_device ? most_devices : most_lanes)) to.tracks.push_back(track);
  }
  return devices.tracks.empty() ? others : devices;
}

/// Answers that are much coarser or finer than the view are not worth stretching.
constexpr double most_stretch = 8;

/// What is painted before the worker's answer comes is cut into so many pieces a frame at most: it
/// must never cost more than a millisecond, and stands for a frame or two.
constexpr double most_coarse_columns = 20'000;

bool covers(const query::Columns& answer, const query::Columns& view) {
  const double factor = answer.ns_per_column / view.ns_per_column;
  if (factor > most_stretch || factor < 1 / most_stretch) return false;
  const ColumnMap map(answer, view);
  return map.position(0) <= 0.5 && map.position(answer.count) >= view.count - 0.5;
}

/// Paints the visible rows of one frame.
class RowPainter {
public:
  RowPainter(const TimelineInput& input, const PaintContext& context, std::size_t first,
             std::size_t last)
      : input_(input), context_(context), coarse_columns_(coarse_columns(first, last)) {
    usable_ = input.detail != nullptr && input.detail->trace->file == input.trace.file &&
              covers(input.detail->columns, context.view);
  }

  void paint(const TrackRow& row, const Box& box) {
    switch (row.kind) {
      case RowKind::spans: paint_spans(row, box); break;
      case RowKind::memory: paint_memory(row, box); break;
      case RowKind::line: paint_line_row(row, box); break;
      case RowKind::header: break;
      case RowKind::folded: paint_folded(row, box); break;
    }
  }

private:
  /// Columns for what has no answer yet: those of the view, or wider ones where many lanes are in
  /// sight.
  query::Columns coarse_columns(std::size_t first, std::size_t last) const {
    double lanes = 0;
    for (std::size_t i = first; i < last; ++i) lanes += input_.layout.rows[i].shown_lanes;
    query::Columns columns = context_.view;
    const double factor = std::max(std::ceil(lanes * columns.count / most_coarse_columns), 1.0);
    columns.ns_per_column *= factor;
    columns.count = static_cast<std::uint32_t>(std::ceil(columns.count / factor));
    return columns;
  }

  void paint_spans(const TrackRow& row, const Box& box) {
    const auto& spans = input_.trace.tracks[row.track].spans;
    if (!spans) return;
    for (std::uint32_t lane = 0; lane < std::min(row.shown_lanes, spans->lane_count); ++lane) {
      const float top = box.y0 + static_cast<float>(row.lane_top_px(lane));
      const float bottom = top + static_cast<float>(row.lane_height_px(lane));
      if (bottom < input_.areas.tracks.y0 || top > input_.areas.tracks.y1) continue;
      const Face face = row.lane_height_px(lane) >= 22 ? Face::mono_12 : Face::mono_11;
      paint_one_lane(row.track, lane, {box.x0, top, box.x1, bottom}, face,
                     row.role == trace::TrackRole::device && lane == 0);
    }
  }

  void paint_one_lane(std::uint32_t track, std::uint32_t lane, const Box& box, Face face,
                      bool busy_columns) {
    coarse_.clear();
    LanePaint paint = known_lane(track, lane, coarse_);
    paint.box = box;
    paint.busy_columns = busy_columns;
    paint.face = face;
    paint_lane(context_, paint, paint.names == nullptr ? nullptr : &input_.detail->names);
  }

  /// What is known of a lane: the worker's answer, else what the summaries tell, put into `coarse`.
  LanePaint known_lane(std::uint32_t track, std::uint32_t lane,
                       std::vector<query::VisibleRun>& coarse) const {
    LanePaint paint;
    if (usable_) {
      const auto known = input_.detail->lanes.find(lane_key(track, lane));
      if (known != input_.detail->lanes.end()) {
        paint.runs = &known->second.runs;
        paint.names = &known->second.names;
        if (input_.detail->lit_name) paint.lit = &known->second.lit;
        paint.columns = input_.detail->columns;
        return paint;
      }
    }
    query::append_visible(input_.trace, track, lane, coarse_columns_, nullptr, coarse);
    paint.runs = &coarse;
    paint.columns = coarse_columns_;
    return paint;
  }

  void paint_memory(const TrackRow& row, const Box& box) {
    const auto& memory = input_.trace.tracks[row.track].memory;
    if (!memory) return;
    const ByteWindow window = byte_window(input_, row.track);
    const auto stack = input_.stacks.find(row.track);
    const bool stack_usable = row.expanded && stack != input_.stacks.end() &&
                              covers(stack->second->cells.columns, context_.view);
    if (stack_usable) {
      paint_stack(context_, box, *stack->second, window.begin_bytes, window.end_bytes);
    } else if (window.begin_bytes == 0) {
      paint_total(row.track, *memory, box, window.end_bytes);
    }
    if (row.expanded) paint_byte_axis(context_, box, window.begin_bytes, window.end_bytes);
    paint_capacity(context_, box, input_.model.capacity_bytes[row.track], window, row.expanded);
    paint_peak(context_, box, input_.model.peak_ns[row.track],
               row.expanded ? memory->peak_bytes : 0, window);
  }

  void paint_total(std::uint32_t track, const trace::MemoryIndex& memory, const Box& box,
                   std::uint64_t scale_bytes) {
    if (usable_) {
      const auto known = input_.detail->curves.find(track);
      if (known != input_.detail->curves.end())
        return paint_curve(context_, box, known->second, input_.detail->columns, scale_bytes,
                           input_.memory.colors);
    }
    paint_curve(context_, box, query::memory_outline(memory, coarse_columns_), coarse_columns_,
                scale_bytes, input_.memory.colors);
  }

  void paint_line_row(const TrackRow& row, const Box& box) {
    const auto& line = input_.trace.tracks[row.track].line;
    if (line) paint_line(context_, box, *line, std::max<std::uint64_t>(line->peak, 1));
  }

  /// A folded family shows how busy its devices are in the mean, another group the top lanes of its
  /// span tracks, one over another.
  void paint_folded(const TrackRow& row, const Box& box) {
    const FoldedLanes folded = folded_lanes(input_, row);
    if (!folded.are_devices) {
      for (const std::uint32_t track : folded.tracks)
        paint_one_lane(track, 0, {box.x0, box.y0 + 4, box.x1, box.y1 - 4}, Face::mono_11, false);
      return;
    }
    std::vector<LanePaint> lanes;
    // Runs that are kept here must not move.
    std::vector<std::vector<query::VisibleRun>> coarse(folded.tracks.size());
    for (std::size_t i = 0; i < folded.tracks.size(); ++i)
      lanes.push_back(known_lane(folded.tracks[i], 0, coarse[i]));
    paint_mean_busy(context_, {box.x0, box.y0 + 1, box.x1, box.y1 - 1}, lanes);
  }

  const TimelineInput& input_;
  const PaintContext& context_;
  query::Columns coarse_columns_;
  bool usable_ = false;
  std::vector<query::VisibleRun> coarse_;
};

void paint_backgrounds(const TimelineInput& input, Scene& scene, std::size_t first,
                       std::size_t last) {
  const Theme& theme = input.theme;
  scene.background = theme.canvas;
  if (input.pinned) {
    scene.below.push_back({{0, input.areas.tracks.y0, input.areas.tracks.x1, input.areas.tracks.y1},
                           theme.canvas,
                           theme.canvas});
  }
  for (std::size_t i = first; i < last; ++i) {
    const TrackRow& row = input.layout.rows[i];
    Box box = row_box(input.areas, row, input.scroll_px);
    box.x0 = 0;
    if (row.kind == RowKind::header || row.unit % 2 == 0) continue;
    scene.below.push_back({box, theme.row_alt, theme.row_alt});
  }
  for (const double rule : input.layout.rules_px) {
    const float y = input.areas.tracks.y0 + static_cast<float>(rule - input.scroll_px);
    if (y < input.areas.tracks.y0 || y > input.areas.tracks.y1) continue;
    scene.below.push_back(
        {{0, y, input.areas.tracks.x1, y + 1}, theme.grid_major, theme.grid_major});
  }
}

/// Adds what the worker should find out for a row that is in sight.
void request_row(const TimelineInput& input, const TrackRow& row, DetailRequest& request) {
  if (row.kind == RowKind::spans) {
    for (std::uint32_t lane = 0; lane < row.shown_lanes; ++lane) {
      const double top = row.top_px + row.lane_top_px(lane) - input.scroll_px;
      if (top > static_cast<double>(input.areas.tracks.height()) ||
          top + row.lane_height_px(lane) < 0)
        continue;
      request.lanes.push_back(lane_key(row.track, lane));
    }
  } else if (row.kind == RowKind::memory) {
    request.curves.push_back(row.track);
    const ByteWindow window = byte_window(input, row.track);
    const auto height =
        static_cast<std::uint32_t>(std::lround(row.height_px * static_cast<double>(input.scale)));
    if (row.expanded)
      request.stacks.push_back(
          {row.track, height, window.begin_bytes, window.end_bytes, input.memory.colors});
  } else if (row.kind == RowKind::folded) {
    for (const std::uint32_t track : folded_lanes(input, row).tracks)
      request.lanes.push_back(lane_key(track, 0));
  }
}

/// What stands outside the scrolled area is painted over what scrolled under it.
void paint_frame(const TimelineInput& input, Scene& scene) {
  const WindowAreas& areas = input.areas;
  const Theme& theme = input.theme;
  scene.above.push_back(
      {{0, areas.axis.y0, areas.tracks.x1, areas.tracks.y0}, theme.canvas, theme.canvas});
  scene.above.push_back(
      {{0, areas.tracks.y0 - 1, areas.tracks.x1, areas.tracks.y0}, theme.border, theme.border});
  scene.above.push_back({{areas.names.x1 - 1, areas.axis.y0, areas.names.x1, areas.names.y1},
                         theme.border,
                         theme.border});
}

PaintContext context_of(const TimelineInput& input, const query::Columns& view, Scene& scene,
                        std::vector<LabelWish>& wishes) {
  const float left = input.areas.tracks.x0 + static_cast<float>(input.viewport.columns_px());
  return {scene, input.theme,           input.metrics, view,
          left,  input.areas.tracks.x1, input.scale,   wishes};
}

/// The rows in sight of a part of the area, with their names and what is marked on them.
void paint_part(const TimelineInput& input, const query::Columns& view, const TimeAxis& axis,
                Scene& scene) {
  scene.texel_width = view.count;
  std::vector<LabelWish> wishes;
  const PaintContext context = context_of(input, view, scene, wishes);
  const auto [first, last] = rows_in_sight(input);
  paint_backgrounds(input, scene, first, last);
  paint_grid(context, input.areas, axis);
  RowPainter rows(input, context, first, last);
  for (std::size_t i = first; i < last; ++i)
    rows.paint(input.layout.rows[i], row_box(input.areas, input.layout.rows[i], input.scroll_px));
  place_labels(context);
  paint_highlights(input, context);
  for (Label& label : scene.labels) {
    label.clip.y0 = std::max(label.clip.y0, input.areas.tracks.y0);
    label.clip.y1 = std::min(label.clip.y1, input.areas.tracks.y1);
  }
  paint_names(input, scene, first, last);
  paint_hits(input, view, scene);
}

/// Tells where what is pinned ends, also while nothing is scrolled.
void paint_pinned_edge(const TimelineInput& input, Scene& scene) {
  const float y = input.areas.tracks.y0 + static_cast<float>(input.layout.pinned_px) - 1;
  const Color color = input.theme.border;
  scene.above.push_back({{0, y - 1, input.areas.tracks.x1, y + 1}, color, color});
}

}  // namespace

Box row_box(const WindowAreas& areas, const TrackRow& row, double scrolled_px) {
  const float top = areas.tracks.y0 + static_cast<float>(row.top_px - scrolled_px);
  return {areas.tracks.x0, top, areas.tracks.x1, top + static_cast<float>(row.height_px)};
}

query::Columns view_columns(const Viewport& viewport, float scale) {
  query::Columns columns = viewport.columns();
  columns.ns_per_column = viewport.ns_per_px() / static_cast<double>(scale);
  columns.count =
      static_cast<std::uint32_t>(std::ceil(viewport.width_px() * static_cast<double>(scale)));
  return columns;
}

ByteWindow whole_byte_window(std::uint64_t scale_bytes) {
  return {0, scale_bytes + scale_bytes / 16 + 1};
}

ByteWindow byte_window(const TimelineInput& input, std::uint32_t track) {
  const auto zoomed = input.byte_windows.find(track);
  if (zoomed != input.byte_windows.end()) return zoomed->second;
  return whole_byte_window(memory_scale_bytes(input.model, input.memory, track));
}

TimelineInput scrolled_part(const TimelineInput& input) {
  TimelineInput part = input;
  const auto pinned_px = static_cast<float>(input.layout.pinned_px);
  part.areas.tracks.y0 = std::min(input.areas.tracks.y0 + pinned_px, input.areas.tracks.y1);
  part.areas.names.y0 = std::min(input.areas.names.y0 + pinned_px, input.areas.names.y1);
  part.scroll_px = input.scroll_px + input.layout.pinned_px;
  return part;
}

TimelineInput pinned_part(const TimelineInput& input) {
  TimelineInput part = input;
  const auto pinned_px = static_cast<float>(input.layout.pinned_px);
  part.areas.tracks.y1 = std::min(input.areas.tracks.y0 + pinned_px, input.areas.tracks.y1);
  part.areas.names.y1 = std::min(input.areas.names.y0 + pinned_px, input.areas.names.y1);
  part.scroll_px = 0;
  part.pinned = true;
  return part;
}

std::pair<std::size_t, std::size_t> rows_in_sight(const TimelineInput& part) {
  return part.layout.rows_between(part.scroll_px,
                                  part.scroll_px + static_cast<double>(part.areas.tracks.height()));
}

DetailRequest detail_request(const TimelineInput& input,
                             std::shared_ptr<const trace::Trace> trace) {
  DetailRequest request;
  request.trace = std::move(trace);
  request.theme = &input.theme;
  request.label_columns = static_cast<std::uint32_t>(least_label_px * input.scale);
  const query::Columns view = view_columns(input.viewport, input.scale);
  if (input.areas.overview.height() > 0)
    request.overview_columns = view_columns(input.viewport.fitted(), input.scale);
  // Whole columns from the origin on: panning then moves columns instead of cutting the time anew.
  const double margin = view.count / 2.0;
  const double first = std::floor(static_cast<double>(view.begin_ns) / view.ns_per_column - margin);
  request.columns = {static_cast<std::int64_t>(std::llround(first * view.ns_per_column)),
                     view.ns_per_column, view.count * 2 + 2};
  for (const TimelineInput& pane : {scrolled_part(input), pinned_part(input)}) {
    const auto [begin, end] = rows_in_sight(pane);
    for (std::size_t i = begin; i < end; ++i) request_row(pane, input.layout.rows[i], request);
  }
  std::erase_if(request.lanes, [&](std::uint64_t key) {
    const auto& spans = input.trace.tracks[key >> 32U].spans;
    return !spans || static_cast<std::uint32_t>(key) >= spans->lane_count;
  });
  return request;
}

void build_timeline(const TimelineInput& input, Scene& scene) {
  scene.clear();
  const query::Columns view = view_columns(input.viewport, input.scale);
  // A page stands in the place of tracks where there are none.
  const bool measures = !input.trace.tracks.empty() || !input.model.markers.empty();
  const TimeAxis axis =
      measures ? time_axis(input.viewport, input.trace.unit, query::clock_line(input.trace))
               : TimeAxis();
  paint_part(scrolled_part(input), view, axis, scene);
  Scene& top = scene.layer_over();
  top.texel_width = view.count;
  if (input.layout.pinned_rows > 0) {
    paint_part(pinned_part(input), view, axis, top);
    paint_pinned_edge(input, top);
  }
  paint_overview(input, top);
  std::vector<LabelWish> wishes;
  const PaintContext context = context_of(input, view, top, wishes);
  paint_frame(input, top);
  paint_hidden_note(input, top);
  paint_axis(context, input.areas, axis);
  paint_markers(context, input.areas, input.viewport, input.model.markers);
  paint_marker_hits(input, view, top);
}

}  // namespace bytescope::render
