#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/query/compare_curves.h"
#include "core/trace/units.h"

namespace bytescope::app {

/// A memory track on both sides of a comparison, for drawing: A is before, B after.
struct MemoryChart {
  std::string track;
  std::optional<query::PeakOf> peak_a;
  std::optional<query::PeakOf> peak_b;
  query::ComparedCurves curves;
};

/// Where the two sides of a chart lie beside each other.
struct ChartPlacing {
  std::int64_t shift_ns =
      0;  ///< A moment t of A lies at t + shift of B; two stretches begin together.
  bool moves_together = false;  ///< The views of both traces do.
};

/// What stands beside the table of compared memory.
struct MemoryCharts {
  trace::Unit unit = trace::Unit::microseconds;
  bool is_of_two_traces = false;          ///< Else of two stretches of one, side by side.
  std::vector<MemoryChart> charts;        ///< What changed most first.
  std::vector<std::size_t> chart_of_row;  ///< Of the table.
};

}  // namespace bytescope::app
