#include "render/time_axis.h"

#include <cmath>
#include <map>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/time_text.h"
#include "tests/render/longest_trace.h"

namespace bytescope::render {
namespace {

using trace::Unit;

std::vector<std::string> labels(const TimeAxis& axis) {
  std::vector<std::string> texts;
  for (const Tick& tick : axis.ticks) texts.push_back(tick.label);
  return texts;
}

TimeAxis axis_of(query::TimeRange window, double width_px, Unit unit = Unit::microseconds) {
  return time_axis(Viewport(longest_trace, width_px).showing(window), unit);
}

void check_axis(const Viewport& view, Unit unit) {
  const TimeAxis axis = time_axis(view, unit);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
    const Tick& tick = axis.ticks[i];
    ASSERT_TRUE(seen.insert(tick.label).second) << tick.label << " twice, anchor " << axis.anchor;
    ASSERT_TRUE(view.window().contains(tick.time_ns));
    ASSERT_GE(tick.px, 0);
    ASSERT_LT(tick.px, view.width_px());
    ASSERT_EQ(tick.time_ns % axis.step_ns, 0);
    ASSERT_NEAR(tick.px, view.px_from_ns(tick.time_ns), 1e-9);
    // Eleven-pixel type is at most 6.6 px wide a character; µ has two bytes.
    ASSERT_LE(static_cast<double>(tick.label.size() - 1) * 6.6, TimeAxis::least_spacing_px)
        << tick.label;
    if (i == 0) continue;
    ASSERT_GE(tick.px - axis.ticks[i - 1].px, TimeAxis::least_spacing_px - 1e-6);
    ASSERT_EQ(tick.time_ns - axis.ticks[i - 1].time_ns, axis.step_ns);
  }
  const double most = view.width_px() / TimeAxis::least_spacing_px + 1;
  ASSERT_LE(static_cast<double>(axis.ticks.size()), most);
}

TEST(TimeAxis, AnyWindowHasDistinctExactLabelsWellApart) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 4000; ++i) {
    const double length = std::exp(std::uniform_real_distribution<double>(4.7, 29)(random));
    const double begin = std::uniform_real_distribution<double>(
        0, static_cast<double>(longest_trace.end_ns))(random);
    const double width = std::uniform_real_distribution<double>(300, 4000)(random);
    const auto begin_ns = static_cast<std::int64_t>(begin);
    const Viewport view = Viewport(longest_trace, width)
                              .showing({begin_ns, begin_ns + static_cast<std::int64_t>(length)})
                              .panned(0.37);
    for (const Unit unit : {Unit::microseconds, Unit::cycles}) {
      check_axis(view, unit);
      if (HasFatalFailure()) FAIL() << begin_ns << " + " << length << " in " << width;
    }
  }
}

TEST(TimeAxis, TheWholeLongestTraceIsCountedInMinutes) {
  EXPECT_THAT(labels(axis_of(longest_trace, 1372)),
              testing::ElementsAre("0 s", "10:00 s", "20:00 s", "30:00 s", "40:00 s", "50:00 s",
                                   "60:00 s", "70:00 s"));
}

TEST(TimeAxis, ZoomedInItCountsFromAnAnchor) {
  const std::int64_t begin = 131'318'126'000;
  const TimeAxis axis = axis_of({begin, begin + 250'000}, 1372);
  EXPECT_EQ(axis.anchor, "2:11.318 s");
  EXPECT_EQ(axis.step_ns, 50'000);
  EXPECT_THAT(labels(axis),
              testing::ElementsAre("+150 µs", "+200 µs", "+250 µs", "+300 µs", "+350 µs"));
}

TEST(TimeAxis, TheDeepestZoomShowsHundredthsOfAMicrosecond) {
  const std::int64_t begin = longest_trace.end_ns - 1000;
  const TimeAxis axis = axis_of({begin, begin + 100}, 1372);
  EXPECT_EQ(axis.anchor, "71:34.967 294 s");
  EXPECT_EQ(axis.step_ns, 10);
  EXPECT_EQ(labels(axis).front(), "+0.00 µs");
  EXPECT_EQ(labels(axis).back(), "+0.09 µs");
}

TEST(TimeAxis, NearTheOriginLabelsAreTimes) {
  const TimeAxis axis = axis_of({0, 4'000'000}, 1000);
  EXPECT_EQ(axis.anchor, "");
  EXPECT_THAT(labels(axis), testing::ElementsAre("0 µs", "500 µs", "1 000 µs", "1 500 µs",
                                                 "2 000 µs", "2 500 µs", "3 000 µs", "3 500 µs"));
}

TEST(TimeAxis, CyclesAreCountedInClk) {
  const TimeAxis axis = axis_of({1'200'000'000, 1'210'000'000}, 700, Unit::cycles);
  EXPECT_THAT(labels(axis), testing::ElementsAre("1 200 000 clk", "1 202 000 clk", "1 204 000 clk",
                                                 "1 206 000 clk", "1 208 000 clk"));
}

TEST(TimeAxis, LabelsStayWhilePanning) {
  const Viewport view = Viewport(longest_trace, 1372).showing({100'000'000, 100'900'000});
  std::map<std::int64_t, std::string> before;
  for (const Tick& tick : time_axis(view, Unit::microseconds).ticks)
    before[tick.time_ns] = tick.label;
  std::size_t common = 0;
  for (const Tick& tick : time_axis(view.panned(300), Unit::microseconds).ticks) {
    if (!before.contains(tick.time_ns)) continue;
    EXPECT_EQ(before[tick.time_ns], tick.label);
    ++common;
  }
  EXPECT_GE(common, 4U);
}

TEST(TimeAxis, NothingBeforeTheOriginIsLabelled) {
  const Viewport view = Viewport(longest_trace, 1372).zoomed(0.1, 700);
  ASSERT_LT(view.window().begin_ns, 0);
  EXPECT_EQ(time_axis(view, Unit::microseconds).ticks.front().time_ns, 0);
}

TEST(TimeText, PointsInTime) {
  EXPECT_EQ(time_text(131'318'126'000, Unit::microseconds), "2:11.318 126 s");
  EXPECT_EQ(time_text(11'318'126'000, Unit::microseconds), "11.318 126 s");
  EXPECT_EQ(time_text(4'294'967'295'000, Unit::microseconds), "71:34.967 295 s");
  EXPECT_EQ(time_text(61'000'000'010, Unit::microseconds, 10), "1:01.000 000 01 s");
  EXPECT_EQ(time_text(61'999'999'999, Unit::microseconds, 1'000'000'000), "1:01 s");
  EXPECT_EQ(time_text(-61'500'000'000, Unit::microseconds, 100'000'000), "-1:01.5 s");
  EXPECT_EQ(time_text(1'250'000, Unit::cycles), "1 250 clk");
}

TEST(TimeText, Durations) {
  EXPECT_EQ(duration_text(22'400, Unit::microseconds), "22.4 µs");
  EXPECT_EQ(duration_text(19.2e9, Unit::microseconds), "19.2 s");
  EXPECT_EQ(duration_text(123.4e6, Unit::microseconds), "123 ms");
  EXPECT_EQ(duration_text(850, Unit::microseconds), "850 ns");
  EXPECT_EQ(duration_text(999'600, Unit::microseconds), "1.00 ms");
  EXPECT_EQ(duration_text(1'250'000, Unit::microseconds), "1.25 ms");
  EXPECT_EQ(duration_text(272.4e9, Unit::microseconds), "4 min 32.4 s");
  EXPECT_EQ(duration_text(59.96e9, Unit::microseconds), "1 min 0.0 s");
  EXPECT_EQ(duration_text(-5e9, Unit::microseconds), "-5.00 s");
  EXPECT_EQ(duration_text(1'250'000, Unit::cycles), "1 250 clk");
  EXPECT_EQ(duration_text(std::nan(""), Unit::microseconds), "");
}

TEST(TimeText, DigitsInGroups) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1 000");
  EXPECT_EQ(grouped(18446744073709551615ULL), "18 446 744 073 709 551 615");
  EXPECT_EQ(decimal_text(12'345'670, 1000, 2), "12 345.67");
  EXPECT_EQ(decimal_text(-5, 1000, 3), "-0.005");
}

}  // namespace
}  // namespace bytescope::render
