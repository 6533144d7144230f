#include <cmath>

#include <gtest/gtest.h>

#include "app/actions.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/nanoseconds.h"
#include "tests/support/plain_trace.h"

namespace bytescope::tests {
namespace {

/// The plain trace with everything in motion that can be.
class MotionTest : public testing::Test {
protected:
  MotionTest() : file_(plain_bytes()) {
    stage.open(file_.path());
    stage.viewer().set_motion(true);
  }
  void show(std::int64_t begin_ns, std::int64_t end_ns) {
    stage.state().viewport = stage.state().viewport.showing({begin_ns, end_ns});
    stage.settle();
  }
  const render::Viewport& shown() { return stage.view().shown_viewport(); }
  const render::Viewport& wanted() { return stage.state().viewport; }
  /// Drags by 40 px a frame to the left and lets go at once.
  void fling() {
    stage.press({800, 300});
    for (int i = 1; i <= 8; ++i) stage.move({800 - 40.0F * static_cast<float>(i), 300});
    stage.release({480, 300});
  }

private:
  TemporaryFile file_;

protected:
  ViewerStage stage;
};

TEST(Motion, PicturesAndTestsHaveNoneUnlessAsked) {
  const TemporaryFile file(plain_bytes());
  ViewerStage stage;
  stage.open(file.path());
  stage.wheel(somewhere, 3);
  EXPECT_FALSE(stage.viewer().is_moving());
  EXPECT_EQ(stage.view().shown_viewport(), stage.state().viewport);
}

TEST_F(MotionTest, FitGlidesAndThenRests) {
  show(4 * ms, 6 * ms);
  const double length = shown().length_ns();
  stage.key(app::Key::home);
  EXPECT_TRUE(stage.viewer().is_moving());
  EXPECT_TRUE(stage.viewer().wants_frame());
  EXPECT_FALSE(stage.viewer().settled());
  EXPECT_EQ(wanted(), wanted().fitted());
  EXPECT_GT(shown().length_ns(), length);
  EXPECT_LT(shown().length_ns(), wanted().length_ns());
  stage.settle();
  EXPECT_EQ(shown(), wanted());
  EXPECT_FALSE(stage.viewer().is_moving());
  EXPECT_FALSE(stage.viewer().wants_frame());
}

TEST_F(MotionTest, AClockThatIsSetBackHoldsNothingUp) {
  stage.wheel(somewhere, 3);
  ASSERT_TRUE(stage.viewer().is_moving());
  stage.offscreen().rest(-10'000);
  for (int i = 0; i < 30; ++i) stage.offscreen().frame();
  EXPECT_FALSE(stage.viewer().is_moving());
  EXPECT_EQ(shown(), wanted());
}

TEST_F(MotionTest, TenFastWheelStepsEndWhereTenWithoutMotionEnd) {
  show(1 * ms, 9 * ms);
  stage.viewer().set_motion(false);
  const render::Viewport before = wanted();
  for (int i = 0; i < 10; ++i) stage.wheel(somewhere, 1);
  const render::Viewport expected = wanted();
  stage.state().viewport = before;
  stage.viewer().set_motion(true);
  for (int i = 0; i < 10; ++i) {
    stage.wheel(somewhere, 1);
    EXPECT_NE(shown(), wanted());
  }
  stage.settle();
  EXPECT_EQ(shown(), expected);
}

TEST_F(MotionTest, HeldKeysLoseNoStepEither) {
  show(2 * ms, 3 * ms);
  const render::Viewport before = wanted();
  for (int i = 0; i < 6; ++i) stage.key(app::Key::d);
  stage.settle();
  EXPECT_NEAR(shown().px_from_ns(before.window().begin_ns), -0.6 * before.width_px(), 0.01);
}

TEST_F(MotionTest, AClickPicksWhatIsShownOnTheWay) {
  const std::uint32_t device = stage.track("AMD");
  show(0, 2 * ms);
  stage.key(app::Key::home);
  // Kernel 3 where it is now, not where it will be.
  const app::Selection kernel = stage.span(device, 3);
  const auto middle = kernel.begin_ns + static_cast<std::int64_t>(kernel.length_ns / 2);
  const Point row = stage.place_of(device, 3);
  const auto at = [&](const render::Viewport& viewport) {
    return Point{stage.areas().tracks.x0 + static_cast<float>(viewport.px_from_ns(middle)), row.y};
  };
  ASSERT_GT(std::abs(at(shown()).x - at(wanted()).x), 30);
  app::InputEvent click{
      .kind = app::InputEvent::Kind::mouse_button, .down = true, .x = at(shown()).x, .y = row.y};
  stage.offscreen().feed(click);
  click.down = false;
  stage.offscreen().feed(click);
  ASSERT_TRUE(stage.state().selection);
  EXPECT_EQ(stage.state().selection->number, 3U);
}

TEST_F(MotionTest, ADragTakesHoldOfWhatIsShown) {
  show(4 * ms, 6 * ms);
  stage.key(app::Key::home);
  ASSERT_TRUE(stage.viewer().is_moving());
  stage.press(somewhere);
  const double length = shown().length_ns();
  stage.offscreen().feed({.kind = app::InputEvent::Kind::mouse_move, .x = 560, .y = 300});
  EXPECT_FALSE(stage.view().is_moving());
  EXPECT_EQ(shown(), wanted());
  EXPECT_EQ(shown().length_ns(), length);
  const std::int64_t held = shown().ns_from_px(560 - static_cast<double>(stage.areas().tracks.x0));
  stage.move({500, 300});
  EXPECT_NEAR(static_cast<double>(stage.x_of(held)), 500, 0.1);
  EXPECT_EQ(shown(), wanted());
  stage.release({500, 300});
}

TEST_F(MotionTest, ADragLetGoOfInMotionCoastsAndComesToRest) {
  show(5 * ms, 6 * ms);
  fling();
  EXPECT_TRUE(stage.view().is_coasting());
  const double released = shown().px_from_ns(5 * ms);
  stage.offscreen().frame();
  stage.offscreen().frame();
  EXPECT_LT(shown().px_from_ns(5 * ms), released - 20);
  EXPECT_EQ(shown(), wanted());
  const double begin_s = stage.offscreen().now_s();
  while (stage.viewer().wants_frame()) {
    stage.offscreen().frame();
    ASSERT_LT(stage.offscreen().now_s(), begin_s + 1);
  }
  EXPECT_FALSE(stage.view().is_moving());
  const render::Viewport end = shown();
  stage.rest();
  stage.offscreen().frame();
  EXPECT_EQ(shown(), end);
}

TEST_F(MotionTest, APressStopsACoastWhereItIs) {
  show(5 * ms, 6 * ms);
  fling();
  stage.offscreen().frame();
  ASSERT_TRUE(stage.view().is_coasting());
  const render::Viewport at = shown();
  stage.press(somewhere);
  EXPECT_EQ(shown(), at);
  EXPECT_FALSE(stage.viewer().is_moving());
  stage.release(somewhere);
  EXPECT_EQ(shown(), at);
  EXPECT_EQ(wanted(), at);
}

TEST_F(MotionTest, ADragLetGoOfAtRestStays) {
  show(5 * ms, 6 * ms);
  stage.press({800, 300});
  for (int i = 1; i <= 8; ++i) stage.move({800 - 40.0F * static_cast<float>(i), 300});
  const render::Viewport at = shown();
  stage.offscreen().rest(0.2);
  stage.release({480, 300});
  EXPECT_FALSE(stage.viewer().is_moving());
  EXPECT_EQ(shown(), at);
}

TEST_F(MotionTest, BackGlidesToExactlyTheViewBefore) {
  show(5 * ms, 6 * ms);
  const render::Viewport before = shown();
  stage.key(app::Key::home);
  stage.settle();
  stage.key(app::Key::left, with_alt);
  EXPECT_TRUE(stage.viewer().is_moving());
  stage.settle();
  EXPECT_EQ(shown(), before);
}

TEST_F(MotionTest, SwitchedOffEverythingIsThereAtOnceAndThatIsRemembered) {
  show(4 * ms, 6 * ms);
  EXPECT_FALSE(stage.viewer().remembered().motion);
  stage.key(app::Key::home);
  ASSERT_TRUE(stage.viewer().is_moving());
  app::action_named("program.motion")->run(stage.viewer());
  EXPECT_EQ(shown(), wanted());
  stage.offscreen().frame();
  EXPECT_FALSE(stage.viewer().is_moving());
  EXPECT_EQ(stage.viewer().remembered().motion, false);
  stage.wheel(somewhere, 4);
  EXPECT_EQ(shown(), wanted());
  show(5 * ms, 6 * ms);
  fling();
  EXPECT_FALSE(stage.view().is_moving());
  app::action_named("program.motion")->run(stage.viewer());
  EXPECT_EQ(stage.viewer().remembered().motion, true);
}

}  // namespace
}  // namespace bytescope::tests
