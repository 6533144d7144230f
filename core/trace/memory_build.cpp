#include "core/trace/memory_build.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace bytescope::trace {
namespace {

struct Keyed {
  std::uint32_t key;
  std::uint32_t place;
};

// Radix sort, because a track of a training run can have every second key out of order, and a
// comparing sort would then cost more than reading the file.
io::LargeVector<Keyed> sorted_by_key(const io::LargeVector<Buffer>& buffers) {
  constexpr unsigned digit_bits = 11;
  constexpr std::uint32_t mask = (1U << digit_bits) - 1;
  io::LargeVector<Keyed> from(buffers.size());
  io::LargeVector<Keyed> to(buffers.size());
  std::uint32_t used_bits = 0;
  for (std::uint32_t i = 0; i < buffers.size(); ++i) {
    from[i] = {buffers[i].key, i};
    used_bits |= buffers[i].key;
  }
  for (unsigned shift = 0; shift < 32 && (used_bits >> shift) != 0; shift += digit_bits) {
    std::array<std::uint32_t, mask + 1> place{};
    for (const Keyed& keyed : from) ++place[(keyed.key >> shift) & mask];
    std::uint32_t sum = 0;
    for (std::uint32_t& entry : place) sum += std::exchange(entry, sum);
    for (const Keyed& keyed : from) to[place[(keyed.key >> shift) & mask]++] = keyed;
    from.swap(to);
  }
  return from;
}

LifetimeBytes& add(LifetimeBytes& sum, Lifetime lifetime, std::uint64_t bytes) {
  sum[static_cast<std::size_t>(lifetime)] += bytes;
  return sum;
}

std::uint64_t total(const LifetimeBytes& bytes) { return bytes[0] + bytes[1] + bytes[2]; }

void group_blocks(MemoryIndex& memory) {
  memory.group_max.clear();
  for (std::size_t i = 0; i < memory.blocks.size(); ++i) {
    const LifetimeBytes& at_max = memory.blocks[i].at_max;
    if (i % MemoryIndex::blocks_per_group == 0) {
      memory.group_max.push_back(at_max);
    } else if (total(at_max) > total(memory.group_max.back())) {
      memory.group_max.back() = at_max;
    }
  }
}

}  // namespace

void order_by_key(MemoryIndex& memory) {
  io::LargeVector<Buffer>& buffers = memory.buffers;
  const auto by_key = [](const Buffer& a, const Buffer& b) { return a.key < b.key; };
  if (std::is_sorted(buffers.begin(), buffers.end(), by_key)) return;
  io::LargeVector<Buffer> ordered(buffers.size());
  io::LargeVector<std::uint32_t> renumbered(buffers.size());
  std::uint32_t ordinal = 0;
  for (const Keyed& keyed : sorted_by_key(buffers)) {
    ordered[ordinal] = buffers[keyed.place];
    renumbered[keyed.place] = ordinal++;
  }
  buffers = std::move(ordered);
  for (std::uint32_t& event : memory.events) {
    event = renumbered[MemoryIndex::ordinal(event)] * 2 + (event & 1U);
  }
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
  memory.never_freed = static_cast<std::uint32_t>(
      std::count_if(memory.buffers.begin(), memory.buffers.end(),
                    [&memory](const Buffer& buffer) { return memory.alive_at_end(buffer); }));
  group_blocks(memory);
}

}  // namespace bytescope::trace
