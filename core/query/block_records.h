#pragma once

#include <cstdint>

#include "core/trace/trace.h"

namespace bytescope::query {

/// The finest blocks of a lane; null where the track's index is a preview, has no such lane or the
/// lane no spans.
inline const trace::SpanBlocks* finest_blocks(const trace::Trace& trace, std::uint32_t track,
                                              std::uint32_t lane) {
  const auto& spans = trace.tracks[track].spans;
  if (!spans || spans->sampled || lane >= spans->lanes.size() || spans->lanes[lane].levels.empty())
    return nullptr;
  const trace::SpanBlocks& blocks = spans->lanes[lane].levels[0];
  return blocks.empty() ? nullptr : &blocks;
}

/// Calls `visit(record)` for the records of a finest block of a lane, in order.
template <class Visit>
void for_records(const trace::Trace& trace, std::uint32_t track, std::uint32_t lane,
                 const trace::SpanBlock& block, Visit visit) {
  const trace::SpanIndex& spans = *trace.tracks[track].spans;
  std::uint32_t left = block.count;
  for (std::uint32_t record = block.first; left > 0 && record < trace.tracks[track].head.count;
       ++record) {
    if (spans.lane(record) != lane) continue;
    --left;
    visit(record);
  }
}

}  // namespace bytescope::query
