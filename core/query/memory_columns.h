#pragma once

#include <cstdint>
#include <vector>

#include "core/query/time_range.h"
#include "core/trace/memory_index.h"

namespace bytescope::query {

/// Number of the first event that lies in column `column` or behind it, at or behind event `from`,
/// in front of which no such event may lie. Costs O(log of the distance).
std::uint32_t first_event_from(const trace::MemoryIndex& memory, const Columns& columns,
                               double column, std::uint32_t from);

/// Which events fall into which column: column c has events [bounds[c], bounds[c + 1]); count + 1
/// entries.
std::vector<std::uint32_t> column_bounds(const trace::MemoryIndex& memory, const Columns& columns);

}  // namespace bytescope::query
