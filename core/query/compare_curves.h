#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/query/compare.h"
#include "core/query/time_range.h"
#include "core/trace/memory_index.h"

namespace bytescope::query {

/// The total of a memory track over a stretch of time.
struct TotalCurve {
  TimeRange range;
  double ns_per_column = 1;
  /// One a column, the last one maybe narrower: the largest total, in event order, from where the
  /// column begins to where it ends. What holds when it begins counts.
  std::vector<std::uint64_t> totals;
};

/// Exact: peaks never vanish. `ns_per_column` is at least one. Costs memory_curve() of so many
/// columns.
TotalCurve total_curve(const trace::MemoryIndex& memory, TimeRange range, double ns_per_column);

/// A memory track on both sides of a comparison, each in the time of its own trace, both with
/// columns of the same length.
struct ComparedCurves {
  std::optional<TotalCurve> a;  ///< None where that side has no such track.
  std::optional<TotalCurve> b;
};

/// The curves of a pair of tracks from compare_memory(); the longer one has at most so many
/// columns, and one more. No column is above the peak of its side.
ComparedCurves compare_curves(const CompareSide& a, const CompareSide& b, const ComparedMemory& of,
                              std::uint32_t most_columns);

}  // namespace bytescope::query
