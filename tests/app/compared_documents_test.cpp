// Two open traces beside each other: their memory on one axis, and views that move together.

#include <algorithm>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/actions.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/nanoseconds.h"
#include "tests/support/plain_trace.h"

namespace bytescope::tests {
namespace {

using app::AnswerKind;
using app::Key;

/// The plain trace again, `late_us` later, and with buffers twice as large.
bytepack::TraceDescription later_trace(std::uint32_t late_us) {
  bytepack::TraceDescription trace = plain_trace();
  trace.duration_us = *trace.duration_us + 2 * late_us;
  for (bytepack::FileMarker& marker : trace.markers) marker.time_us = *marker.time_us + late_us;
  for (bytepack::TrackDescription& track : trace.tracks) {
    for (auto& span : track.spans) span.start += late_us;
    for (auto& event : track.memory) {
      event.time += late_us;
      event.length *= 2;
    }
  }
  return trace;
}

/// The plain trace in the first tab, a later one in the second, which is shown and compares itself
/// with the first.
class ComparedDocumentsTest : public testing::Test {
protected:
  static constexpr std::uint32_t late_us = 1500;

  ComparedDocumentsTest()
      : first_(plain_bytes()),
        second_(bytepack::encode(later_trace(late_us), *bytepack::dialect_of('L'))) {
    stage.open(first_.path());
    stage.open(second_.path());
    stage.view().dock.compared_document = stage.viewer().session().documents()[0].id;
  }
  void act(const char* id) {
    const app::WindowAction* action = app::action_named(id);
    ASSERT_NE(action, nullptr);
    ASSERT_TRUE(action->available(stage.viewer()));
    action->run(stage.viewer());
    stage.settle();
  }
  void next_tab() {
    stage.key(Key::tab, with_command);
    stage.settle();
  }
  void show(std::int64_t begin_ns, std::int64_t end_ns) {
    stage.state().viewport = stage.state().viewport.showing({begin_ns, end_ns});
    stage.settle();
  }
  void expect_window(std::int64_t begin_ns, std::int64_t end_ns) {
    const query::TimeRange window = stage.state().viewport.window();
    EXPECT_NEAR(static_cast<double>(window.begin_ns), static_cast<double>(begin_ns), 2);
    EXPECT_NEAR(static_cast<double>(window.end_ns), static_cast<double>(end_ns), 2);
  }
  const app::Answer& answer() { return *stage.view().dock.tab(AnswerKind::compare).answer; }
  void compare_memory() {
    stage.viewer().open_tab(AnswerKind::compare);
    stage.view().dock.tab(AnswerKind::compare).choices[0] = 1;
    stage.settle();
  }

private:
  TemporaryFile first_;
  TemporaryFile second_;

protected:
  ViewerStage stage{render::dark_theme(), {1600, 1000}};
};

TEST_F(ComparedDocumentsTest, MemoryOfBothIsOnOneAxisWithBothPeaks) {
  compare_memory();
  ASSERT_TRUE(answer().charts);
  const app::MemoryCharts& charts = *answer().charts;
  ASSERT_EQ(charts.charts.size(), 1U);
  const app::MemoryChart& chart = charts.charts[0];
  ASSERT_TRUE(chart.peak_a && chart.peak_b && chart.curves.a && chart.curves.b);
  EXPECT_EQ(chart.peak_b->bytes, 2 * chart.peak_a->bytes);
  EXPECT_EQ(chart.peak_b->time, chart.peak_a->time + late_us);
  for (const auto& [curve, peak] :
       {std::pair(&chart.curves.a, &chart.peak_a), std::pair(&chart.curves.b, &chart.peak_b)})
    EXPECT_EQ(*std::max_element((*curve)->totals.begin(), (*curve)->totals.end()), (*peak)->bytes);
  EXPECT_TRUE(charts.is_of_two_traces);
  EXPECT_EQ(charts.chart_of_row.size(), answer().table.row_count);
}

TEST_F(ComparedDocumentsTest, CurvesAreWalkedAndPressedByKeys) {
  compare_memory();
  for (int i = 0; i < 40 && !stage.viewer().focus().is_at_steps(); ++i) stage.key(app::Key::tab);
  ASSERT_TRUE(stage.viewer().focus().is_at_steps());
  app::DockState& dock = stage.view().dock;
  EXPECT_EQ(dock.curve_moment, 0.5F);
  for (int i = 0; i < 4; ++i) stage.key(app::Key::right);
  EXPECT_GT(dock.curve_moment, 0.5F);
  stage.state().viewport = stage.state().viewport.showing({0, 1000});
  stage.key(app::Key::space);
  stage.settle();
  const query::TimeRange window = stage.state().viewport.window();
  EXPECT_GT(window.begin_ns, 1000) << "the view goes to that moment";
  EXPECT_LE(window.length_ns(), 1000);
}

TEST_F(ComparedDocumentsTest, BuffersThatOnlyOneSideHasAreMarked) {
  compare_memory();
  std::string names;
  for (std::size_t row = 0; row < answer().table.row_count; ++row)
    names += answer().table.text(row, 0) + "\n";
  EXPECT_THAT(names, testing::HasSubstr("gone  float \u00D7 250,000  AMD Memory"));
  EXPECT_THAT(names, testing::HasSubstr("new  float \u00D7 500,000  AMD Memory"));
}

TEST_F(ComparedDocumentsTest, EveryRowTellsTheChangeOfCountAndBytes) {
  compare_memory();
  const app::Table& table = answer().table;
  for (std::size_t row = 0; row < table.row_count; ++row) {
    const std::string name = table.text(row, 0);
    if (name.starts_with("gone")) {
      EXPECT_EQ(table.text(row, 3), "\u2212" + table.text(row, 1));
      EXPECT_EQ(table.text(row, 6), "\u2212" + table.text(row, 4));
    }
    if (name.starts_with("new")) {
      EXPECT_EQ(table.text(row, 3), "+" + table.text(row, 2));
      EXPECT_EQ(table.text(row, 6), "+" + table.text(row, 5));
    }
  }
  EXPECT_EQ(table.number(0, 3), 0) << "as many live at both peaks";
  EXPECT_EQ(table.number(0, 6), table.number(0, 5) - table.number(0, 4));
}

TEST_F(ComparedDocumentsTest, TwoStretchesOfOneTraceAreDrawnFromTheirBegins) {
  app::DockState& dock = stage.view().dock;
  dock.compared_document = 0;
  dock.compared_a = {2 * ms, 4 * ms};
  dock.compared_b = {6 * ms, 9 * ms};
  compare_memory();
  ASSERT_TRUE(answer().charts);
  EXPECT_FALSE(answer().charts->is_of_two_traces);
  const app::MemoryChart& chart = answer().charts->charts.at(0);
  ASSERT_TRUE(chart.curves.a && chart.curves.b);
  EXPECT_EQ(chart.curves.a->range, dock.compared_a);
  EXPECT_EQ(chart.curves.b->range, dock.compared_b);
  EXPECT_EQ(answer().charts->charts.size(), 1U);
  EXPECT_LT(chart.peak_a->bytes, chart.peak_b->bytes);
}

TEST_F(ComparedDocumentsTest, AClickOnTheCurvesGoesThere) {
  compare_memory();
  show(0, 1 * ms);
  const render::Box& dock = stage.areas().dock;
  // Far right in the plot: near the end of the longer trace.
  stage.click({dock.x1 - 30, dock.y1 - 60});
  stage.settle();
  const query::TimeRange window = stage.state().viewport.window();
  EXPECT_GT(window.begin_ns, 10 * ms);
}

TEST_F(ComparedDocumentsTest, AlignedAtAMarkerTheViewsMoveTogether) {
  show(4 * ms, 6 * ms);
  act("compare.markers");
  show(5 * ms, 5500 * us);
  next_tab();
  expect_window(5 * ms - late_us * us, 5500 * us - late_us * us);
  stage.wheel({700, 300}, 3);
  stage.viewer().pan_by(0.2);
  stage.settle();
  const query::TimeRange here = stage.state().viewport.window();
  next_tab();
  expect_window(here.begin_ns + late_us * us, here.end_ns + late_us * us);
}

TEST_F(ComparedDocumentsTest, SwitchingTabsMovesNothing) {
  act("compare.starts");
  show(11 * ms, 12 * ms);  // beyond the first trace
  const render::Viewport before = stage.state().viewport;
  next_tab();
  EXPECT_LT(stage.state().viewport.window().end_ns, 11 * ms);
  next_tab();
  EXPECT_EQ(stage.state().viewport, before);
}

TEST_F(ComparedDocumentsTest, AlignedAtStartsOrAtWhatIsSelectedInBoth) {
  act("compare.starts");
  show(2 * ms, 3 * ms);
  next_tab();
  expect_window(2 * ms, 3 * ms);
  const std::uint32_t device = stage.track("AMD");
  stage.viewer().select_and_reveal(stage.span(device, 10));
  next_tab();
  act("compare.selections");
  EXPECT_EQ(stage.view().dock.compared_placing.shift_ns, 0) << "one trace has no selection";
  stage.viewer().select_and_reveal(stage.span(stage.track("AMD"), 12));
  act("compare.selections");
  show(4 * ms, 5 * ms);
  const std::int64_t shift = late_us * us + std::int64_t{2} * plain_period_us * us;
  EXPECT_EQ(stage.view().dock.compared_placing.shift_ns, shift);
  next_tab();
  expect_window(4 * ms - shift, 5 * ms - shift);
}

TEST_F(ComparedDocumentsTest, ViewsThatMoveApartStayWhereTheyAre) {
  act("compare.starts");
  show(2 * ms, 3 * ms);
  act("compare.together");
  EXPECT_FALSE(stage.view().dock.compared_placing.moves_together);
  show(4 * ms, 5 * ms);
  next_tab();
  expect_window(2 * ms, 3 * ms);
  act("compare.together");  // and together again, at once
  next_tab();
  expect_window(2 * ms, 3 * ms);
}

/// The timelines of both, one above the other.
class BesideTest : public ComparedDocumentsTest {
protected:
  std::uint64_t document(std::size_t number) {
    return stage.viewer().session().documents()[number].id;
  }
  /// A place in the upper or the lower half of the tracks' part of the window.
  Point in_upper() { return {800, 150}; }
  Point in_lower() { return {800, 700}; }
  bool is_split() { return stage.areas().title.height() > 0; }
};

TEST_F(BesideTest, BothAreShownFromTheAlignmentOn) {
  EXPECT_FALSE(is_split());
  const double height = stage.viewer().tracks_height_px();
  act("compare.starts");
  EXPECT_TRUE(is_split());
  EXPECT_LT(stage.viewer().tracks_height_px(), height / 2);
  EXPECT_GT(stage.areas().tracks.y0, 500) << "the second tab is below";
  EXPECT_THAT(stage.viewer().notice().text(), testing::HasSubstr("beside this"));
  act("compare.both");
  EXPECT_FALSE(is_split());
  act("compare.both");
  next_tab();
  EXPECT_TRUE(is_split());
  EXPECT_LT(stage.areas().tracks.y1, 600) << "the first tab is above";
}

TEST_F(BesideTest, AClickInTheOtherMakesItActiveAndSelectsThere) {
  act("compare.starts");
  show(4 * ms, 6 * ms);
  next_tab();
  const std::uint32_t device = stage.track("AMD");
  const Point there = stage.place_of(device, 25);
  next_tab();
  ASSERT_EQ(stage.viewer().active_document()->id, document(1));
  stage.click(there);
  stage.settle();
  EXPECT_EQ(stage.viewer().active_document()->id, document(0));
  EXPECT_EQ(stage.state().selection, stage.span(device, 25));
}

TEST_F(BesideTest, TheWheelActsOnWhatIsUnderItAndBothMove) {
  act("compare.starts");
  show(4 * ms, 6 * ms);
  const render::Viewport before = stage.state().viewport;
  stage.wheel(in_upper(), 3);
  stage.settle();
  EXPECT_EQ(stage.viewer().active_document()->id, document(1)) << "it stays the active one";
  const query::TimeRange window = stage.state().viewport.window();
  EXPECT_LT(window.length_ns(), before.window().length_ns());
  next_tab();
  expect_window(window.begin_ns, window.end_ns);
}

TEST_F(BesideTest, EachScrollsByItself) {
  act("compare.starts");
  for (const char* track : {"AMD Memory"}) stage.viewer().set_expanded(stage.track(track), true);
  next_tab();
  stage.viewer().set_expanded(stage.track("AMD Memory"), true);
  stage.settle();
  const double before = stage.state().scroll_px;
  stage.wheel(in_lower(), -3, with_alt);
  stage.settle();
  EXPECT_EQ(stage.state().scroll_px, before);
  next_tab();
  EXPECT_GT(stage.state().scroll_px, 0);
}

TEST_F(BesideTest, NothingIsPaintedOutsideItsPart) {
  act("compare.starts");
  stage.viewer().set_expanded(stage.track("AMD Memory"), true);
  stage.settle();
  const render::Picture before = stage.offscreen().pixels();
  stage.wheel(in_lower(), -3, with_alt);
  stage.settle();
  ASSERT_GT(stage.state().scroll_px, 0);
  const render::Picture now = stage.offscreen().pixels();
  const auto upper_end = static_cast<std::size_t>(stage.areas().title.y0);
  const auto right = static_cast<std::size_t>(stage.areas().tracks.x1);
  std::size_t unlike = 0;
  for (std::size_t y = 0; y < upper_end; ++y)
    for (std::size_t x = 0; x < right; ++x)
      unlike += before.pixels[y * before.width + x] == now.pixels[y * now.width + x] ? 0U : 1U;
  EXPECT_EQ(unlike, 0U);
}

TEST_F(BesideTest, AClosedTraceLeavesTheWindowToTheOther) {
  act("compare.starts");
  next_tab();
  stage.key(Key::w, with_command);
  stage.settle();
  EXPECT_FALSE(is_split());
  stage.wheel(in_upper(), 3);
  stage.wheel(in_lower(), 3);
}

TEST_F(ComparedDocumentsTest, AClosedTraceTakesItsAlignmentAlong) {
  act("compare.markers");
  next_tab();
  stage.key(Key::w, with_command);
  stage.settle();
  EXPECT_FALSE(app::action_named("compare.starts")->available(stage.viewer()));
  EXPECT_EQ(stage.view().dock.compared_placing.shift_ns, 0);
  show(2 * ms, 3 * ms);
}

}  // namespace
}  // namespace bytescope::tests
