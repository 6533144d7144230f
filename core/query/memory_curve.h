#pragma once

#include <cstdint>
#include <vector>

#include "core/query/time_range.h"
#include "core/trace/memory_index.h"

namespace bytescope::query {

/// What a memory track shows in one pixel column: live bytes by lifetime at the instant, in event
/// order, of the column's largest total (the first of equals). The total that holds when the column
/// begins counts as an instant.
struct CurveColumn {
  trace::LifetimeBytes bytes{};
  std::uint64_t total() const { return bytes[0] + bytes[1] + bytes[2]; }
};

/// One entry a column. Exact: peaks never vanish. Costs O(columns × block_events + blocks inside /
/// 16).
std::vector<CurveColumn> memory_curve(const trace::MemoryIndex& memory, const Columns& columns);

/// Live bytes after all events with time ≤ `time` (the trace's unit), by lifetime. Costs O(log n +
/// block_events).
trace::LifetimeBytes live_bytes_at(const trace::MemoryIndex& memory, std::uint32_t time);

/// How many buffers are live after the first `event_count` events. Costs O(block_events).
std::uint32_t live_buffer_count(const trace::MemoryIndex& memory, std::uint32_t event_count);

/// Number of events with time ≤ `time`; the state "after all events with ts ≤ time" is before event
/// number that.
std::uint32_t events_until(const trace::MemoryIndex& memory, std::uint32_t time);

}  // namespace bytescope::query
