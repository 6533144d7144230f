#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/query/memory_curve.h"
#include "core/query/memory_pick.h"
#include "core/query/memory_stack.h"
#include "tests/support/random_memory.h"

namespace bytescope::query {
namespace {

using tests::MemoryEvent;
using trace::LifetimeBytes;
using trace::MemoryIndex;

/// One live buffer of the slow twin.
struct Live {
  std::uint64_t bytes = 0;
  std::size_t lifetime = 0;
  bool operator==(const Live&) const = default;
};
/// All live buffers by (key, number of the lifetime of that key): the stacking order.
using State = std::map<std::pair<std::uint32_t, std::uint32_t>, Live>;

std::uint64_t total(const State& state) {
  std::uint64_t sum = 0;
  for (const auto& [key, live] : state) sum += live.bytes;
  return sum;
}

LifetimeBytes by_lifetime(const State& state) {
  LifetimeBytes sum{};
  for (const auto& [key, live] : state) sum[live.lifetime] += live.bytes;
  return sum;
}

/// The plain way: every state after every event, straight from the events.
class SlowTwin {
public:
  SlowTwin(const std::vector<MemoryEvent>& events, std::uint32_t end, bool alive_at_end)
      : events_(events), end_(end), alive_at_end_(alive_at_end) {
    states_.emplace_back();
    std::map<std::uint32_t, std::uint32_t> lives;
    for (std::size_t i = 0; i < events.size(); ++i) {
      State state = states_.back();
      const std::uint32_t key = events[i].key;
      if (events[i].is_alloc) {
        state[{key, lives[key]++}] = {events[i].bytes, lifetime_of(i)};
      } else {
        state.erase({key, lives[key] - 1});
      }
      states_.push_back(std::move(state));
    }
  }

  const State& after(std::size_t count) const { return states_[count]; }
  std::size_t count_until(std::uint32_t time) const {
    return static_cast<std::size_t>(
        std::count_if(events_.begin(), events_.end(),
                      [time](const MemoryEvent& event) { return event.time <= time; }));
  }

  /// How many events have happened at the instant that column `c` shows.
  std::size_t instant(const Columns& columns, std::uint32_t c) const {
    std::size_t best = 0;
    while (best < events_.size() && column(columns, best) < c) ++best;
    std::size_t found = best;
    for (std::size_t i = best; i < events_.size() && column(columns, i) == c; ++i) {
      if (total(states_[i + 1]) > total(states_[found])) found = i + 1;
    }
    return found;
  }

private:
  double column(const Columns& columns, std::size_t event) const {
    return std::floor(columns.at(std::int64_t{events_[event].time} * 1000));
  }
  std::size_t lifetime_of(std::size_t alloc) const {
    for (std::size_t i = alloc + 1; i < events_.size(); ++i) {
      if (events_[i].key != events_[alloc].key) continue;
      if (alive_at_end_ && events_[i].time == end_) return 0;
      return (events_[i].time - events_[alloc].time) * std::uint64_t{10} >= end_ ? 1 : 2;
    }
    return 0;
  }

  const std::vector<MemoryEvent>& events_;
  std::uint32_t end_;
  bool alive_at_end_;
  std::vector<State> states_;
};

struct Case {
  std::vector<MemoryEvent> events;
  MemoryIndex memory;
  SlowTwin slow;
  std::uint32_t duration;

  explicit Case(const tests::RandomMemory& wish)
      : events(tests::random_events(wish)),
        memory(tests::index_of(events, wish.duration, wish.free_at_end)),
        slow(events, wish.duration, wish.free_at_end),
        duration(wish.duration) {}
};

std::vector<tests::RandomMemory> stack_wishes() {
  std::vector<tests::RandomMemory> all;
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    tests::RandomMemory wish;
    wish.seed = seed;
    wish.events = seed % 3 == 0 ? 255 + seed : 700;
    wish.live = seed % 2 == 0 ? 5 : 60;
    wish.duration = seed % 2 == 0 ? 40 : 100'000;
    wish.most_bytes = seed == 5 ? UINT64_MAX / 700 : 5000;
    wish.reuse = seed == 1 ? 0 : 0.4;
    wish.free_at_end = seed > 3;
    all.push_back(wish);
  }
  tests::RandomMemory nothing;
  nothing.events = 0;
  all.push_back(nothing);
  return all;
}

std::vector<Columns> windows(std::uint32_t duration) {
  const std::int64_t whole = std::int64_t{duration} * 1000;
  return {{0, static_cast<double>(whole) / 37.0 + 1, 37},
          {-whole, static_cast<double>(whole) / 10.0, 31},
          {whole / 3, 1000.0 / 3, 50},
          {whole / 2 + 1, static_cast<double>(whole) / 200.0, 40},
          {0, static_cast<double>(whole) * 2, 2},
          {whole * 2, 5000, 3},
          {-5 * whole, 100, 4},
          {0, 1, 0}};
}

/// A cell of the slow twin: edges, whether it is a band, buffers inside.
using PlainCell = std::tuple<std::uint64_t, std::uint64_t, bool, std::size_t>;

std::vector<PlainCell> plain_cells(const State& state, std::uint64_t thick) {
  std::vector<PlainCell> cells;
  std::uint64_t y = 0;
  for (const auto& [key, live] : state) {
    const bool thin = live.bytes < thick;
    if (thin && !cells.empty() && std::get<2>(cells.back())) {
      std::get<1>(cells.back()) += live.bytes;
      ++std::get<3>(cells.back());
    } else {
      cells.emplace_back(y, y + live.bytes, thin, 1);
    }
    y += live.bytes;
  }
  return cells;
}

std::vector<PlainCell> cells_of(const StackColumns& stack, std::uint32_t column) {
  std::vector<PlainCell> cells;
  for (std::uint32_t i = stack.first_cell[column]; i < stack.first_cell[column + 1]; ++i) {
    const StackCell& cell = stack.cells[i];
    const bool thin = cell.ordinal == StackCell::thin;
    cells.emplace_back(cell.begin_bytes, cell.end_bytes, thin, thin ? cell.thin_count : 1);
  }
  return cells;
}

}  // namespace

TEST(MemoryCurve, ShowsTheFirstLargestStateOfEveryColumn) {
  for (const tests::RandomMemory& wish : stack_wishes()) {
    const Case it(wish);
    for (const Columns& columns : windows(it.duration)) {
      const std::vector<CurveColumn> curve = memory_curve(it.memory, columns);
      ASSERT_EQ(curve.size(), columns.count);
      for (std::uint32_t c = 0; c < columns.count; ++c) {
        ASSERT_EQ(curve[c].bytes, by_lifetime(it.slow.after(it.slow.instant(columns, c))))
            << "seed " << wish.seed << ", window at " << columns.begin_ns << ", column " << c;
      }
    }
  }
}

TEST(MemoryCurve, UsesBlocksAndGroupsWithoutMissingAPeak) {
  tests::RandomMemory wish;
  wish.events = 30'000;
  wish.live = 300;
  wish.duration = 30'000;
  const std::vector<MemoryEvent> events = tests::random_events(wish);
  const MemoryIndex memory = tests::index_of(events, wish.duration, false);
  std::vector<std::uint64_t> totals{0};
  std::map<std::uint32_t, std::uint64_t> live;
  for (const MemoryEvent& event : events) {
    if (event.is_alloc) live[event.key] = event.bytes;
    totals.push_back(event.is_alloc ? totals.back() + event.bytes
                                    : totals.back() - live[event.key]);
  }
  for (const std::uint32_t width : {1U, 100U, 256U, 300U, 4096U, 5000U, 40'000U}) {
    const Columns columns{0, width * 1000.0, 30'000 / width + 1};
    const std::vector<CurveColumn> curve = memory_curve(memory, columns);
    for (std::uint32_t c = 0; c < columns.count; ++c) {
      const std::size_t begin = std::size_t{c} * width;
      const std::size_t end = std::min<std::size_t>(begin + width, 30'000);
      ASSERT_EQ(curve[c].total(),
                *std::max_element(totals.begin() + static_cast<std::ptrdiff_t>(begin),
                                  totals.begin() + static_cast<std::ptrdiff_t>(end) + 1))
          << "width " << width << ", column " << c;
    }
  }
}

TEST(MemoryCurve, TakesTheFirstOfEqualStatesInsideABlock) {
  std::vector<MemoryEvent> events;
  for (std::uint32_t i = 0; i < 300; ++i) {
    // Number 127, the last allocation of the first block, lives long.
    events.push_back({true, i <= 127 ? 100U : 600U, i, 10});
    events.push_back({false, i < 127 ? 100U : 600U, i, 0});
  }
  const MemoryIndex memory = tests::index_of(events, 1000, false);
  const std::vector<CurveColumn> curve = memory_curve(memory, {0, 1e6, 1});
  EXPECT_EQ(curve[0].bytes, (LifetimeBytes{0, 0, 10}));
}

TEST(MemoryCurve, LiveBytesAreThoseAfterAllEventsUntilATime) {
  for (const tests::RandomMemory& wish : stack_wishes()) {
    const Case it(wish);
    for (std::uint32_t i = 0; i <= 50; ++i) {
      const std::uint32_t time = it.duration / 49 * i;
      const std::size_t count = it.slow.count_until(time);
      ASSERT_EQ(events_until(it.memory, time), count);
      ASSERT_EQ(live_bytes_at(it.memory, time), by_lifetime(it.slow.after(count)));
      ASSERT_EQ(live_buffer_count(it.memory, static_cast<std::uint32_t>(count)),
                it.slow.after(count).size());
    }
    EXPECT_EQ(events_until(it.memory, UINT32_MAX), it.events.size());
  }
}

TEST(MemoryStack, EqualsTheStackBuiltBufferByBuffer) {
  const Cancel cancel;
  for (const tests::RandomMemory& wish : stack_wishes()) {
    const Case it(wish);
    for (const Columns& columns : windows(it.duration)) {
      for (const std::uint64_t thick : {std::uint64_t{0}, wish.most_bytes / 50, wish.most_bytes / 5,
                                        std::uint64_t{UINT64_MAX}}) {
        const StackColumns stack = memory_stack(it.memory, columns, thick, cancel);
        ASSERT_GE(stack.thick_bytes, thick);
        ASSERT_EQ(stack.first_cell.size(), std::size_t{columns.count} + 1);
        for (std::uint32_t c = 0; c < columns.count; ++c) {
          const std::size_t instant = it.slow.instant(columns, c);
          ASSERT_EQ(stack.event[c], instant) << "seed " << wish.seed << ", column " << c;
          ASSERT_EQ(cells_of(stack, c), plain_cells(it.slow.after(instant), stack.thick_bytes))
              << "seed " << wish.seed << ", window at " << columns.begin_ns << ", column " << c;
        }
      }
    }
  }
}

TEST(MemoryStack, NamesTheBuffersOfThickCellsAndAgreesWithTheCurve) {
  const Cancel cancel;
  tests::RandomMemory wish;
  wish.reuse = 0.5;
  const Case it(wish);
  for (const Columns& columns : windows(it.duration)) {
    const StackColumns stack = memory_stack(it.memory, columns, 200, cancel);
    const std::vector<CurveColumn> curve = memory_curve(it.memory, columns);
    for (std::uint32_t c = 0; c < columns.count; ++c) {
      std::map<std::uint32_t, std::uint64_t> edges;
      for (const LiveBuffer& live : live_buffers(it.memory, stack.event[c]))
        edges[live.ordinal] = live.begin_bytes;
      std::uint64_t top = 0;
      for (std::uint32_t i = stack.first_cell[c]; i < stack.first_cell[c + 1]; ++i) {
        const StackCell& cell = stack.cells[i];
        top = cell.end_bytes;
        if (cell.ordinal == StackCell::thin) continue;
        ASSERT_EQ(cell.end_bytes - cell.begin_bytes, it.memory.buffers[cell.ordinal].bytes);
        ASSERT_EQ(edges.at(cell.ordinal), cell.begin_bytes);
      }
      ASSERT_EQ(top, curve[c].total());
    }
  }
}

TEST(MemoryStack, BlendsWhatLiesOutsideTheWindowOfBytes) {
  const Cancel cancel;
  const Case it({});
  const Columns columns = windows(it.duration)[0];
  const StackColumns whole = memory_stack(it.memory, columns, 50, cancel);
  const ByteRange window{it.memory.peak_bytes / 3, it.memory.peak_bytes / 2};
  const StackColumns part = memory_stack(it.memory, columns, 50, cancel, window);
  ASSERT_EQ(whole.thick_bytes, part.thick_bytes);
  for (std::uint32_t c = 0; c < columns.count; ++c) {
    std::vector<PlainCell> expected;
    PlainCell below{0, 0, true, 0};
    PlainCell above{0, 0, true, 0};
    for (const PlainCell& cell : cells_of(whole, c)) {
      if (std::get<1>(cell) <= window.begin_bytes) {
        below = {0, std::get<1>(cell), true, std::get<3>(below) + std::get<3>(cell)};
      } else if (std::get<0>(cell) < window.end_bytes) {
        expected.push_back(cell);
      } else {
        const std::uint64_t begin =
            std::get<3>(above) == 0 ? std::get<0>(cell) : std::get<0>(above);
        above = {begin, std::get<1>(cell), true, std::get<3>(above) + std::get<3>(cell)};
      }
    }
    if (std::get<3>(below) != 0) expected.insert(expected.begin(), below);
    if (std::get<3>(above) != 0) expected.push_back(above);
    ASSERT_EQ(cells_of(part, c), expected) << "column " << c;
  }
}

TEST(MemoryStack, BoundsTheCellsHoweverSmallTheThreshold) {
  tests::RandomMemory wish;
  wish.events = 30'000;
  wish.live = 12'000;
  wish.most_bytes = 2;
  const MemoryIndex memory =
      tests::index_of(tests::random_events(wish), wish.duration, wish.free_at_end);
  const Columns columns{0, 1e7, 1};
  const StackColumns stack = memory_stack(memory, columns, 0, Cancel());
  EXPECT_LE(stack.cells.size(), 2 * StackColumns::most_thick + 3);
}

TEST(MemoryStack, StaysInShapeWhenCancelled) {
  Cancel cancel;
  cancel.request();
  const Case it({});
  const Columns columns{0, 1000, 10};
  const StackColumns stack = memory_stack(it.memory, columns, 1, cancel);
  EXPECT_EQ(stack.first_cell, std::vector<std::uint32_t>(11, 0));
  EXPECT_EQ(stack.event.size(), 10U);
  EXPECT_EQ(pick_cell(stack, 3, 0), nullptr);
}

TEST(LiveBuffers, LieInStackingOrderEachOnTopOfTheOthers) {
  for (const tests::RandomMemory& wish : stack_wishes()) {
    const Case it(wish);
    for (std::size_t count = 0; count <= it.events.size(); count += 13) {
      const std::vector<LiveBuffer> live =
          live_buffers(it.memory, static_cast<std::uint32_t>(count));
      const State& state = it.slow.after(count);
      ASSERT_EQ(live.size(), state.size());
      std::uint64_t y = 0;
      std::size_t i = 0;
      for (const auto& [key, expected] : state) {
        ASSERT_EQ(live[i].begin_bytes, y);
        ASSERT_EQ(it.memory.buffers[live[i].ordinal].key, key.first);
        ASSERT_EQ(it.memory.buffers[live[i].ordinal].bytes, expected.bytes);
        y += it.memory.buffers[live[i++].ordinal].bytes;
      }
    }
    EXPECT_EQ(live_buffers(it.memory, UINT32_MAX).size(), it.slow.after(it.events.size()).size());
  }
}

TEST(MemoryPick, FindsTheCellAndTheBufferAtAByte) {
  const Case it({});
  const Columns columns = windows(it.duration)[0];
  const StackColumns stack = memory_stack(it.memory, columns, 100, Cancel());
  for (std::uint32_t c = 0; c < columns.count; ++c) {
    const std::vector<LiveBuffer> live = live_buffers(it.memory, stack.event[c]);
    for (const LiveBuffer& buffer : live) {
      const std::uint64_t bytes = it.memory.buffers[buffer.ordinal].bytes;
      if (bytes == 0) continue;
      for (const std::uint64_t y : {buffer.begin_bytes, buffer.begin_bytes + bytes - 1}) {
        const StackCell* cell = pick_cell(stack, c, y);
        ASSERT_NE(cell, nullptr);
        ASSERT_LE(cell->begin_bytes, y);
        ASSERT_GT(cell->end_bytes, y);
        ASSERT_EQ(cell->ordinal, bytes >= 100 ? buffer.ordinal : StackCell::thin);
        ASSERT_EQ(pick_buffer(it.memory, stack.event[c], y)->ordinal, buffer.ordinal);
      }
    }
    const std::uint64_t top =
        live.empty() ? 0 : live.back().begin_bytes + it.memory.buffers[live.back().ordinal].bytes;
    EXPECT_EQ(pick_cell(stack, c, top), nullptr);
    EXPECT_FALSE(pick_buffer(it.memory, stack.event[c], top));
  }
  EXPECT_EQ(pick_cell(stack, columns.count, 0), nullptr);
}

}  // namespace bytescope::query
