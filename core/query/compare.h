#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/query/statistics.h"
#include "core/query/time_range.h"
#include "core/trace/trace.h"

// Two traces, or two stretches of one, side by side: A is before, B after. Durations are in the
// traces' units.

namespace bytescope::query {

/// One side of a comparison; the trace must outlive the question.
struct CompareSide {
  const trace::Trace& trace;
  std::optional<TimeRange> range;  ///< None: all of it.
};

/// Spans of one plain name on both sides.
struct ComparedKernel {
  std::string name;
  std::optional<StatisticsRow> a;  ///< None where that side has none.
  std::optional<StatisticsRow> b;
  /// Total time of B minus that of A.
  double delta() const { return (b ? b->total : 0) - (a ? a->total : 0); }
  /// Mean time of B minus that of A; none where a side has no mean.
  std::optional<double> mean_delta() const {
    return a && b ? std::optional(b->mean - a->mean) : std::nullopt;
  }
  /// With the colour codes of B's, or A's where B has none.
  const std::string& raw_name() const { return b ? b->raw_name : a->raw_name; }
};

/// Buffers that live at a peak and are alike.
struct BufferCount {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  ///< Of all of them.
  bool operator==(const BufferCount&) const = default;
};

/// Buffers of one type and length at the peaks of both sides.
struct ComparedBuffers {
  std::string dtype;         ///< Raw name of the element type.
  std::uint64_t length = 0;  ///< Elements; 0 where the size of the type is not known.
  std::optional<BufferCount> a;
  std::optional<BufferCount> b;
  /// What B has more than A.
  std::int64_t count_delta() const {
    return static_cast<std::int64_t>((b ? b->count : 0) - (a ? a->count : 0));
  }
  std::int64_t bytes_delta() const {
    return static_cast<std::int64_t>((b ? b->bytes : 0) - (a ? a->bytes : 0));
  }
};

/// A memory track at its peak.
struct PeakOf {
  std::uint32_t track = 0;   ///< In its trace.
  std::uint64_t bytes = 0;   ///< The largest total, after any event that lies in the range.
  std::uint32_t events = 0;  ///< After so many events it is first reached.
  std::uint32_t time = 0;    ///< When, in the trace's unit; not before the range.
};

/// A memory track on both sides: tracks of equal names belong together.
struct ComparedMemory {
  std::string track;  ///< Raw name.
  std::optional<PeakOf> a;
  std::optional<PeakOf> b;
  std::vector<ComparedBuffers> at_peak;  ///< By change in bytes, largest first; type; length.
};

struct Comparison {
  std::vector<ComparedKernel> kernels;  ///< By size of the change, then by name.
  std::vector<ComparedMemory> memory;   ///< In the order of A's tracks, then those of B alone.
  double total_a = 0;                   ///< Of all kernels.
  double total_b = 0;
};

/// The largest total of a memory track while the range lasts, and when it is first reached: in
/// event order, as everywhere. Costs O(events).
PeakOf peak_in(const trace::Trace& trace, std::uint32_t track,
               const std::optional<TimeRange>& range);

/// Compares what default_statistics_tracks() have, and all memory tracks. Costs statistics() of
/// both sides and a replay of their memory tracks; fails as that does.
Expected<Comparison> compare(const CompareSide& a, const CompareSide& b, const Cancel& cancel);

/// Only the kernels.
Expected<Comparison> compare_kernels(const CompareSide& a, const CompareSide& b,
                                     const Cancel& cancel);
/// Only the memory tracks; not all of them when cancelled.
std::vector<ComparedMemory> compare_memory(const CompareSide& a, const CompareSide& b,
                                           const Cancel& cancel);

}  // namespace bytescope::query
