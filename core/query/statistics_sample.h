#pragma once

#include <cstdint>
#include <vector>

#include "core/cancel.h"
#include "core/io/large_pages.h"
#include "core/query/statistics_rows.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// Durations of some spans of each row. Spans that only a part counts of are whole here.
struct RowSamples {
  io::LargeVector<float> values;            ///< Those of a row follow each other.
  std::vector<std::uint32_t> first_of_row;  ///< One more than there are rows.
  std::vector<double> track_totals;         ///< Sums of the durations by track of the plan.
  double rate = 1;                          ///< Which share of the spans that is.
};

/// Takes about one of `step` spans of a plan: short runs of records, spread evenly.
RowSamples sample_rows(const trace::Trace& trace, const RowPlan& plan, std::uint32_t step,
                       const Cancel& cancel);

}  // namespace bytescope::query
