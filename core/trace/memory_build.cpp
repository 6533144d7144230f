#include "core/trace/memory_build.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace bytescope::trace {
namespace {

using Keyed = SortingRoom::Keyed;

// Radix sort, because a track of a training run can have every second key out of order, and a
// comparing sort would then cost more than reading the file.
// The order comes to be in room.from.
void sort_by_key(const BufferTable& buffers, SortingRoom& room) {
  constexpr unsigned digit_bits = 11;
  constexpr std::uint32_t mask = (1U << digit_bits) - 1;
  room.from.resize(buffers.size());
  room.to.resize(buffers.size());
  io::LargeVector<Keyed>& from = room.from;
  io::LargeVector<Keyed>& to = room.to;
  std::uint32_t used_bits = 0;
  for (std::uint32_t i = 0; i < buffers.size(); ++i) {
    from[i] = {buffers.key(i), i};
    used_bits |= buffers.key(i);
  }
  for (unsigned shift = 0; shift < 32 && (used_bits >> shift) != 0; shift += digit_bits) {
    std::array<std::uint32_t, mask + 1> place{};
    for (const Keyed& keyed : from) ++place[(keyed.key >> shift) & mask];
    std::uint32_t sum = 0;
    for (std::uint32_t& entry : place) sum += std::exchange(entry, sum);
    for (const Keyed& keyed : from) to[place[(keyed.key >> shift) & mask]++] = keyed;
    from.swap(to);
  }
}

bool in_order(const BufferTable& buffers) {
  for (std::size_t i = 1; i < buffers.size(); ++i) {
    if (buffers.key(i) < buffers.key(i - 1)) return false;
  }
  return true;
}

// Moves each buffer to its place in `order`, along the cycles of the permutation.
void permute(BufferTable& buffers, io::LargeVector<Keyed>& order) {
  for (std::uint32_t first = 0; first < order.size(); ++first) {
    if (order[first].place == first) continue;
    const BufferTable::Row saved = buffers.row(first);
    std::uint32_t to = first;
    for (;;) {
      const std::uint32_t from = std::exchange(order[to].place, to);
      if (from == first) break;
      buffers.set_row(to, buffers.row(from));
      to = from;
    }
    buffers.set_row(to, saved);
  }
}

LifetimeBytes& add(LifetimeBytes& sum, Lifetime lifetime, std::uint64_t bytes) {
  sum[static_cast<std::size_t>(lifetime)] += bytes;
  return sum;
}

void group_blocks(MemoryIndex& memory) {
  memory.group_max.clear();
  for (std::size_t i = 0; i < memory.blocks.size(); ++i) {
    const LifetimeBytes& at_max = memory.blocks[i].at_max;
    if (i % MemoryIndex::blocks_per_group == 0) {
      memory.group_max.push_back(at_max);
    } else if (total_bytes(at_max) > total_bytes(memory.group_max.back())) {
      memory.group_max.back() = at_max;
    }
  }
}

}  // namespace

void order_by_key(MemoryIndex& memory, SortingRoom& room) {
  if (in_order(memory.buffers)) return;
  sort_by_key(memory.buffers, room);
  std::uint32_t ordinal = 0;
  for (const Keyed& keyed : room.from) room.to[keyed.place].place = ordinal++;
  for (std::size_t i = 0; i < memory.events.size(); ++i) {
    const std::uint32_t event = memory.events[i];
    memory.events.set(i, room.to[MemoryIndex::ordinal(event)].place * 2 + (event & 1U));
  }
  permute(memory.buffers, room.from);
}

void summarise(MemoryIndex& memory) {
  const std::size_t count = memory.events.size();
  constexpr std::size_t block_events = MemoryIndex::block_events;
  memory.blocks.resize((count + block_events - 1) / block_events);
  memory.peak_bytes = memory.peak_event = memory.frees = 0;
  LifetimeBytes live{};
  std::uint64_t live_total = 0;
  for (std::size_t b = 0; b < memory.blocks.size(); ++b) {
    MemoryBlock& block = memory.blocks[b];
    block.before = live;
    block.frees_before = memory.frees;
    block.time = memory.event_time(static_cast<std::uint32_t>(b * block_events));
    bool first = true;
    std::uint64_t block_max = 0;
    const std::size_t end = std::min(count, (b + 1) * block_events);
    for (std::size_t i = b * block_events; i < end; ++i) {
      const std::uint32_t event = memory.events[i];
      memory.prefetch(i);
      const Buffer& buffer = memory.buffers[MemoryIndex::ordinal(event)];
      const std::uint64_t change =
          MemoryIndex::is_free(event) ? std::uint64_t{0} - buffer.bytes : buffer.bytes;
      add(live, memory.lifetime(buffer), change);
      live_total += change;
      memory.frees += event & 1U;
      if (!first && live_total <= block_max) continue;
      first = false;
      block_max = live_total;
      block.at_max = live;
      if (live_total > memory.peak_bytes) {
        memory.peak_bytes = live_total;
        memory.peak_event = static_cast<std::uint32_t>(i);
      }
    }
  }
  memory.never_freed = 0;
  memory.never_freed_bytes = 0;
  for (const Buffer& buffer : memory.buffers) {
    if (!memory.alive_at_end(buffer)) continue;
    ++memory.never_freed;
    memory.never_freed_bytes += buffer.bytes;
  }
  group_blocks(memory);
}

}  // namespace bytescope::trace
