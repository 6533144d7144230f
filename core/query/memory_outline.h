#pragma once

#include <vector>

#include "core/query/memory_curve.h"

namespace bytescope::query {

/// memory_curve from summaries alone, for a picture before the exact one comes: a block at the edge
/// of a column counts for both. Never less than the truth. Costs O(columns + blocks in the window /
/// 16).
std::vector<CurveColumn> memory_outline(const trace::MemoryIndex& memory, const Columns& columns);

}  // namespace bytescope::query
