#include "app/view_motion.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "app/drag_trail.h"

namespace bytescope::tests {
namespace {

using app::DragTrail;
using app::ViewMotion;
using app::ViewPlace;
using render::Viewport;

constexpr std::int64_t hour_ns = 3'600'000'000'000;
constexpr double width_px = 1000;
constexpr double frame_s = 1.0 / 60;
constexpr double many_rows_px = 5000;

Viewport whole() { return {{0, hour_ns}, width_px}; }

/// The places of all frames from that moment until it rests; at most ten seconds of them.
std::vector<ViewPlace> frames(ViewMotion& motion, ViewPlace wanted, double begin_s,
                              double most_scroll_px = many_rows_px) {
  std::vector<ViewPlace> places;
  for (int i = 0; i < 600; ++i) {
    wanted = motion.advance(wanted, most_scroll_px, begin_s + i * frame_s);
    places.push_back(motion.shown());
    if (!motion.is_moving()) break;
  }
  EXPECT_FALSE(motion.is_moving());
  return places;
}

double begin_of(const Viewport& viewport) { return -viewport.px_from_ns(0) * viewport.ns_per_px(); }
double end_of(const Viewport& viewport) { return begin_of(viewport) + viewport.length_ns(); }

/// Any window within the hour, of any length.
Viewport some_window(std::mt19937& random) {
  const double length = std::pow(10.0, std::uniform_real_distribution<>(2, 12.5)(random));
  const double begin = std::uniform_real_distribution<>(0, hour_ns - length)(random);
  return whole().showing(
      {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(begin + length)});
}

TEST(ViewMotion, RestsWhereItIsPut) {
  ViewMotion motion;
  const ViewPlace place{whole().zoomed(10, 300), 70};
  motion.rest_at(place);
  EXPECT_EQ(motion.shown(), place);
  EXPECT_EQ(motion.advance(place, many_rows_px, 1), place);
  EXPECT_FALSE(motion.is_moving());
}

TEST(ViewMotion, AGlideIsExactlyThereWhenItsTimeIsOver) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    ViewMotion motion;
    motion.rest_at({some_window(random), 40});
    const ViewPlace wanted{some_window(random), 900};
    const auto places = frames(motion, wanted, 5);
    EXPECT_EQ(places.back(), wanted);
    EXPECT_NE(places.front(), wanted);
    EXPECT_LE(static_cast<double>(places.size()), ViewMotion::glide_s / frame_s + 1);
  }
}

TEST(ViewMotion, AGlideNeverOvershootsAndNeverTurnsBack) {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    const Viewport from = some_window(random);
    const Viewport to = i % 5 == 0 ? from.panned(std::pow(10.0, i % 7)) : some_window(random);
    ViewMotion motion;
    motion.rest_at({from, 0});
    double left_begin = std::abs(begin_of(to) - begin_of(from)) + 1;
    double left_end = std::abs(end_of(to) - end_of(from)) + 1;
    double left_length = std::abs(to.length_ns() - from.length_ns()) + 1;
    for (const ViewPlace& place : frames(motion, {to, 0}, 1)) {
      const double begin = std::abs(begin_of(to) - begin_of(place.viewport));
      const double end = std::abs(end_of(to) - end_of(place.viewport));
      const double length = std::abs(to.length_ns() - place.viewport.length_ns());
      EXPECT_LE(begin, left_begin + 0.01);
      EXPECT_LE(end, left_end + 0.01);
      EXPECT_LE(length, left_length + 0.01);
      left_begin = begin;
      left_end = end;
      left_length = length;
    }
  }
}

TEST(ViewMotion, ZoomKeepsTheTimeUnderThePointerAllTheWay) {
  for (const double anchor_px : {0.0, 137.0, 500.0, 999.0}) {
    for (const double factor : {1.25, 0.8, 9.3, 1000.0}) {
      const Viewport from = whole().zoomed(2000, 400);
      const Viewport to = from.zoomed(factor, anchor_px);
      const std::int64_t held_ns = from.ns_from_px(anchor_px);
      ViewMotion motion;
      motion.rest_at({from, 0});
      for (const ViewPlace& place : frames(motion, {to, 0}, 1))
        EXPECT_NEAR(place.viewport.px_from_ns(held_ns), anchor_px, 0.01);
    }
  }
}

TEST(ViewMotion, ALongPanShowsHowTheLastWindowComesIn) {
  const Viewport from = whole().zoomed(100'000, 500);
  const Viewport to = from.panned(3e6);
  ViewMotion motion;
  motion.rest_at({from, 0});
  const auto places = frames(motion, {to, 0}, 1);
  const auto near = std::count_if(places.begin(), places.end() - 1, [&](const ViewPlace& place) {
    return std::abs(begin_of(to) - begin_of(place.viewport)) < to.length_ns();
  });
  EXPECT_GE(near, 3);
}

TEST(ViewMotion, WhatIsWantedMeanwhileIsReachedFromWhatIsShown) {
  const Viewport from = whole().zoomed(1000, 500);
  ViewMotion motion;
  motion.rest_at({from, 0});
  const ViewPlace first{from.panned(600), 0};
  motion.advance(first, many_rows_px, 1);
  motion.advance(first, many_rows_px, 1 + 3 * frame_s);
  const ViewPlace between = motion.shown();
  EXPECT_NE(between, first);
  const ViewPlace second{from, 0};
  motion.advance(second, many_rows_px, 1 + 3 * frame_s);
  // A frame's part of the way back, no jump.
  const double went =
      std::abs(between.viewport.px_from_ns(0) - motion.shown().viewport.px_from_ns(0));
  const double way = std::abs(between.viewport.px_from_ns(0) - from.px_from_ns(0));
  EXPECT_GT(went, 0);
  EXPECT_LT(went, 0.5 * way);
  EXPECT_EQ(frames(motion, second, 1 + 4 * frame_s).back(), second);
}

TEST(ViewMotion, RowsGlideAndStayWithinWhatThereIs) {
  ViewMotion motion;
  motion.rest_at({whole(), 800});
  double before = 800;
  for (const ViewPlace& place : frames(motion, {whole(), 200}, 1, 700)) {
    EXPECT_LE(place.scroll_px, std::min(before, 700.0));
    EXPECT_GE(place.scroll_px, 200);
    before = place.scroll_px;
  }
  EXPECT_EQ(before, 200);
}

TEST(ViewMotion, ACoastSlowsDownAndEndsInHalfASecond) {
  const ViewPlace start{whole().zoomed(1000, 500), 1000};
  ViewMotion motion;
  motion.rest_at(start);
  motion.coast({-1200, -600}, 1);
  EXPECT_TRUE(motion.is_coasting());
  const auto places = frames(motion, start, 1);
  EXPECT_NEAR(static_cast<double>(places.size()) * frame_s, ViewMotion::coast_s, 2 * frame_s);
  double step_before = 1200 * frame_s * 1.01;
  for (std::size_t i = 1; i < places.size(); ++i) {
    const double step = places[i - 1].viewport.px_from_ns(0) - places[i].viewport.px_from_ns(0);
    EXPECT_GT(step, 0) << i;
    EXPECT_LT(step, step_before) << i;
    step_before = step;
    EXPECT_GT(places[i].scroll_px, places[i - 1].scroll_px) << i;
  }
  EXPECT_LT(step_before, 1);
  EXPECT_NEAR(start.viewport.px_from_ns(0) - places.back().viewport.px_from_ns(0), 200, 1);
  EXPECT_NEAR(places.back().scroll_px - start.scroll_px, 100, 1);
}

TEST(ViewMotion, ACoastEndsAtTheEndsOfTheTraceAndOfTheRows) {
  const Viewport first = whole().showing({0, hour_ns / 1000});
  ViewMotion motion;
  motion.rest_at({first, 0});
  motion.coast({8000, 8000}, 1);
  const auto places = frames(motion, {first, 0}, 1);
  EXPECT_EQ(places.back().viewport, first.panned(-1e9));
  EXPECT_EQ(places.back().scroll_px, 0);
  EXPECT_LT(static_cast<double>(places.size()) * frame_s, 0.3);
}

TEST(ViewMotion, ACoastEndsWhereItIsStoppedOrSomethingElseIsWanted) {
  const ViewPlace start{whole().zoomed(1000, 500), 0};
  ViewMotion motion;
  motion.rest_at(start);
  motion.coast({-1200, 0}, 1);
  ViewPlace wanted = motion.advance(start, many_rows_px, 1.1);
  EXPECT_EQ(wanted, motion.shown());
  motion.stop_coasting();
  EXPECT_FALSE(motion.is_moving());
  EXPECT_EQ(motion.advance(wanted, many_rows_px, 1.2), wanted);

  motion.coast({-1200, 0}, 2);
  wanted = motion.advance(wanted, many_rows_px, 2.1);
  wanted.viewport = whole();
  EXPECT_EQ(motion.advance(wanted, many_rows_px, 2.1), wanted);
  EXPECT_FALSE(motion.is_coasting());
  EXPECT_EQ(frames(motion, wanted, 2.2).back(), wanted);
}

TEST(DragTrail, KnowsTheSpeedOfTheLastMoments) {
  DragTrail trail;
  for (int i = 0; i <= 30; ++i)  // slow at first, then 600 and −300 px a second
    trail.note(static_cast<float>(i < 15 ? i : 15 + (i - 15) * 10),
               static_cast<float>(i < 15 ? 0 : (i - 15) * -5), 1 + i * frame_s);
  const auto speed = trail.speed(1 + 30 * frame_s);
  ASSERT_TRUE(speed);
  EXPECT_NEAR(speed->x, 600, 1);
  EXPECT_NEAR(speed->y, -300, 1);
}

TEST(DragTrail, ASlowDragHasNoSpeedAndNoneThatRested) {
  DragTrail slow;
  for (int i = 0; i <= 30; ++i) slow.note(static_cast<float>(i), 0, 1 + i * frame_s);
  EXPECT_FALSE(slow.speed(1 + 30 * frame_s));
  DragTrail fast;
  for (int i = 0; i <= 30; ++i) fast.note(static_cast<float>(i * 20), 0, 1 + i * frame_s);
  EXPECT_TRUE(fast.speed(1 + 30 * frame_s));
  EXPECT_FALSE(fast.speed(1.1 + 30 * frame_s));
  fast.note(601, 0, 3);  // a last nudge after a rest
  EXPECT_FALSE(fast.speed(3));
}

TEST(DragTrail, PlacesSeenTogetherAreNoSpeed) {
  DragTrail trail;
  for (int i = 0; i < 5; ++i) trail.note(static_cast<float>(i * 50), 0, 1);
  EXPECT_FALSE(trail.speed(1));
  for (int i = 5; i < 10; ++i) trail.note(static_cast<float>(i * 50), 0, 1.05);
  const auto speed = trail.speed(1.05);
  ASSERT_TRUE(speed);
  EXPECT_NEAR(speed->x, 250 / 0.05, 1);
  trail.note(1e6F, 0, 1.06);
  EXPECT_LE(trail.speed(1.06)->x, 8000);
}

}  // namespace
}  // namespace bytescope::tests
