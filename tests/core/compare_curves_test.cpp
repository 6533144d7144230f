#include "core/query/compare_curves.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/trace/loader.h"
#include "tests/support/random_memory.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

/// The largest total of each column by looking at every event.
std::vector<std::uint64_t> brute_force(const std::vector<tests::MemoryEvent>& events,
                                       const TimeRange& range, double ns_per_column) {
  const auto columns =
      static_cast<std::size_t>(std::ceil(static_cast<double>(range.length_ns()) / ns_per_column));
  std::vector<std::uint64_t> totals;
  std::map<std::uint32_t, std::uint64_t> live;
  std::uint64_t total = 0;
  std::size_t next = 0;
  const auto step = [&] {
    const tests::MemoryEvent& event = events[next++];
    if (event.is_alloc) live[event.key] = event.bytes;
    total = event.is_alloc ? total + event.bytes : total - live[event.key];
  };
  for (std::size_t column = 0; column < columns; ++column) {
    const double begin = static_cast<double>(column) * ns_per_column;
    const double end = std::min(begin + ns_per_column, static_cast<double>(range.length_ns()));
    const auto offset = [&] {
      return static_cast<double>(std::int64_t{events[next].time} * 1000 - range.begin_ns);
    };
    while (next < events.size() && offset() < begin) step();
    std::uint64_t most = total;
    while (next < events.size() && offset() < end) {
      step();
      most = std::max(most, total);
    }
    totals.push_back(most);
  }
  return totals;
}

TEST(TotalCurve, IsTheLargestTotalOfEachColumn) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    tests::RandomMemory wish;
    wish.seed = seed;
    wish.events = 2000;
    wish.duration = seed % 2 == 0 ? 500 : 100'000;
    const auto events = tests::random_events(wish);
    const auto memory = tests::index_of(events, wish.duration, false);
    const std::int64_t end_ns = std::int64_t{wish.duration} * 1000;
    for (const TimeRange& range :
         {TimeRange{0, end_ns}, TimeRange{end_ns / 3, end_ns / 2}, TimeRange{7, 8}}) {
      for (const double columns : {1.0, 7.0, 333.5}) {
        const double ns_per_column =
            std::max(std::ceil(static_cast<double>(range.length_ns()) / columns), 1.0);
        EXPECT_EQ(total_curve(memory, range, ns_per_column).totals,
                  brute_force(events, range, ns_per_column))
            << seed << " " << range.begin_ns << " " << columns;
      }
    }
  }
}

TEST(TotalCurve, OfNothingIsEmpty) {
  const trace::MemoryIndex memory;
  EXPECT_TRUE(total_curve(memory, {5, 5}, 10).totals.empty());
  EXPECT_EQ(total_curve(memory, {0, 100}, 0).totals, std::vector<std::uint64_t>(100, 0));
}

TEST(ComparedCurves, ReachThePeaksOfBothSidesAndNoMore) {
  const auto made = [](std::uint32_t seed, std::uint32_t duration) {
    bytepack::TraceDescription trace;
    trace.dtype_bytes = {{"float", 4}};
    trace.duration_us = duration;
    bytepack::TrackDescription memory;
    memory.name = "AMD Memory";
    memory.kind = bytepack::TrackKind::memory;
    tests::RandomMemory wish;
    wish.seed = seed;
    wish.duration = duration;
    for (const tests::MemoryEvent& event : tests::random_events(wish))
      memory.memory.push_back({event.is_alloc, event.time, event.key, "float", event.bytes, {}});
    trace.tracks = {memory};
    return tests::load_description(trace);
  };
  const auto a = made(1, 10'000);
  const auto b = made(2, 4'000);
  const std::vector<std::pair<CompareSide, CompareSide>> cases = {
      {{*a, {}}, {*b, {}}},
      {{*a, TimeRange{1'000'000, 3'000'000}}, {*a, TimeRange{3'000'000, 9'123'456}}}};
  for (const auto& [left, right] : cases) {
    const auto pairs = compare_memory(left, right, never);
    ASSERT_EQ(pairs.size(), 1U);
    const ComparedCurves curves = compare_curves(left, right, pairs[0], 100);
    ASSERT_TRUE(curves.a && curves.b);
    EXPECT_EQ(curves.a->ns_per_column, curves.b->ns_per_column);
    for (const auto& [curve, peak] :
         {std::pair(&*curves.a, &*pairs[0].a), std::pair(&*curves.b, &*pairs[0].b)}) {
      EXPECT_LE(curve->totals.size(), 101U);
      const auto most = std::max_element(curve->totals.begin(), curve->totals.end());
      EXPECT_EQ(*most, peak->bytes);
      const double column =
          static_cast<double>(std::int64_t{peak->time} * 1000 - curve->range.begin_ns) /
          curve->ns_per_column;
      EXPECT_NEAR(static_cast<double>(most - curve->totals.begin()) + 0.5, column, 1.01);
    }
  }
}

}  // namespace
}  // namespace bytescope::query
