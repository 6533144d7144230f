#pragma once

#include <cstdint>
#include <vector>

#include "core/cancel.h"
#include "core/io/page_reader.h"
#include "core/query/links.h"
#include "core/query/time_range.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// Which pixel columns spans of one name touch: one entry a column, 1 or 0.
using TouchedColumns = std::vector<std::uint8_t>;

/// For each lane of span track `track` the columns that a span of `names` touches; a lane without
/// any has no entries. A span without width touches the column that it lies in. Empty when
/// cancelled, or where the track has none of them. Costs O(lanes × log n) and one read of the
/// records that start in the columns.
std::vector<TouchedColumns> namesake_columns(const trace::Trace& trace, io::PageReader& reader,
                                             std::uint32_t track, const Namesakes& names,
                                             const Columns& columns, const Cancel& cancel);

}  // namespace bytescope::query
