#pragma once

#include "render/paint_context.h"
#include "render/timeline_scene.h"

namespace bytescope::render {

/// Outlines what is selected (2 px in the focus colour with a halo) and lightens what the pointer
/// is on.
void paint_highlights(const TimelineInput& input, const PaintContext& context);

}  // namespace bytescope::render
