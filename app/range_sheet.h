#pragma once

#include "app/fact_sheet.h"
#include "core/query/ranges.h"
#include "core/trace/trace.h"

namespace bytescope::app {

/// What is told of a measured range: its length and ends, memory at both ends and the change, busy
/// share of each track under it.
FactSheet range_sheet(const trace::Trace& trace, const query::RangeFacts& facts);

}  // namespace bytescope::app
