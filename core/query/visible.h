#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/io/page_reader.h"
#include "core/query/time_range.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// Neighbouring pixel columns of one lane that show the same thing.
struct VisibleRun {
  static constexpr std::uint32_t unknown = UINT32_MAX;
  std::uint32_t begin_column = 0;
  std::uint32_t end_column = 0;  ///< One past the last.
  std::uint32_t record =
      unknown;  ///< The span shown, where records were read and the column is not dense.
  std::uint32_t count = 0;  ///< Spans that touch the column (an estimate for blocks).
  trace::Style style;       ///< Of the longest span.
  float busy = 0;           ///< Covered share of the columns, 0 to 1.
  float reduce = 0;         ///< Of that, the share of the column covered by reduce kernels …
  float elementwise = 0;    ///< … and by elementwise ones; the rest are others.
  /// More than eight spans touch the column: it shows busy share, not a span.
  bool dense() const { return count > 8; }
};

/// Appends what a viewer sees of lane `lane` of span track `track` in `columns`: every touched
/// column is in exactly one run and shows the longest span that touches it (first of equals) or,
/// when more than eight do, their covered time by category. Blocks narrower than a column are taken
/// from the summaries, their covered time spread evenly: wrong by at most one block at each edge of
/// a column; wider blocks are read from the file through `reader`. With a null reader wide blocks
/// are spread as well, and any of up to four columns are, for a picture before the detail comes.
/// Costs O(columns × log n) block visits and at most block_spans records per column.
void append_visible(const trace::Trace& trace, std::uint32_t track, std::uint32_t lane,
                    const Columns& columns, io::PageReader* reader, std::vector<VisibleRun>& out);

}  // namespace bytescope::query
