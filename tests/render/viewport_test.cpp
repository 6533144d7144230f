#include "render/viewport.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/render/longest_trace.h"

namespace bytescope::render {
namespace {

constexpr double width = 1372;

double uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

bool intersects(const Viewport& view, query::TimeRange trace) {
  return view.window().begin_ns < trace.end_ns && view.window().end_ns > trace.begin_ns;
}

TEST(Viewport, ShowsTheWholeTraceAtFirst) {
  const Viewport view(longest_trace, width);
  EXPECT_EQ(view.window(), longest_trace);
  EXPECT_EQ(view.px_from_ns(0), 0);
  EXPECT_NEAR(view.px_from_ns(longest_trace.end_ns), width, 1e-9);
}

TEST(Viewport, AnEmptyTraceStillHasAWindow) {
  const Viewport view({0, 0}, 0);
  EXPECT_LT(view.window().begin_ns, view.window().end_ns);
  EXPECT_GT(view.ns_per_px(), 0);
}

TEST(Viewport, ZoomingKeepsTheTimeUnderTheAnchor) {
  std::mt19937 random(1);
  Viewport view = Viewport(longest_trace, width).showing({4'000'000'000'000, 4'000'100'000'000});
  for (int i = 0; i < 200; ++i) {
    const double anchor = uniform(random, 0, width);
    const Viewport next = view.zoomed(uniform(random, 0.5, 2), anchor);
    const std::int64_t ns = view.ns_from_px(anchor);
    EXPECT_NEAR(next.px_from_ns(ns) - anchor,
                (view.px_from_ns(ns) - anchor) * view.ns_per_px() / next.ns_per_px(), 1e-3);
    view = next;
  }
}

TEST(Viewport, ZoomingInAndBackOutDoesNotDrift) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const auto begin = static_cast<std::int64_t>(uniform(random, 1e12, 4e12));
    const Viewport start = Viewport(longest_trace, width).showing({begin, begin + 100'000'000'000});
    Viewport view = start;
    std::vector<std::pair<double, double>> steps;  // factor, anchor
    while (view.length_ns() > 500 && steps.size() < 120) {
      const double factor = std::pow(1.25, uniform(random, -0.5, 2));
      if (view.length_ns() / factor > 5e11) continue;
      steps.emplace_back(factor, uniform(random, 0, width));
      view = view.zoomed(steps.back().first, steps.back().second);
    }
    EXPECT_LT(view.length_ns(), 1e6);
    std::reverse(steps.begin(), steps.end());
    for (const auto& [factor, place_px] : steps) view = view.zoomed(1 / factor, place_px);
    EXPECT_NEAR(view.px_from_ns(start.window().begin_ns), 0, 1) << round;
    EXPECT_NEAR(view.px_from_ns(start.window().end_ns), width, 1) << round;
  }
}

TEST(Viewport, RandomGesturesNeverLoseTheTrace) {
  std::mt19937 random(3);
  for (const std::int64_t duration :
       {std::int64_t{0}, std::int64_t{1000}, std::int64_t{5'000'000}, longest_trace.end_ns}) {
    const query::TimeRange trace = {0, std::max(duration, Viewport::least_trace_ns)};
    Viewport view({0, duration}, width);
    for (int i = 0; i < 5000; ++i) {
      const double kind = uniform(random, 0, 4);
      if (kind < 2)
        view = view.zoomed(std::exp(uniform(random, -3, 3)), uniform(random, -99, 1999));
      else if (kind < 3)
        view = view.panned(uniform(random, -5000, 5000));
      else
        view = view.resized(uniform(random, -10, 4000));
      const query::TimeRange window = view.window();
      ASSERT_LT(window.begin_ns, window.end_ns);
      ASSERT_TRUE(intersects(view, trace)) << i;
      ASSERT_GE(view.length_ns(), Viewport::least_length_ns);
      const auto extent = static_cast<double>(trace.length_ns());
      ASSERT_LE(view.length_ns(), 1.0401 * extent);
      ASSERT_GE(static_cast<double>(window.begin_ns), -0.0201 * extent - 1);
    }
  }
}

TEST(Viewport, PixelsAndTimesAgreeAtTheEndOfTheLongestTrace) {
  const std::int64_t end = longest_trace.end_ns;
  const Viewport view = Viewport(longest_trace, width).showing({end - 2000, end - 1000});
  EXPECT_EQ(view.window(), (query::TimeRange{end - 2000, end - 1000}));
  for (std::int64_t ns = end - 2000; ns < end - 1000; ++ns) {
    const double px = view.px_from_ns(ns);
    ASSERT_NEAR(px, static_cast<double>(ns - (end - 2000)) * width / 1000, 1e-9);
    ASSERT_EQ(view.ns_from_px(px + 1e-6), ns);
  }
  EXPECT_NEAR(view.px_from_ns(end - 2000, 0.5), width / 2000, 1e-9);
}

TEST(Viewport, PanningByPixelsAddsUpAtTheDeepestZoom) {
  const Viewport deep =
      Viewport(longest_trace, width).showing({1'000'000'000'000, 1'000'000'000'100});
  Viewport view = deep;
  for (int i = 0; i < 100; ++i) view = view.panned(1);
  EXPECT_NEAR(view.px_from_ns(1'000'000'000'000), -100, 1e-6);
  for (int i = 0; i < 100; ++i) view = view.panned(-1);
  EXPECT_NEAR(view.px_from_ns(1'000'000'000'000), 0, 1e-6);
}

TEST(Viewport, ColumnsCoverTheWindowFromAWholeNanosecond) {
  std::mt19937 random(4);
  for (int i = 0; i < 500; ++i) {
    const Viewport view = Viewport(longest_trace, width)
                              .showing({5'000'000, 5'000'000 + 1500})
                              .zoomed(uniform(random, 0.1, 9), uniform(random, 0, width));
    const query::Columns columns = view.columns();
    EXPECT_LE(view.columns_px(), 0);
    EXPECT_GT(view.columns_px() * view.ns_per_px(), -1);
    EXPECT_GE(view.columns_px() + columns.count, width);
    EXPECT_NEAR(columns.at(5'000'700), view.px_from_ns(5'000'700) - view.columns_px(), 1e-6);
  }
}

TEST(Viewport, NonsenseChangesNothing) {
  const Viewport view = Viewport(longest_trace, width).showing({1000, 900'000});
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(view.zoomed(0, 5), view);
  EXPECT_EQ(view.zoomed(-2, 5), view);
  EXPECT_EQ(view.zoomed(nan, 5), view);
  EXPECT_EQ(view.zoomed(2, inf), view);
  EXPECT_EQ(view.panned(nan), view);
  EXPECT_EQ(view.ns_from_px(nan), 1000);
  EXPECT_EQ(view.showing({INT64_MIN, INT64_MAX}).window().begin_ns, -85'899'345'900);
  EXPECT_TRUE(intersects(view.showing({INT64_MAX, INT64_MIN}), longest_trace));
}

TEST(Viewport, ShowingAShortRangeCentresIt) {
  const Viewport view = Viewport(longest_trace, width).showing({5000, 5010});
  EXPECT_EQ(view.window(), (query::TimeRange{4955, 5055}));
}

TEST(Viewport, RevealingMovesOnlyWhenNeeded) {
  const Viewport view = Viewport(longest_trace, width).showing({1'000'000, 2'000'000});
  EXPECT_EQ(view.revealing({1'200'000, 1'300'000}), view);
  const Viewport later = view.revealing({5'000'000, 5'001'000});
  EXPECT_EQ(later.length_ns(), view.length_ns());
  EXPECT_NEAR(later.px_from_ns(5'001'000), width * 0.9, 1e-6);
  const Viewport earlier = view.revealing({500'000, 510'000});
  EXPECT_NEAR(earlier.px_from_ns(500'000), width * 0.1, 1e-6);
  EXPECT_NEAR(view.revealing({7'000'000, 70'000'000}).px_from_ns(7'000'000), width * 0.1, 1e-6);
}

TEST(Viewport, IsLevelWithAnotherBeyondItsOwnEnds) {
  const Viewport other({0, 10'000'000}, 500);
  const Viewport here({0, 1'000'000}, 500);
  const Viewport level = here.level_with(other, 300);
  EXPECT_EQ(level.length_ns(), other.length_ns());
  EXPECT_EQ(level.px_from_ns(1'000'300), other.px_from_ns(1'000'000));
  EXPECT_LT(here.beside(other, 300).length_ns(), 2'000'000) << "that one keeps to its trace";
}

}  // namespace
}  // namespace bytescope::render
