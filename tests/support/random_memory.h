#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/memory_index.h"

namespace bytescope::tests {

/// An allocation or a free as a trace would tell it.
struct MemoryEvent {
  bool is_alloc = false;
  std::uint32_t time = 0;
  std::uint32_t key = 0;
  std::uint64_t bytes = 0;
};

/// What a random track is like.
struct RandomMemory {
  std::uint32_t seed = 1;
  std::uint32_t events = 1000;
  std::uint32_t live = 50;          ///< About so many buffers are live at once.
  std::uint32_t duration = 10'000;  ///< Events are spread evenly; many share a time when small.
  std::uint64_t most_bytes = 4096;  ///< Sizes are spread over orders of magnitude below.
  double reuse = 0.2;               ///< Share of allocations with a key that was freed before.
  bool free_at_end = false;  ///< What is live at the end gets a free at `duration`, as from E on.
};

/// Valid events in time order: keys grow with the first allocation, some buffers have no bytes,
/// some are never freed.
std::vector<MemoryEvent> random_events(const RandomMemory& wish);

/// The index of such events, with times and bytes as given.
trace::MemoryIndex index_of(const std::vector<MemoryEvent>& events, std::uint32_t end_time,
                            bool free_at_end_means_alive);

}  // namespace bytescope::tests
