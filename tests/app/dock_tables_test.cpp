// Tables of answers and what leads to them.

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/dock_stage.h"

namespace bytescope::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST_F(DockTest, ARowThatIsClickedIsSelectedAndRevealed) {
  search("r_3");
  stage.key(Key::escape);
  stage.state().viewport = stage.state().viewport.showing({0, 100 * us});
  click_row(4);
  EXPECT_EQ(selection(), stage.span(device, 23));
  EXPECT_TRUE(in_view(selection()->begin_ns));
  EXPECT_EQ(tab(AnswerKind::search).view.chosen, 4U);
}

TEST_F(DockTest, ARowThatIsDoubleClickedIsAllThatIsShown) {
  search("r_3");
  stage.rest();
  stage.click(row_place(2));
  stage.click(row_place(2));
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, 13));
  EXPECT_LT(stage.state().viewport.length_ns(), 200.0 * us);
}

TEST_F(DockTest, UpAndDownMoveInTheTableThatWasClicked) {
  search("r_3");
  stage.key(Key::escape);
  click_row(0);
  for (const std::uint32_t row : {1U, 2U, 3U}) {
    stage.key(Key::down);
    EXPECT_EQ(selection(), stage.span(device, 3 + 5 * row));
  }
  stage.key(Key::up);
  EXPECT_EQ(selection(), stage.span(device, 13));
  stage.key(Key::page_down);
  EXPECT_EQ(selection(), stage.span(device, 48)) << "the last";
  // A click on the timeline takes the keys back.
  stage.click(stage.place_of(device, 48));
  stage.key(Key::down);
  EXPECT_NE(selection()->track, device);
}

TEST_F(DockTest, CtrlCCopiesTheTableWhileItHasTheKeysElseTheFacts) {
  search("r_3");
  stage.key(Key::escape);
  click_row(1);
  stage.key(Key::c, with_command);
  EXPECT_THAT(clipboard(), StartsWith("name\tstart_us\tduration_us\ttrack\nr_3\t600\t120\tAMD\n"));
  stage.click(stage.place_of(device, 3));
  stage.key(Key::c, with_command);
  EXPECT_THAT(clipboard(), StartsWith("r_3\n"));
}

TEST_F(DockTest, ACopyRightBehindAnotherAnswerHasItsRows) {
  open(AnswerKind::gaps);
  click_row(0);
  tab(AnswerKind::gaps).choices[1] = 2;  // no gap is that long
  stage.offscreen().build();
  while (!stage.viewer().settled()) stage.viewer().poll();
  stage.viewer().poll();
  stage.viewer().copy_table();
  EXPECT_EQ(clipboard(), "track\tlength_us\tbegin_us\tbefore\tafter\tmeanwhile\n");
}

TEST_F(DockTest, TheFilterOfATabIsTypedIntoItsField) {
  stage.key(Key::i);
  stage.settle();
  const render::Box& area = stage.areas().dock;
  stage.click({area.x0 + 60, area.y0 + 4 + 30 + 16});
  write("r_2");
  stage.settle();
  EXPECT_EQ(tab(AnswerKind::statistics).view.filter, "r_2");
  EXPECT_EQ(tab(AnswerKind::statistics).view.order().size(), 1U);
}

TEST_F(DockTest, IOpensStatisticsAndClosesThem) {
  stage.key(Key::i);
  stage.settle();
  EXPECT_EQ(dock().open, AnswerKind::statistics);
  EXPECT_EQ(answer(AnswerKind::statistics).table.row_count, 7U);
  EXPECT_TRUE(answer(AnswerKind::statistics).complete);
  EXPECT_LT(stage.areas().tracks.y1, stage.areas().dock.y1);
  stage.key(Key::i);
  stage.settle();
  EXPECT_FALSE(dock().open);
}

TEST_F(DockTest, StatisticsOfASelectedNameAreThereForEveryTrack) {
  for (const char* name : {"USER", "AMD", "AMD:1", "AMD:SDMA:0"}) {
    const std::uint32_t track = stage.track(name);
    for (const std::uint32_t record : {0U, stage.trace().tracks[track].head.count - 1}) {
      select(track, record);
      stage.viewer().show_statistics_of_selection();
      stage.settle();
      const app::Answer& found = answer(AnswerKind::statistics);
      const std::size_t chosen = tab(AnswerKind::statistics).view.chosen;
      ASSERT_LT(chosen, found.table.row_count) << name;
      const query::TrackRecord longest = found.statistics->rows[chosen].longest_at;
      const std::uint32_t meant = stage.trace().span(stage.view().reader(), track, record).name;
      EXPECT_EQ(stage.trace().span(stage.view().reader(), longest.track, longest.record).name,
                meant);
      EXPECT_FALSE(tab(AnswerKind::statistics).view.order().empty());
    }
  }
}

TEST_F(DockTest, StatisticsOfOneTrackAreOfItsSpansAlone) {
  open(AnswerKind::statistics);
  EXPECT_THAT(answer(AnswerKind::statistics).notice, testing::HasSubstr("Without USER"));
  const std::vector<std::uint32_t> tracks = app::statistics_tracks(stage.trace());
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    tab(AnswerKind::statistics).choices[2] = static_cast<std::uint8_t>(i + 1);
    stage.settle();
    std::uint64_t spans = 0;
    for (const auto& row : answer(AnswerKind::statistics).statistics->rows) spans += row.count;
    EXPECT_EQ(spans, stage.trace().tracks[tracks[i]].head.count);
  }
}

TEST_F(DockTest, ABarLeadsToOneSpanOfItAfterAnother) {
  select(device, 2);
  stage.viewer().show_statistics_of_selection();
  stage.settle();
  // All spans of a name last equally long: there is one bar.
  const render::Box& area = stage.areas().dock;
  Point bar{area.x1 - 330, area.y1 - 20 - 24};
  while (!stage.viewer().notice().text().starts_with("Span") && bar.x < area.x1) {
    bar.x += 2;
    stage.rest();
    stage.click(bar);
    stage.settle();
  }
  for (std::uint32_t i = 0; i < 21; ++i) {
    EXPECT_EQ(selection(), stage.span(device, 2 + 5 * (i % 10)));
    EXPECT_EQ(stage.viewer().notice().text(),
              fmt::format("Span {} of 10 as long as that", i % 10 + 1));
    stage.rest();
    stage.click(bar);
    stage.settle();
  }
}

TEST_F(DockTest, IAsksAboutTheMeasuredRange) {
  stage.state().range = TimeRange{1 * ms, 2 * ms};
  stage.key(Key::i);
  stage.settle();
  EXPECT_EQ(answer(AnswerKind::statistics).request.range, (TimeRange{1 * ms, 2 * ms}));
  EXPECT_FALSE(answer(AnswerKind::statistics).request.whole);
}

TEST_F(DockTest, TheViewIsAskedAboutAsItMoves) {
  stage.key(Key::i);
  tab(AnswerKind::statistics).choices[0] = 1;
  stage.settle();
  EXPECT_TRUE(answer(AnswerKind::statistics).request.whole) << "the view shows everything";
  stage.state().viewport = stage.state().viewport.showing({1 * ms, 2 * ms});
  stage.settle();
  EXPECT_FALSE(answer(AnswerKind::statistics).request.whole);
  EXPECT_NEAR(static_cast<double>(answer(AnswerKind::statistics).request.range.begin_ns), 1e6, 2e3);
}

TEST_F(DockTest, AChosenRowStaysChosenWhereverItGoes) {
  stage.key(Key::i);
  stage.settle();
  click_row(3);
  const std::string name = answer(AnswerKind::statistics).table.text(3, 0);
  EXPECT_EQ(name, "r_2");
  // Three kernels are in this range, r_2 the second of them.
  tab(AnswerKind::statistics).choices[0] = 2;
  stage.state().range = TimeRange{250 * us, 700 * us};
  stage.settle();
  const std::size_t chosen = tab(AnswerKind::statistics).view.chosen;
  ASSERT_LT(chosen, answer(AnswerKind::statistics).table.row_count);
  EXPECT_EQ(answer(AnswerKind::statistics).table.text(chosen, 0), "r_2");
}

TEST_F(DockTest, CtrlClickComparesTwoSteps) {
  open(AnswerKind::steps);
  click_row(1);
  EXPECT_EQ(range(), (TimeRange{3 * ms, 6 * ms})) << "step 1";
  click_row(2, with_command);
  EXPECT_EQ(dock().open, AnswerKind::compare);
  EXPECT_EQ(dock().compared_a, (TimeRange{3 * ms, 6 * ms}));
  EXPECT_EQ(dock().compared_b, (TimeRange{1 * ms, 3 * ms}));
  EXPECT_EQ(answer(AnswerKind::compare).table.row_count, 7U) << "six kernels and the copy";
  EXPECT_EQ(range(), (TimeRange{3 * ms, 6 * ms})) << "comparing moves nothing";
}

TEST_F(DockTest, LOpensTheBuffersOfThePeakAndClosesThem) {
  stage.key(Key::l);
  stage.settle();
  EXPECT_EQ(dock().open, AnswerKind::live);
  EXPECT_EQ(answer(AnswerKind::live).table.row_count, 40U);
  click_row(0);
  ASSERT_TRUE(selection());
  EXPECT_EQ(selection()->kind, Selection::Kind::buffer);
  EXPECT_EQ(selection()->track, memory);
  EXPECT_TRUE(stage.row(memory).expanded);
  stage.key(Key::l);
  EXPECT_FALSE(dock().open);
}

TEST_F(DockTest, LOverAMemoryTrackPinsTheTimeOfThePointer) {
  const Point place{stage.x_of(1100 * us), stage.top_of(stage.row(memory)) +
                                               static_cast<float>(stage.row(memory).height_px) / 2};
  stage.move(place);
  stage.key(Key::l);
  stage.settle();
  EXPECT_EQ(answer(AnswerKind::live).table.row_count, 6U);
  EXPECT_THAT(answer(AnswerKind::live).headline, HasSubstr("live at"));
}

}  // namespace
}  // namespace bytescope::tests
