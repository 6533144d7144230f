#pragma once

#include <cstdint>
#include <optional>

#include "core/io/page_reader.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// A span and how much of a stretch of time it covers.
struct LargestPart {
  std::uint32_t record = 0;
  double covered = 0;  ///< In the trace's unit, above 0.
};

/// Of the spans of a lane the one that covers most of [begin, end) (units), one of equals. None
/// where nothing of the lane lies in it. Costs O(log n) and the records of the blocks at both ends
/// and of few between, as a block tells the longest span in it.
std::optional<LargestPart> largest_part(const trace::Trace& trace, io::PageReader& reader,
                                        std::uint32_t track, std::uint32_t lane, double begin,
                                        double end);

}  // namespace bytescope::query
