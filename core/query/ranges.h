#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/query/time_range.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// A half-open stretch of time in the trace's unit.
struct Stretch {
  double begin = 0;
  double end = 0;
  double length() const { return end - begin; }
};
Stretch stretch_of(const TimeRange& range);

/// Time in each of `ranges` (ascending, not overlapping) during which a span track had at least one
/// span, in the trace's unit. A track of one lane is answered from its block summaries (exact to
/// f32) and the records of the blocks at the ranges' ends; others cost one read of the records from
/// the first range to the last. Empty when cancelled; zeros for a track that is not indexed.
std::vector<double> busy_times(const trace::Trace& trace, std::uint32_t track,
                               const std::vector<Stretch>& ranges, const Cancel& cancel);

/// What a track tells about a range.
struct TrackRangeFacts {
  std::optional<double> busy_share;  ///< Span tracks: 0 to 1.
  /// Memory tracks: live bytes after all events at or before the range's begin, and its end.
  std::optional<std::uint64_t> begin_bytes;
  std::optional<std::uint64_t> end_bytes;
};

/// What a trace tells about a range.
struct RangeFacts {
  TimeRange range;
  std::vector<TrackRangeFacts> tracks;  ///< One for each track, in file order.
  std::uint64_t begin_bytes = 0;        ///< Of all memory tracks without files (DISK).
  std::uint64_t end_bytes = 0;
  /// The change, negative where memory was given back.
  double bytes_change() const {
    return static_cast<double>(end_bytes) - static_cast<double>(begin_bytes);
  }
};

/// Facts about the half-open range. Fails with ErrorKind::cancelled. Costs busy_times() of each
/// track.
Expected<RangeFacts> range_facts(const trace::Trace& trace, TimeRange range, const Cancel& cancel);

}  // namespace bytescope::query
