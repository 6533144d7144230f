#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/query/time_range.h"
#include "core/trace/memory_index.h"

namespace bytescope::query {

/// The largest value that a line has in each pixel column, the one that holds when the column
/// begins included; none before the first point and, behind the last one, from the next column on.
/// Exact. Costs O(columns × (log n + block_points)
/// + blocks in the window).
std::vector<std::optional<std::uint64_t>> line_columns(const trace::LineIndex& line,
                                                       const Columns& columns);

}  // namespace bytescope::query
