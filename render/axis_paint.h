#pragma once

#include <cstdint>
#include <vector>

#include "render/paint_context.h"
#include "render/time_axis.h"
#include "render/timeline_model.h"
#include "render/timeline_scene.h"
#include "render/window_areas.h"

namespace bytescope::render {

/// Grid lines below the rows; whole microseconds are shaded by turns where they are wide (below the
/// file's resolution).
void paint_grid(const PaintContext& context, const WindowAreas& areas, const TimeAxis& axis);

/// The axis itself: ticks, labels, and the anchor left of it.
void paint_axis(const PaintContext& context, const WindowAreas& areas, const TimeAxis& axis);

/// Lines and flags of the markers in view; flags are cut at the next one. Costs O(pixels + log
/// markers).
void paint_markers(const PaintContext& context, const WindowAreas& areas, const Viewport& viewport,
                   const std::vector<MarkerFlag>& markers);

/// A line at what a device holds, where that is known (not 0) and in sight; with its value beside
/// it when `tells_value`.
void paint_capacity(const PaintContext& context, const Box& box, std::uint64_t capacity_bytes,
                    const ByteWindow& window, bool tells_value);

/// A dashed line where a memory track reaches its peak; with `peak_bytes` (not 0) its value beside
/// it.
void paint_peak(const PaintContext& context, const Box& box, std::int64_t peak_ns,
                std::uint64_t peak_bytes, const ByteWindow& window);

}  // namespace bytescope::render
