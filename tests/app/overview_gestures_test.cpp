#include "app/overview_gestures.h"

#include <cmath>

#include <gtest/gtest.h>

#include "render/overview_paint.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/nanoseconds.h"
#include "tests/support/plain_trace.h"

namespace bytescope::tests {
namespace {

using app::OverviewPart;

class OverviewGesturesTest : public testing::Test {
protected:
  OverviewGesturesTest() : file_(plain_bytes()) { stage.open(file_.path()); }
  void show(std::int64_t begin_ns, std::int64_t end_ns) {
    stage.state().viewport = stage.state().viewport.showing({begin_ns, end_ns});
    stage.settle();
  }
  /// A place of the strip.
  Point at(std::int64_t time_ns) {
    const render::Box& strip = stage.areas().overview;
    const auto whole = render::overview_viewport(stage.state().viewport, stage.areas());
    return {strip.x0 + static_cast<float>(whole.px_from_ns(time_ns)), strip.y0 + 25};
  }
  void expect_window(std::int64_t begin_ns, std::int64_t end_ns) {
    const auto tolerance = 1.01 * 10e6 / static_cast<double>(stage.areas().overview.width());
    const query::TimeRange window = stage.state().viewport.window();
    EXPECT_NEAR(static_cast<double>(window.begin_ns), static_cast<double>(begin_ns), tolerance);
    EXPECT_NEAR(static_cast<double>(window.end_ns), static_cast<double>(end_ns), tolerance);
  }
  std::optional<OverviewPart> part(std::int64_t time_ns) {
    const Point place = at(time_ns);
    return app::overview_part_at(stage.state().viewport, stage.areas(), place.x, place.y);
  }

private:
  TemporaryFile file_;

protected:
  ViewerStage stage;
};

TEST_F(OverviewGesturesTest, TheStripIsThereAndItsPartsAreFound) {
  ASSERT_TRUE(stage.view().overview);
  EXPECT_EQ(stage.view().overview->rows.size(), 2U);
  show(2 * ms, 6 * ms);
  EXPECT_EQ(part(1 * ms), OverviewPart::outside);
  EXPECT_EQ(part(2 * ms), OverviewPart::begin_handle);
  EXPECT_EQ(part(4 * ms), OverviewPart::frame);
  EXPECT_EQ(part(6 * ms - 1), OverviewPart::end_handle);
  EXPECT_EQ(part(8 * ms), OverviewPart::outside);
  const Point beside = {at(4 * ms).x, stage.areas().axis.y0 + 3};
  EXPECT_FALSE(app::overview_part_at(stage.state().viewport, stage.areas(), beside.x, beside.y));
}

TEST_F(OverviewGesturesTest, ANarrowFrameCanStillBeMovedAndChanged) {
  show(5 * ms, 5 * ms + 10 * us);
  const render::Box frame = render::overview_frame(stage.state().viewport, stage.areas());
  const auto found = [&](float x) {
    return app::overview_part_at(stage.state().viewport, stage.areas(), x, frame.y0 + 20);
  };
  EXPECT_EQ(found(frame.x0 - 3), OverviewPart::begin_handle);
  EXPECT_EQ(found((frame.x0 + frame.x1) / 2), OverviewPart::frame);
  EXPECT_EQ(found(frame.x1 + 3), OverviewPart::end_handle);
}

TEST_F(OverviewGesturesTest, DraggingTheFramePans) {
  show(2 * ms, 4 * ms);
  const double length = stage.state().viewport.length_ns();
  stage.drag(at(3 * ms), at(7 * ms));
  expect_window(6 * ms, 8 * ms);
  EXPECT_EQ(stage.state().viewport.length_ns(), length);
  stage.key(app::Key::left, with_alt);
  expect_window(2 * ms, 4 * ms);
}

TEST_F(OverviewGesturesTest, DraggingAHandleChangesItsEndAndBeyondTheOtherTurns) {
  show(2 * ms, 4 * ms);
  stage.drag(at(2 * ms), at(3 * ms));
  expect_window(3 * ms, 4 * ms);
  stage.drag(at(4 * ms - 1), at(8 * ms));
  expect_window(3 * ms, 8 * ms);
  stage.drag(at(8 * ms - 1), at(1 * ms));
  expect_window(1 * ms, 3 * ms);
}

TEST_F(OverviewGesturesTest, DraggingBesideTheFrameShowsWhatIsDraggedOver) {
  show(2 * ms, 3 * ms);
  stage.drag(at(9 * ms), at(5 * ms));
  expect_window(5 * ms, 9 * ms);
  EXPECT_FALSE(stage.state().range);
  stage.key(app::Key::space);
  stage.drag(at(4 * ms), at(6 * ms));
  expect_window(4 * ms, 6 * ms);
}

TEST_F(OverviewGesturesTest, WheelZoomsAboutTheTimeUnderThePointer) {
  show(2 * ms, 6 * ms);
  const Point place = at(3 * ms);
  stage.wheel(place, 3);
  const double length = 4e6 / std::pow(1.25, 3);
  expect_window(3 * ms - static_cast<std::int64_t>(length / 4),
                3 * ms + static_cast<std::int64_t>(length * 3 / 4));
  stage.wheel(place, -40);
  EXPECT_GE(stage.state().viewport.length_ns(), 10e6);
  EXPECT_EQ(part(5 * ms), OverviewPart::outside) << "all is shown: there is nothing to move";
}

TEST_F(OverviewGesturesTest, ClickCentresAndDoubleClickShowsTheWholeTrace) {
  show(2 * ms, 4 * ms);
  stage.click(at(7 * ms));
  expect_window(6 * ms, 8 * ms);
  stage.rest();
  stage.click(at(3 * ms));
  stage.click(at(3 * ms));
  expect_window(0, 10 * ms);
}

TEST_F(OverviewGesturesTest, ADragThatLeavesTheStripGoesOn) {
  show(2 * ms, 4 * ms);
  const Point begin = at(3 * ms);
  const Point end = {at(5 * ms).x, 500};
  stage.drag(begin, end);
  expect_window(4 * ms, 6 * ms);
  stage.drag({600, 300}, {500, 300});
  EXPECT_FALSE(stage.state().range);
}

}  // namespace
}  // namespace bytescope::tests
