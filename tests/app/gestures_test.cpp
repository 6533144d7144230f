#include <cmath>

#include <gtest/gtest.h>

#include "render/memory_paint.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/nanoseconds.h"
#include "tests/support/plain_trace.h"

namespace bytescope::tests {
namespace {

using app::MouseButton;

/// The plain trace on the whole screen.
class GesturesTest : public testing::Test {
protected:
  GesturesTest() : file_(plain_bytes()) {
    stage.open(file_.path());
    device = stage.track("AMD");
    memory = stage.track("AMD Memory");
  }
  /// Shows a stretch of time.
  void show(std::int64_t begin_ns, std::int64_t end_ns) {
    stage.state().viewport = stage.state().viewport.showing({begin_ns, end_ns});
    stage.settle();
  }
  double ns_per_px() { return stage.state().viewport.ns_per_px(); }
  void expect_time_at(float x, std::int64_t time_ns, double tolerance_px = 0.01) {
    EXPECT_NEAR(static_cast<double>(stage.x_of(time_ns)), static_cast<double>(x), tolerance_px);
  }

private:
  TemporaryFile file_;

protected:
  ViewerStage stage;
  std::uint32_t device = 0;
  std::uint32_t memory = 0;
};

TEST_F(GesturesTest, WheelKeepsTheTimeUnderThePointer) {
  show(4 * ms, 6 * ms);
  for (const float x : {250.0F, 411.5F, 600.0F, 900.0F}) {
    for (const float notches : {1.0F, 0.3F, 7.0F, -2.0F, -6.3F}) {
      const std::int64_t before = stage.time_at(x);
      const double length = stage.state().viewport.length_ns();
      stage.wheel({x, 300}, notches);
      expect_time_at(x, before, 1 / ns_per_px() + 0.01);
      EXPECT_NEAR(length / stage.state().viewport.length_ns(), std::pow(1.25, notches), 1e-6);
    }
  }
}

TEST_F(GesturesTest, WheelInAndOutAgainIsTheSameView) {
  show(4 * ms, 6 * ms);
  const auto before = stage.state().viewport.window();
  stage.wheel({700, 300}, 20);
  stage.wheel({700, 300}, -20);
  EXPECT_NEAR(static_cast<double>(stage.state().viewport.window().begin_ns),
              static_cast<double>(before.begin_ns), 2);
  EXPECT_NEAR(static_cast<double>(stage.state().viewport.window().length_ns()),
              static_cast<double>(before.length_ns()), 2);
}

TEST_F(GesturesTest, DragPansByWhatIsDragged) {
  show(4 * ms, 6 * ms);
  for (const MouseButton button : {MouseButton::left, MouseButton::right}) {
    const std::int64_t held = stage.time_at(600);
    stage.drag(somewhere, {457, 310}, button);
    expect_time_at(457, held, 1 / ns_per_px() + 0.01);
  }
  EXPECT_FALSE(stage.state().selection);
}

TEST_F(GesturesTest, AMoveOfLessThanFourPixelsIsAClick) {
  show(0, 10 * ms);
  const auto before = stage.state().viewport;
  const Point kernel = stage.place_of(device, 20);
  stage.drag(kernel, {kernel.x + 2, kernel.y + 2});
  EXPECT_EQ(stage.state().viewport, before);
  ASSERT_TRUE(stage.state().selection);
  EXPECT_EQ(stage.state().selection->number, 20U);
}

TEST_F(GesturesTest, ShiftAndWheelPans) {
  show(4 * ms, 6 * ms);
  const auto before = stage.state().viewport;
  stage.wheel(somewhere, -1, with_shift);
  EXPECT_EQ(stage.state().viewport.length_ns(), before.length_ns());
  // Down is later.
  expect_time_at(600 - 80, before.ns_from_px(600 - 208), 0.1);
}

TEST_F(GesturesTest, SidewaysWheelMovesTheContentTheOtherWay) {
  show(4 * ms, 6 * ms);
  const auto before = stage.state().viewport;
  stage.scroll(somewhere, 1, 0);
  EXPECT_EQ(stage.state().viewport.length_ns(), before.length_ns());
  EXPECT_GT(stage.state().viewport.window().begin_ns, before.window().begin_ns);
}

TEST_F(GesturesTest, TheLargerAxisOfAScrollWinsUntilItRests) {
  show(4 * ms, 6 * ms);
  const auto before = stage.state().viewport;
  stage.scroll(somewhere, 2, 0.5F);
  stage.scroll(somewhere, 0, 1);  // no zoom: the gesture is a sideways one
  EXPECT_EQ(stage.state().viewport.length_ns(), before.length_ns());
  stage.rest();
  stage.scroll(somewhere, 0.5F, 1);
  EXPECT_LT(stage.state().viewport.length_ns(), before.length_ns());
}

TEST_F(GesturesTest, AltAndWheelAndWheelOverTheNamesScroll) {
  stage.viewer().set_expanded(memory, true);
  stage.state().changes.heights[memory].expanded_px = 900;
  stage.settle();
  const auto before = stage.state().viewport;
  stage.wheel(somewhere, -1, with_alt);
  const double scrolled = stage.state().scroll_px;
  EXPECT_GT(scrolled, 20);
  stage.wheel({100, 300}, -1);
  EXPECT_DOUBLE_EQ(stage.state().scroll_px, 2 * scrolled);
  stage.wheel({100, 300}, 5);
  EXPECT_EQ(stage.state().scroll_px, 0);
  EXPECT_EQ(stage.state().viewport, before);
  stage.wheel({100, 300}, -500);
  EXPECT_DOUBLE_EQ(stage.state().scroll_px,
                   stage.layout().height_px - stage.viewer().tracks_height_px());
}

TEST_F(GesturesTest, WheelOverTheByteAxisZoomsBytesAboutThePointer) {
  stage.viewer().set_expanded(memory, true);
  stage.settle();
  const auto before = stage.state().viewport;
  const render::TrackRow& row = stage.row(memory);
  const Point at = {stage.areas().tracks.x0 + 20, stage.top_of(row) + 200};
  const double share = 1 - 200 / row.height_px;
  stage.wheel(at, 3);
  EXPECT_EQ(stage.state().viewport, before) << "time stays";
  ASSERT_TRUE(stage.state().byte_windows.contains(memory));
  const render::ByteWindow window = stage.state().byte_windows.at(memory);
  const auto whole = static_cast<double>(stage.view().model().family_peak_bytes[memory]) * 17 / 16;
  const auto length = static_cast<double>(window.end_bytes - window.begin_bytes);
  EXPECT_NEAR(length, whole / std::pow(1.25, 3), whole / 1000);
  EXPECT_NEAR(static_cast<double>(window.begin_bytes) + share * length, share * whole,
              whole / 1000);
  stage.wheel(at, -10);
  EXPECT_FALSE(stage.state().byte_windows.contains(memory)) << "the whole again";
  stage.wheel(at, 3, with_command);
  EXPECT_LT(stage.state().viewport.length_ns(), before.length_ns()) << "Ctrl always zooms time";
}

TEST_F(GesturesTest, ShiftAndDragMeasuresFromEdgeToEdge) {
  show(0, 2 * ms);
  const app::Selection first = stage.span(device, 2);
  const app::Selection last = stage.span(device, 7);
  const auto end = last.begin_ns + static_cast<std::int64_t>(last.length_ns);
  const float y = stage.place_of(device, 2).y;
  const auto before = stage.state().viewport;
  stage.drag({stage.x_of(first.begin_ns) + 3, y}, {stage.x_of(end) - 4, y}, MouseButton::left,
             with_shift);
  ASSERT_TRUE(stage.state().range);
  EXPECT_EQ(stage.state().range->begin_ns, first.begin_ns);
  EXPECT_EQ(stage.state().range->end_ns, end);
  EXPECT_EQ(stage.state().viewport, before);
  EXPECT_FALSE(stage.state().selection);
}

TEST_F(GesturesTest, AltMeasuresWithoutSnapping) {
  show(0, 2 * ms);
  const app::Selection span = stage.span(device, 2);
  const float y = stage.place_of(device, 2).y;
  const float x = stage.x_of(span.begin_ns) + 3;
  stage.drag({x, y}, {x + 200, y}, MouseButton::left, with_shift_and_alt);
  ASSERT_TRUE(stage.state().range);
  EXPECT_EQ(stage.state().range->begin_ns, stage.time_at(x));
  EXPECT_EQ(stage.state().range->end_ns, stage.time_at(x + 200));
}

TEST_F(GesturesTest, DragOnTheAxisMeasuresInBothDirections) {
  show(0, 2 * ms);
  const float y = stage.areas().axis.y0 + 10;
  stage.drag({700, y}, {400, y});
  ASSERT_TRUE(stage.state().range);
  EXPECT_EQ(stage.state().range->begin_ns, stage.time_at(400));
  EXPECT_EQ(stage.state().range->end_ns, stage.time_at(700));
}

TEST_F(GesturesTest, MiddleDragZoomsToWhatIsDragged) {
  show(0, 2 * ms);
  const std::int64_t begin = stage.time_at(400);
  const std::int64_t end = stage.time_at(700);
  stage.drag({400, 300}, {700, 310}, MouseButton::middle);
  EXPECT_NEAR(static_cast<double>(stage.state().viewport.window().begin_ns),
              static_cast<double>(begin), 2);
  EXPECT_NEAR(static_cast<double>(stage.state().viewport.window().end_ns), static_cast<double>(end),
              2);
  EXPECT_FALSE(stage.state().range);
}

TEST_F(GesturesTest, ClickSelectsWhatIsThereAndNothingElse) {
  show(0, 2 * ms);
  stage.click(stage.place_of(device, 4));
  EXPECT_EQ(stage.state().selection, stage.span(device, 4));
  stage.rest();
  // In the gap behind it.
  stage.click({stage.x_of(stage.span(device, 4).begin_ns + 160 * us), stage.place_of(device, 4).y});
  EXPECT_FALSE(stage.state().selection);
}

TEST_F(GesturesTest, ClickAgainSelectsTheNextSpanInReach) {
  // A pixel holds one and a half periods: two or three kernels are within three pixels.
  show(0, 10 * ms);
  stage.wheel({300, 300}, -50);
  const Point at = stage.place_of(device, 10);
  stage.click(at);
  const auto first = stage.state().selection;
  ASSERT_TRUE(first);
  stage.rest();
  stage.click(
      {stage.x_of(first->begin_ns + static_cast<std::int64_t>(first->length_ns)) + 1, at.y});
  stage.rest();
  stage.click(
      {stage.x_of(first->begin_ns + static_cast<std::int64_t>(first->length_ns)) + 1, at.y});
  ASSERT_TRUE(stage.state().selection);
  EXPECT_EQ(stage.state().selection->track, device);
}

TEST_F(GesturesTest, DoubleClickZoomsToTheSpan) {
  const app::Selection span = stage.span(device, 17);
  const Point at = stage.place_of(device, 17);
  stage.click(at);
  stage.click(at);
  EXPECT_EQ(stage.state().selection, span);
  const query::TimeRange window = stage.state().viewport.window();
  EXPECT_EQ(window.begin_ns, span.begin_ns - plain_kernel_us * us / 10);
  EXPECT_EQ(window.end_ns, span.begin_ns + plain_kernel_us * us * 11 / 10);
}

TEST_F(GesturesTest, TwoClicksWithARestBetweenAreNoDoubleClick) {
  const auto before = stage.state().viewport;
  const Point at = stage.place_of(stage.track("USER"), 0);
  stage.click(at);
  stage.rest();
  stage.click(at);
  EXPECT_EQ(stage.state().viewport, before);
}

TEST_F(GesturesTest, ClickOnTheAxisSelectsTheStretchBetweenMarkers) {
  const float y = stage.areas().axis.y0 + 8;
  stage.click({stage.x_of(4 * ms), y});
  EXPECT_EQ(stage.state().range, (query::TimeRange{3 * ms, 6 * ms}));
  stage.rest();
  stage.click({stage.x_of(2 * ms), y});
  EXPECT_EQ(stage.state().range, (query::TimeRange{1 * ms, 3 * ms}));
  stage.rest();
  stage.click({stage.x_of(8 * ms), y});
  EXPECT_EQ(stage.state().range, (query::TimeRange{1 * ms, 3 * ms})) << "beyond the last marker";
}

TEST_F(GesturesTest, DragOfALowerEdgeChangesTheHeight) {
  stage.viewer().set_expanded(memory, true);
  stage.settle();
  const double before = stage.row(memory).height_px;
  const double above = stage.row(device).height_px;
  const float y = stage.top_of(stage.row(memory)) + static_cast<float>(before) - 1;
  stage.drag({500, y}, {500, y - 120});
  EXPECT_NEAR(stage.row(memory).height_px, before - 120, 0.5);
  EXPECT_EQ(stage.row(device).height_px, above);
}

TEST_F(GesturesTest, ClickOnANameOpensAndClosesATrack) {
  stage.click(stage.name_of(memory));
  EXPECT_TRUE(stage.row(memory).expanded);
  stage.rest();
  stage.click(stage.name_of(memory));
  EXPECT_FALSE(stage.row(memory).expanded);
}

TEST_F(GesturesTest, ClickOnAHeaderFoldsItsGroup) {
  const auto& rows = stage.layout().rows;
  std::size_t header = 0;
  while (header < rows.size() && rows[header].kind != render::RowKind::header) ++header;
  ASSERT_LT(header, rows.size());
  const Point at = {60, stage.top_of(rows[header]) + 10};
  const std::size_t before = rows.size();
  stage.click(at);
  EXPECT_LT(stage.layout().rows.size(), before);
  stage.rest();
  stage.click(at);
  EXPECT_EQ(stage.layout().rows.size(), before);
}

TEST_F(GesturesTest, RightClickOpensAMenuThatAnyClickCloses) {
  stage.click(stage.place_of(device, 3), MouseButton::right);
  stage.settle();
  const render::Picture with_menu = stage.offscreen().pixels();
  EXPECT_FALSE(stage.state().selection) << "until something of it is chosen";
  stage.click({700, 600});
  stage.settle();
  stage.click(stage.place_of(device, 4));
  EXPECT_EQ(stage.state().selection, stage.span(device, 4));
}

TEST_F(GesturesTest, ADragThatEndsBehindTheHelpPageIsOver) {
  show(4 * ms, 6 * ms);
  stage.press(somewhere);
  stage.move({550, 300});
  stage.type(U'?');
  stage.release({550, 300});
  stage.key(app::Key::escape);
  const auto before = stage.state().viewport;
  stage.move({700, 320});
  EXPECT_EQ(stage.state().viewport, before);
}

}  // namespace
}  // namespace bytescope::tests
