#pragma once

#include "core/io/page_reader.h"
#include "core/query/search.h"
#include "core/query/time_range.h"
#include "render/scene.h"
#include "render/timeline_scene.h"

namespace bytescope::render {

/// Marks where hits begin: a line on the ground of each visible row of spans, and among the flags
/// for markers. `columns` are those of the view (view_columns). Costs O(columns) a visible row, and
/// reads a few pages where single spans are in sight.
void paint_hits(const TimelineInput& input, const query::Columns& columns,
                const query::SearchResult& result, io::PageReader& reader, Scene& scene);

}  // namespace bytescope::render
