// Steps along the trace by keys.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/dock_stage.h"

namespace bytescope::tests {
namespace {

TEST_F(DockTest, CommaAndPeriodStepOverMarkers) {
  stage.state().viewport = stage.state().viewport.showing({0, 200 * us});
  for (const std::int64_t time : {1 * ms, 3 * ms, 4 * ms, 6 * ms, 6 * ms}) {
    stage.key(Key::period);
    EXPECT_TRUE(in_view(time)) << time;
    EXPECT_FALSE(in_view(time + ms)) << time;
  }
  for (const std::int64_t time : {4 * ms, 3 * ms, 1 * ms}) {
    stage.key(Key::comma);
    EXPECT_TRUE(in_view(time)) << time;
  }
}

TEST_F(DockTest, ASelectionMadeBehindAMarkerIsWhereTheNextStepBegins) {
  stage.state().viewport = stage.state().viewport.showing({0, 200 * us});
  for (int i = 0; i < 4; ++i) stage.key(Key::period);
  select(device, 6);  // at 1.2 ms
  stage.key(Key::period);
  EXPECT_TRUE(in_view(3 * ms));
}

TEST_F(DockTest, GStepsOverEveryGapInOrder) {
  select(device, 0);
  for (std::uint32_t i = 0; i + 1 < plain_kernels; ++i) {
    stage.key(Key::g);
    stage.settle();
    const std::int64_t begin = (120 + 200 * std::int64_t{i}) * us;
    ASSERT_EQ(range(), (TimeRange{begin, begin + 80 * us})) << i;
    ASSERT_TRUE(in_view(begin));
  }
  const auto last = range();
  stage.key(Key::g);
  stage.settle();
  EXPECT_EQ(range(), last) << "there is none behind";
  for (int i = static_cast<int>(plain_kernels) - 3; i >= 0; --i) {
    stage.key(Key::g, with_shift);
    stage.settle();
    ASSERT_EQ(range()->begin_ns, (120 + 200 * std::int64_t{i}) * us);
  }
}

TEST_F(DockTest, GBeginsAtTheMarkerGoneToLast) {
  select(device, 0);
  stage.key(Key::g);
  stage.settle();
  for (int i = 0; i < 2; ++i) stage.key(Key::period);  // to 3 ms
  stage.key(Key::g);
  stage.settle();
  EXPECT_EQ(range()->begin_ns, 3120 * us);
}

TEST_F(DockTest, PGoesToThePeak) {
  stage.state().viewport = stage.state().viewport.showing({0, 200 * us});
  stage.key(Key::p);
  EXPECT_TRUE(in_view(7800 * us));
  stage.state().viewport = stage.state().viewport.showing({0, 200 * us});
  stage.key(Key::p, with_shift);
  EXPECT_TRUE(in_view(7800 * us)) << "there is only one";
}

TEST_F(DockTest, NStepsOverSpansOfTheSameName) {
  select(device, 2);
  for (std::uint32_t i = 1; i < 10; ++i) {
    stage.key(Key::n);
    stage.settle();
    ASSERT_EQ(selection(), stage.span(device, 2 + 5 * i));
  }
  stage.key(Key::n);
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, 47)) << "the last";
  stage.key(Key::n, with_shift);
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, 42));
}

TEST_F(DockTest, BracketsWalkFromProducerToConsumer) {
  select(device, 10);
  stage.key(Key::left_bracket);
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, 9)) << "wrote what it reads";
  stage.key(Key::right_bracket);
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, 10));
  stage.viewer().select_and_reveal(app::buffer_selection(stage.trace(), memory, 0));
  const std::uint32_t key = stage.trace().tracks[memory].memory->buffers[0].key;
  stage.key(Key::right_bracket);
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, key + 1)) << "the first that reads it";
}

TEST_F(DockTest, AStepThatLeadsNowhereSaysSo) {
  struct Step {
    std::uint32_t track;
    std::uint32_t record;
    Key key;
    const char* sentence;
  };
  const std::uint32_t user = stage.track("USER");
  const std::uint32_t last = plain_kernels - 1;
  for (const Step& step : {Step{device, 0, Key::left_bracket, "No recorded producer has a span"},
                           Step{user, 1, Key::left_bracket, "No recorded producer has a span"},
                           Step{user, 1, Key::right_bracket, "No recorded consumer has a span"},
                           Step{device, last, Key::n, "No later span has this name"},
                           Step{device, last, Key::g, "AMD has no later idle gap"},
                           Step{device, last, Key::period, "No marker follows"},
                           Step{device, 0, Key::comma, "No marker comes before"}}) {
    select(step.track, step.record);
    stage.key(step.key);
    stage.settle();
    EXPECT_EQ(stage.viewer().notice().text(), step.sentence);
    EXPECT_EQ(selection(), stage.span(step.track, step.record));
  }
}

}  // namespace
}  // namespace bytescope::tests
