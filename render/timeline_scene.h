#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/trace/trace.h"
#include "render/overview.h"
#include "render/scene.h"
#include "render/text_metrics.h"
#include "render/theme.h"
#include "render/time_axis.h"
#include "render/timeline_detail.h"
#include "render/timeline_model.h"
#include "render/track_layout.h"
#include "render/viewport.h"
#include "render/window_areas.h"

namespace bytescope::render {

/// The bytes that an opened memory track shows.
struct ByteWindow {
  std::uint64_t begin_bytes = 0;
  std::uint64_t end_bytes = 1;
  bool operator==(const ByteWindow&) const = default;
};

/// Something on the timeline that is outlined: a span or a buffer over its lifetime.
struct Highlight {
  std::uint32_t track = 0;
  std::uint32_t lane = 0;  ///< Spans.
  std::int64_t begin_ns = 0;
  double length_ns = 0;
  std::optional<std::uint32_t>
      ordinal;          ///< Buffers: which one; its place comes from the stack's cells.
  bool causes = false;  ///< It caused the selection, or was caused by it.
};

/// Where a row lies in the window when its list is scrolled that far.
Box row_box(const WindowAreas& areas, const TrackRow& row, double scrolled_px);

/// All that a frame of the timeline is made of. References live for the call. Painters of rows are
/// given one input for the rows that scroll and one for those that are pinned: each sees its own
/// part of the area, and its own scroll position.
struct TimelineInput {
  const trace::Trace& trace;
  const TimelineModel& model;
  const TrackLayout& layout;
  WindowAreas areas;
  const Viewport& viewport;
  const Theme& theme;
  const TextMetrics& metrics;
  const TimelineDetail* detail =
      nullptr;  ///< What the worker found last; may be of an earlier view.
  const std::unordered_map<std::uint32_t, std::shared_ptr<const StackDetail>>& stacks;
  const std::map<std::uint32_t, ByteWindow>&
      byte_windows;  ///< Of opened tracks that were zoomed in bytes.
  MemoryLook memory;
  double scroll_px = 0;
  float scale = 1;
  std::optional<Highlight> hover;
  std::optional<Highlight> selection;
  std::span<const Highlight> linked = {};      ///< What belongs to the selection: few.
  bool pinned = false;                         ///< Of the rows that are pinned (pinned_part()).
  const Overview* overview = nullptr;          ///< What the worker found last; null: nothing yet.
  std::optional<query::TimeRange> range = {};  ///< The measured one, for the overview.
};

/// Builds the scene of one frame: axis, markers, names and the visible rows. Costs pixels and
/// visible rows, not events and not tracks; reads no file.
void build_timeline(const TimelineInput& input, Scene& scene);

/// The input of the rows that scroll, and of those that are pinned above them: `areas` and the
/// scroll position are cut to that part.
TimelineInput scrolled_part(const TimelineInput& input);
TimelineInput pinned_part(const TimelineInput& input);

/// The rows of a part that are in sight: first and one past the last.
std::pair<std::size_t, std::size_t> rows_in_sight(const TimelineInput& part);

/// The device pixel columns of a view, snapped so that panning moves whole columns.
query::Columns view_columns(const Viewport& viewport, float scale);

/// What the worker should find out for this view: every visible lane, curve and stack, half a view
/// more on each side.
DetailRequest detail_request(const TimelineInput& input, std::shared_ptr<const trace::Trace> trace);

/// A whole memory track with a little air above the highest peak, so that its outline is seen.
ByteWindow whole_byte_window(std::uint64_t scale_bytes);

/// The bytes that the row of a memory track shows: the whole scale unless zoomed.
ByteWindow byte_window(const TimelineInput& input, std::uint32_t track);

}  // namespace bytescope::render
