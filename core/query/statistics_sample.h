#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/cancel.h"
#include "core/query/percentiles.h"
#include "core/query/statistics_rows.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// Durations of some spans of each row. Spans that only a part counts of are whole here.
struct RowSamples {
  struct Row {
    std::uint32_t head = ValueLists::none;
    std::uint32_t count = 0;  ///< Sampled spans.
    bool lost = false;        ///< Not all of their durations could be kept.
  };
  /// At most so many bytes are used, beside the rows.
  static constexpr std::size_t most_bytes = 64 << 20;

  ValueLists values{most_bytes};
  std::vector<Row> rows;
  std::vector<double> track_totals;  ///< Sums of the durations by track of the plan.
  double rate = 1;                   ///< Which share of the spans that is.

  /// The durations of a row. Valid as long as this is.
  ListedValues of(std::size_t row) const { return {{{&values, rows[row].head}}}; }
};

/// Takes about one of `step` spans of a plan: short runs of records, spread evenly.
RowSamples sample_rows(const trace::Trace& trace, const RowPlan& plan, std::uint32_t step,
                       const Cancel& cancel);

}  // namespace bytescope::query
