#pragma once

#include <cstdint>

namespace bytescope::query {

/// Half-open stretch of time in nanoseconds since the trace's origin.
struct TimeRange {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t length_ns() const { return end_ns - begin_ns; }
  bool contains(std::int64_t time_ns) const { return begin_ns <= time_ns && time_ns < end_ns; }
  bool operator==(const TimeRange&) const = default;
};

/// The pixel columns that a query answers for: column c covers [begin_ns + c × ns_per_column, +
/// ns_per_column).
struct Columns {
  std::int64_t begin_ns = 0;
  double ns_per_column = 1;
  std::uint32_t count = 0;
  /// The column position of a time relative to begin_ns; exact near the window however late in the
  /// trace.
  double at(std::int64_t time_ns) const {
    return static_cast<double>(time_ns - begin_ns) / ns_per_column;
  }
  /// Start of a column relative to begin_ns, in ns.
  double offset_ns(double column) const { return column * ns_per_column; }
  bool operator==(const Columns&) const = default;
};

}  // namespace bytescope::query
