#include "core/query/clock_time.h"

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/trace/memory_index.h"

namespace bytescope::query {
namespace {

trace::LineIndex clock_of(std::vector<std::uint32_t> times, std::vector<std::uint64_t> values) {
  trace::LineIndex line;
  line.times = std::move(times);
  line.values = std::move(values);
  trace::add_elapsed(line);
  return line;
}

TEST(ClockTime, AddsTheCyclesUpAtTheRateOfThePointBehindThem) {
  // Points of a real file: each lies a multiple of 160 ns behind the one before.
  const trace::LineIndex clock =
      clock_of({965'115, 965'371, 965'627, 966'043, 966'139},
               {300'000'000, 1'600'000'000, 1'600'000'000, 2'600'000'000, 600'000'000});
  EXPECT_EQ(real_ns(clock, 965'115'000), 0);
  EXPECT_NEAR(*real_ns(clock, 965'371'000), 160, 1e-9);
  EXPECT_NEAR(*real_ns(clock, 965'499'000), 240, 1e-9);
  EXPECT_NEAR(*real_ns(clock, 966'043'000), 480, 1e-9);
  EXPECT_NEAR(*real_ns(clock, 966'139'000), 640, 1e-9);
}

TEST(ClockTime, IsUnknownOutsideThePoints) {
  const trace::LineIndex clock = clock_of({100, 200}, {1, 1'000'000'000});
  EXPECT_FALSE(real_ns(clock, 99'000));
  EXPECT_FALSE(real_ns(clock, 200'001));
  EXPECT_EQ(real_ns(clock, 150'000), 50);
  EXPECT_FALSE(real_ns(trace::LineIndex(), 0));
}

TEST(ClockTime, AClockThatStandsStillTellsNoTime) {
  EXPECT_TRUE(clock_of({0, 10, 20}, {1, 0, 5}).elapsed_ns.empty());
  EXPECT_FALSE(clock_of({0, 10, 20}, {0, 7, 5}).elapsed_ns.empty());
}

TEST(ClockTime, PointsAtTheSameCycleDoNotDivideByZero) {
  const trace::LineIndex clock = clock_of({5, 5, 5}, {1000, 1000, 1000});
  EXPECT_EQ(real_ns(clock, 5'000), 0);
}

}  // namespace
}  // namespace bytescope::query
