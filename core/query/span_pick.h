#pragma once

#include <cstdint>
#include <optional>

#include "core/cancel.h"
#include "core/io/page_reader.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// The span of a lane that covers `time_ns` (the last of several), or else the one nearest to it
/// within `tolerance_ns` (the first of equals); its end counts as covered unless another begins
/// there. Costs O(log n + records of a few blocks).
std::optional<std::uint32_t> span_at(const trace::Trace& trace, io::PageReader& reader,
                                     std::uint32_t track, std::uint32_t lane, std::int64_t time_ns,
                                     double tolerance_ns);

/// The neighbour of record `record` in its lane: the next one for `step` +1, the previous one for
/// −1.
std::optional<std::uint32_t> neighbour_in_lane(const trace::Trace& trace, std::uint32_t track,
                                               std::uint32_t record, int step);

/// Number of spans in track `track` that have the plain name of `record` (colours aside) and lie
/// before it, and of all of that name.
struct Occurrence {
  std::uint32_t rank = 0;  ///< From 1.
  std::uint32_t total = 0;
};

/// Reads the track's records up to `record` once: O(record + names of the track). None when
/// cancelled or the index is a preview.
std::optional<Occurrence> occurrence(const trace::Trace& trace, std::uint32_t track,
                                     std::uint32_t record, const Cancel& cancel);

}  // namespace bytescope::query
