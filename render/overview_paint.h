#pragma once

#include "render/timeline_scene.h"

namespace bytescope::render {

/// Where a time of the trace is on the strip: the whole trace in its width.
Viewport overview_viewport(const Viewport& viewport, const WindowAreas& areas);

/// The frame on the strip that shows what of the trace is on screen: its inner edges, at least a
/// few pixels apart so that it is seen however small the window is.
Box overview_frame(const Viewport& viewport, const WindowAreas& areas);

/// Paints the strip at the top: devices, memory, markers, hits, the measured range, and the window
/// as a frame. Costs pixels.
void paint_overview(const TimelineInput& input, Scene& scene);

}  // namespace bytescope::render
