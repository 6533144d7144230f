#pragma once

#include <cstddef>

#include "render/timeline_scene.h"

namespace bytescope::render {

/// Where the name of a row begins, from the left edge of the column; its triangle is left of that.
float name_left_px(const TrackRow& row);

/// Where it is told how many tracks are hidden: a click there shows them. Empty while none is.
Box hidden_note_box(const WindowAreas& areas, const TrackLayout& layout);
/// Tells how many tracks are hidden.
void paint_hidden_note(const TimelineInput& input, Scene& scene);

/// The names of the rows [first, last) of the layout, with busy shares and peaks at the right edge.
void paint_names(const TimelineInput& input, Scene& scene, std::size_t first, std::size_t last);

}  // namespace bytescope::render
