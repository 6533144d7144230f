#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/fact_sheet.h"
#include "core/query/summary.h"
#include "core/trace/trace.h"

namespace bytescope::app {

/// A line of the summary.
struct SummaryRow {
  /// What a click on it could show.
  enum class Target : std::uint8_t { none, slowest_device, peak };
  std::string label;
  std::string value;
  bool warn = false;
  Target target = Target::none;
};

/// A kernel among the costliest.
struct SummaryKernel {
  std::string raw_name;  ///< With colour codes.
  trace::Style style;
  double share = 0;  ///< Of all kernels, 0 to 1.
  std::string share_text;
  std::vector<FactRow> facts;  ///< How often, how long.
};

/// What the right panel tells while nothing is selected.
struct SummaryFacts {
  std::vector<SummaryRow> rows;
  std::vector<SummaryKernel> kernels;
  std::vector<std::string> warnings;  ///< What is wrong with the trace, a sentence each.
  std::vector<SummaryRow> file;       ///< Dialect, size, marks.
};

/// Costs O(tracks + warnings); reads no file.
SummaryFacts summary_facts(const trace::Trace& trace, const query::TraceSummary& summary);

}  // namespace bytescope::app
