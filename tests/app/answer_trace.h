#pragma once

#include <string>

#include "tests/support/plain_trace.h"

namespace bytescope::tests {

/// plain_trace() with what answers tell of beside it. Markers `step 0`, `step 1`, `step 2` at 1, 3
/// and 6 ms, and `note` at 4 ms. AMD:SDMA:0: two copies of 80 us from CPU to AMD, both while AMD
/// computes nothing. The buffer of kernel i is written by it and read by kernel i + 1.
inline bytepack::TraceDescription answer_trace() {
  bytepack::TraceDescription trace = plain_trace();
  trace.markers = {{1000.0, "step 0", "gray"},
                   {3000.0, "step 1", "gray"},
                   {4000.0, "note", "gray"},
                   {6000.0, "step 2", "gray"}};
  bytepack::TrackDescription copies;
  copies.name = "AMD:SDMA:0";
  copies.spans = {{"1.00 MB, AMD <- CPU", 320, 80.0F, "{}"},
                  {"1.00 MB, AMD <- CPU", 5120, 80.0F, "{}"}};
  for (bytepack::MemoryDescription& event : trace.tracks[3].memory) {
    if (event.is_alloc) continue;
    const auto name = [](std::uint32_t kernel) { return "r_" + std::to_string(kernel % 5); };
    event.users = {{event.key, name(event.key), 0, 1}, {event.key + 1, name(event.key + 1), 1, 0}};
  }
  trace.tracks.push_back(copies);
  return trace;
}

inline std::vector<std::byte> answer_bytes() {
  return bytepack::encode(answer_trace(), *bytepack::dialect_of('L'));
}

}  // namespace bytescope::tests
