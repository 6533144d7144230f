#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/query/span_scan.h"
#include "core/query/statistics.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// Which spans belong together, worked out before any record is read: each name of a track that
/// statistics are about has a row.
struct RowPlan {
  static constexpr std::uint32_t none = UINT32_MAX;
  /// Names beyond that many would take more memory than a viewer may.
  static constexpr std::size_t most_rows = 1 << 20;

  /// One track's part.
  struct TrackPart {
    std::uint32_t track = 0;
    RecordRange records;                     ///< Those that start in the range.
    std::vector<std::uint32_t> row_of_slot;  ///< By place in SpanIndex::names.
    /// Row of the spans with name `name`; none for a name that the index does not know.
    std::uint32_t row(const trace::Trace& trace, std::uint32_t name) const {
      const std::uint32_t slot = trace.tracks[track].spans->slots.find(name);
      return slot < row_of_slot.size() ? row_of_slot[slot] : none;
    }
  };

  TimeRange range;
  Cut cut;                        ///< Endless where nothing is cut.
  std::vector<TrackPart> tracks;  ///< Ascending.
  /// With names, track and style; count, total and extremes of the whole trace.
  std::vector<StatisticsRow> rows;
  std::uint64_t span_count() const;
};

/// Fails with ErrorKind::machine for too many names, with ErrorKind::cancelled. Costs O(names).
Expected<RowPlan> plan_rows(const trace::Trace& trace, const StatisticsRequest& request,
                            const Cancel& cancel);

/// Takes the rows of a plan, all of them and in its order: fills in shares and means, leaves out
/// those without spans, and sorts by total, descending, then by name and track. `track_totals` are
/// those of the plan's tracks.
void finish_rows(const trace::Trace& trace, const RowPlan& plan,
                 const std::vector<double>& track_totals, Statistics& statistics);

}  // namespace bytescope::query
