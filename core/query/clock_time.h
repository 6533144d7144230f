#pragma once

#include <cstdint>
#include <optional>

#include "core/trace/trace.h"

// The real time of a trace that counts clock cycles, from the line that tells the clock's rate.

namespace bytescope::query {

/// The clock of a trace: its first line track that has one, where cycles are what it counts. Null
/// where there is none. Costs O(tracks).
const trace::LineIndex* clock_line(const trace::Trace& trace);

/// Nanoseconds of real time from the clock's first point to `time_ns` (a cycle counts as 1000).
/// None outside its points, where the rate is not known. Costs O(log points).
std::optional<double> real_ns(const trace::LineIndex& clock, std::int64_t time_ns);

}  // namespace bytescope::query
