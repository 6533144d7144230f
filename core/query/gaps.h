#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/query/time_range.h"
#include "core/query/track_record.h"
#include "core/trace/trace.h"

// Times are doubles in the trace's unit (microseconds, or cycles), as exact as the file.

namespace bytescope::query {

/// Starts are cut to whole microseconds: idle time shorter than this may be none.
constexpr double gap_resolution = 2;

/// A stretch between two spans of a track in which none of its spans runs.
struct Gap {
  std::uint32_t track = 0;
  double begin = 0;
  double end = 0;
  std::uint32_t before = 0;  ///< The record that ends at `begin` (the first of equals).
  std::uint32_t after = 0;   ///< The record that starts at `end` (the first of equals).
  double length() const { return end - begin; }
  /// Whether the file is too coarse to say that there was a gap at all (not in shader traces,
  /// whose cycles are exact).
  bool below_resolution = false;
  bool operator==(const Gap&) const = default;
};

/// What gaps are asked for.
struct GapRequest {
  std::optional<TimeRange> range;     ///< None: the whole trace. Gaps inside it count, not parts.
  std::vector<std::uint32_t> tracks;  ///< Span tracks; empty: default_gap_tracks().
  double min_length = gap_resolution;
  std::size_t limit = 1000;  ///< At most so many, the longest.
  unsigned threads = 2;
};

/// The idle time of a track.
struct TrackIdle {
  std::uint32_t track = 0;
  std::uint64_t gaps = 0;  ///< Of at least the minimal length; all, not only those listed.
  double idle = 0;         ///< Their sum.
  /// The device's family runs batches (a Graph track): inside them times are chained, and gaps
  /// between kernels are not seen.
  bool has_batches = false;
};

/// The answer to a GapRequest.
struct Gaps {
  std::vector<Gap> gaps;  ///< Longest first, then by begin and track.
  std::vector<TrackIdle> tracks;
};

/// All tracks of devices.
std::vector<std::uint32_t> default_gap_tracks(const trace::Trace& trace);

/// Finds the gaps between the spans of each track, over all its lanes. What lies before the first
/// span and behind the last is no gap. Costs one read of the records in the range. Fails with
/// ErrorKind::cancelled.
Expected<Gaps> find_gaps(const trace::Trace& trace, const GapRequest& request, const Cancel& cancel,
                         Progress* progress = nullptr);

/// The next gap of a track that begins behind `time_ns` (`step` +1), or the last one that ends
/// before it (−1), of at least `min_length`. Reads until it finds it: at worst all records on that
/// side. None where there is none or when cancelled.
std::optional<Gap> neighbour_gap(const trace::Trace& trace, std::uint32_t track,
                                 std::int64_t time_ns, int step, double min_length,
                                 const Cancel& cancel);

}  // namespace bytescope::query
