#pragma once

#include <cstddef>

#include "render/timeline_scene.h"

namespace bytescope::render {

/// The names of the rows [first, last) of the layout, with busy shares and peaks at the right edge.
void paint_names(const TimelineInput& input, Scene& scene, std::size_t first, std::size_t last);

}  // namespace bytescope::render
