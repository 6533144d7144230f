#include "core/query/memory_curve.h"

#include <algorithm>

#include "core/query/memory_columns.h"

namespace bytescope::query {
namespace {

using trace::LifetimeBytes;
using trace::MemoryIndex;

/// Goes forward through the states of a track: event by event, or from block to block.
class Replay {
public:
  explicit Replay(const MemoryIndex& memory) : memory_(memory) {}

  const LifetimeBytes& live() const { return live_; }

  /// Jumps to the state in front of event `event`, which may lie anywhere.
  void seek(std::uint32_t event) {
    if (memory_.blocks.empty()) return;
    const auto last = static_cast<std::uint32_t>(memory_.blocks.size() - 1);
    enter(std::min(event / MemoryIndex::block_events, last));
    while (next_ < event) step();
  }

  /// Goes on to the state in front of event `end`. Answers the largest state on the way, this one
  /// included, the first of equals.
  LifetimeBytes largest_until(std::uint32_t end) {
    LifetimeBytes largest = live_;
    std::uint64_t largest_total = trace::total_bytes(largest);
    while (next_ < end) {
      const std::uint32_t next_block = next_ / MemoryIndex::block_events + 1;
      if (next_ % MemoryIndex::block_events == 0 && reaches(end, next_block)) {
        const LifetimeBytes& candidate = pass_blocks(end);
        if (trace::total_bytes(candidate) > largest_total) {
          largest = candidate;
          largest_total = trace::total_bytes(largest);
        }
        continue;
      }
      const std::uint32_t stop = std::min(end, next_block * MemoryIndex::block_events);
      while (next_ < stop) {
        step();
        if (trace::total_bytes(live_) <= largest_total) continue;
        largest = live_;
        largest_total = trace::total_bytes(live_);
      }
    }
    return largest;
  }

private:
  void enter(std::uint32_t block) {
    live_ = memory_.blocks[block].before;
    next_ = block * MemoryIndex::block_events;
  }

  // Whether `block` is there and does not begin behind `end`.
  bool reaches(std::uint32_t end, std::uint32_t block) const {
    return block < memory_.blocks.size() && block * MemoryIndex::block_events <= end;
  }

  // Passes the block or the whole group of blocks that begins here. Answers its largest state.
  const LifetimeBytes& pass_blocks(std::uint32_t end) {
    const std::uint32_t block = next_ / MemoryIndex::block_events;
    const std::uint32_t group_end = block + MemoryIndex::blocks_per_group;
    if (block % MemoryIndex::blocks_per_group == 0 && reaches(end, group_end)) {
      enter(group_end);
      return memory_.group_max[block / MemoryIndex::blocks_per_group];
    }
    enter(block + 1);
    return memory_.blocks[block].at_max;
  }

  void step() {
    memory_.prefetch(next_);
    const std::uint32_t event = memory_.events[next_++];
    const trace::Buffer& buffer = memory_.buffers[MemoryIndex::ordinal(event)];
    const std::uint64_t change =
        MemoryIndex::is_free(event) ? std::uint64_t{0} - buffer.bytes : buffer.bytes;
    live_[static_cast<std::size_t>(memory_.lifetime(buffer))] += change;
  }

  const MemoryIndex& memory_;
  LifetimeBytes live_{};
  std::uint32_t next_ = 0;
};

}  // namespace

std::vector<CurveColumn> memory_curve(const MemoryIndex& memory, const Columns& columns) {
  std::vector<CurveColumn> curve(columns.count);
  Replay replay(memory);
  std::uint32_t event = first_event_from(memory, columns, 0, 0);
  replay.seek(event);
  for (std::uint32_t c = 0; c < columns.count; ++c) {
    event = first_event_from(memory, columns, c + 1.0, event);
    curve[c].bytes = replay.largest_until(event);
  }
  return curve;
}

LifetimeBytes live_bytes_at(const MemoryIndex& memory, std::uint32_t time) {
  Replay replay(memory);
  replay.seek(events_until(memory, time));
  return replay.live();
}

std::uint32_t live_buffer_count(const MemoryIndex& memory, std::uint32_t event_count) {
  const auto count = std::min(event_count, static_cast<std::uint32_t>(memory.events.size()));
  const std::uint32_t block = count / MemoryIndex::block_events;
  if (block >= memory.blocks.size()) return count - 2 * memory.frees;
  std::uint32_t frees = memory.blocks[block].frees_before;
  for (std::uint32_t i = block * MemoryIndex::block_events; i < count; ++i)
    frees += MemoryIndex::is_free(memory.events[i]) ? 1 : 0;
  return count - 2 * frees;
}

std::uint32_t events_until(const MemoryIndex& memory, std::uint32_t time) {
  const Columns columns{std::int64_t{time} * 1000, 1, 1};
  return first_event_from(memory, columns, 1, 0);
}

}  // namespace bytescope::query
