#pragma once

#include <cstdint>
#include <mutex>

#include "core/trace/memory_index.h"

namespace bytescope::trace {

/// The largest time a memory index can hold; the one above means `never`.
constexpr std::uint32_t latest_time = Buffer::never - 1;

/// Room for sorting, kept from one track to the next: getting fresh memory costs more than the
/// sorting.
struct SortingRoom {
  /// A buffer on its way: its key, and where it is now.
  struct Keyed {
    std::uint32_t key = 0;
    std::uint32_t place = 0;
  };
  std::mutex in_use;  ///< To be held while sorting: one room does for all threads.
  io::LargeVector<Keyed> from;
  io::LargeVector<Keyed> to;  ///< In the end: the new ordinal of each place.
};

/// Turns an index whose buffers lie in the order of allocation into stacking order: sorts them by
/// key, keeping equal keys in order, and renumbers the events. Costs O(buffers + events), and only
/// O(buffers) when they are in order already.
void order_by_key(MemoryIndex& memory, SortingRoom& room);

/// Fills in what follows from buffers, events, end_time and free_at_end_means_alive: sums of blocks
/// and groups, peak, never_freed. blocks[].byte stay as they are; missing blocks are added. Costs
/// O(events + buffers).
void summarise(MemoryIndex& memory);

}  // namespace bytescope::trace
