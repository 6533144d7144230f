#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/query/memory_stack.h"
#include "core/trace/memory_index.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// The buffers of a memory track that live at an instant.
struct LiveSet {
  std::uint32_t events = 0;  ///< How many events have happened.
  std::uint32_t time = 0;    ///< The instant, in the trace's unit.
  std::uint64_t bytes = 0;
  std::vector<LiveBuffer> buffers;  ///< Largest first, of equals the lower in the stack.
};

/// What lives after all events with time ≤ `time` (the trace's unit). Costs O(events until then +
/// live log live).
LiveSet live_set_at(const trace::MemoryIndex& memory, std::uint32_t time);
/// What lives after that many events.
LiveSet live_set_after(const trace::MemoryIndex& memory, std::uint32_t events);
/// What lives just after the event that first reaches the largest total.
LiveSet live_set_at_peak(const trace::MemoryIndex& memory);
/// What was allocated after all events with time ≤ `begin` and lives after all with time ≤ `end`:
/// the leak of a loop of steps. Lower edges are those at `end`. `begin` must not exceed `end`.
LiveSet allocated_between(const trace::MemoryIndex& memory, std::uint32_t begin, std::uint32_t end);

/// Buffers of a live set that have something in common.
struct BufferGroup {
  std::string name;              ///< Plain: `float × 1,024`, a kernel's name, "never freed", …
  std::uint32_t count = 0;       ///< Buffers.
  std::uint64_t bytes = 0;       ///< Of all of them.
  double share = 0;              ///< Of the bytes of the live set, 0 to 1.
  std::uint32_t dtype = 0;       ///< By type and size: position in `strings`.
  std::uint64_t each_bytes = 0;  ///< By type and size: bytes of one buffer.
  trace::Lifetime lifetime = trace::Lifetime::transient;  ///< By lifetime.
  bool unknown = false;                                   ///< By first writer: nothing is recorded.
  std::uint32_t largest = 0;  ///< Ordinal of its largest buffer, the first of equals.
};

/// Groups by element type and bytes; most bytes first, then by name. Costs O(live); reads the names
/// of the types.
std::vector<BufferGroup> group_by_type(const trace::Trace& trace, std::uint32_t track,
                                       const LiveSet& live);
/// Groups by lifetime (transient, long-lived ≥ 10 % of the trace, never freed).
std::vector<BufferGroup> group_by_lifetime(const trace::Trace& trace, std::uint32_t track,
                                           const LiveSet& live);
/// Groups by the first recorded user with mode write or both, by its plain name. Buffers without
/// one are a group of their own (`unknown`). Reads the records of the track once: run it in the
/// background. Empty when cancelled.
std::vector<BufferGroup> group_by_writer(const trace::Trace& trace, std::uint32_t track,
                                         const LiveSet& live, const Cancel& cancel);

/// The position in `strings` of the first recorded writer of each buffer of the live set, in its
/// order. One pass over the records of the track; what was not reached when cancelled is none.
std::vector<std::optional<std::uint32_t>> first_writers(const trace::Trace& trace,
                                                        std::uint32_t track, const LiveSet& live,
                                                        const Cancel& cancel);

/// Live bytes at both ends of a step.
struct StepGrowth {
  std::uint32_t step = 0;  ///< From boundary number `step` to the next one.
  std::uint64_t before_bytes = 0;
  std::uint64_t after_bytes = 0;
  /// Negative where memory shrinks; cut to 63 bits.
  std::int64_t growth_bytes() const;
};

/// The growth of each step between neighbouring boundaries (times in the trace's unit, ascending),
/// largest first, then in order. Costs O(steps × log events).
std::vector<StepGrowth> step_growth(const trace::MemoryIndex& memory,
                                    const std::vector<std::uint32_t>& boundaries);

}  // namespace bytescope::query
