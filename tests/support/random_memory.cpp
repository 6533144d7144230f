#include "tests/support/random_memory.h"

#include <algorithm>
#include <map>
#include <random>

#include "core/trace/memory_build.h"

namespace bytescope::tests {
namespace {

std::uint32_t below(std::mt19937& random, std::uint32_t limit) {
  return static_cast<std::uint32_t>(random() % limit);
}

std::uint64_t random_bytes(std::mt19937& random, std::uint64_t most) {
  if (below(random, 16) == 0) return 0;
  const std::uint64_t wide = (std::uint64_t{random()} << 32U) | random();
  return wide % std::max<std::uint64_t>(most >> below(random, 12), 1) + 1;
}

std::uint32_t take_any(std::mt19937& random, std::vector<std::uint32_t>& keys) {
  std::swap(keys[below(random, static_cast<std::uint32_t>(keys.size()))], keys.back());
  const std::uint32_t key = keys.back();
  keys.pop_back();
  return key;
}

}  // namespace

std::vector<MemoryEvent> random_events(const RandomMemory& wish) {
  std::mt19937 random(wish.seed);
  std::vector<MemoryEvent> events;
  events.reserve(wish.events);
  std::vector<std::uint32_t> live;
  std::vector<std::uint32_t> freed;
  std::uint32_t next_key = below(random, 3);
  for (std::uint32_t i = 0; i < wish.events; ++i) {
    const auto time = static_cast<std::uint32_t>(std::uint64_t{wish.duration} * i / wish.events);
    const bool alloc = live.empty() || below(random, 2 * wish.live) >= live.size();
    if (!alloc) {
      freed.push_back(take_any(random, live));
      events.push_back({false, time, freed.back(), 0});
      continue;
    }
    const bool reuse = !freed.empty() && below(random, 1000) < wish.reuse * 1000;
    const std::uint32_t key = reuse ? take_any(random, freed) : next_key;
    if (!reuse) next_key += 1 + below(random, 3);
    live.push_back(key);
    events.push_back({true, time, key, random_bytes(random, wish.most_bytes)});
  }
  for (const std::uint32_t key : live) {
    if (wish.free_at_end) events.push_back({false, wish.duration, key, 0});
  }
  return events;
}

trace::MemoryIndex index_of(const std::vector<MemoryEvent>& events, std::uint32_t end_time,
                            bool free_at_end_means_alive) {
  trace::MemoryIndex memory;
  memory.end_time = end_time;
  memory.free_at_end_means_alive = free_at_end_means_alive;
  std::map<std::uint32_t, std::uint32_t> live;
  for (const MemoryEvent& event : events) {
    if (event.is_alloc) {
      const auto ordinal = static_cast<std::uint32_t>(memory.buffers.size());
      live[event.key] = ordinal;
      memory.buffers.push_back({event.key, event.time, trace::Buffer::never, 0, event.bytes});
      memory.events.push_back(ordinal * 2);
    } else {
      const std::uint32_t ordinal = live[event.key];
      memory.buffers.set_freed(ordinal, event.time);
      memory.events.push_back(ordinal * 2 + 1);
    }
  }
  trace::SortingRoom room;
  trace::order_by_key(memory, room);
  trace::summarise(memory);
  return memory;
}

}  // namespace bytescope::tests
