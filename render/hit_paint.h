#pragma once

#include "core/query/time_range.h"
#include "render/scene.h"
#include "render/timeline_scene.h"

namespace bytescope::render {

/// Marks where hits begin, as the worker found them: a line on the ground of each visible row of
/// spans. `view` are the view's columns. Costs O(columns) a row.
void paint_hits(const TimelineInput& input, const query::Columns& view, Scene& scene);
/// The same for markers, among their flags.
void paint_marker_hits(const TimelineInput& input, const query::Columns& view, Scene& scene);

}  // namespace bytescope::render
