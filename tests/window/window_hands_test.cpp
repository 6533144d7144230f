// Mouse and keyboard of the window that shows a trace.

#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/window/window_test.h"

namespace bytescope::tests {
namespace {

TEST_F(WindowTest, WheelZoomsAndZoomsBack) {
  WindowStage stage(*server, {first()});
  stage.move(middle());
  const ScreenPicture whole = stage.settled();
  stage.click(middle(), 4, 6);
  EXPECT_TRUE(stage.changes(whole, plan->tracks(), 0.05));
  stage.settled();
  stage.click(middle(), 5, 6);
  EXPECT_TRUE(stage.returns_to(whole, plan->tracks()));
}

TEST_F(WindowTest, DragPansAndAltLeftGoesBackAndForthAgain) {
  WindowStage stage(*server, {first()});
  stage.click(middle(), 4, 6);
  stage.move(nowhere);
  const ScreenPicture zoomed = stage.settled();
  // What follows at once is the same motion for the history.
  std::this_thread::sleep_for(std::chrono::milliseconds(800));
  stage.drag(middle(), {middle().x - 200, middle().y});
  stage.move(nowhere);
  EXPECT_TRUE(stage.changes(zoomed, plan->tracks(), 0.05));
  const ScreenPicture panned = stage.settled();
  stage.keys({"alt+Left"});
  EXPECT_TRUE(stage.returns_to(zoomed, plan->tracks()));
  stage.keys({"alt+Right"});
  EXPECT_TRUE(stage.returns_to(panned, plan->tracks()));
}

TEST_F(WindowTest, ClickOnTheNameOfAMemoryTrackExpandsIt) {
  WindowStage stage(*server, {first()});
  const ScreenPicture before = stage.settled();
  EXPECT_LT(filled_share(before, plan->below_rows()), 0.2);
  stage.click(plan->name_of("AMD:1 Memory"));
  EXPECT_TRUE(stage.becomes(
      [&] { return filled_share(stage.screen().picture(), plan->below_rows()) > 0.5; }));
  stage.settled();
  stage.click(plan->name_of("AMD:1 Memory"));
  EXPECT_TRUE(stage.returns_to(before, plan->below_rows()));
}

TEST_F(WindowTest, ASpanUnderThePointerHasATooltip) {
  WindowStage stage(*server, {first()});
  const ScreenPicture before = stage.settled();
  const Place span = plan->longest_span("USER");
  stage.move(span);
  // Beside the pointer, over what lies there.
  const ScreenPart beside = {span.x + 20, span.y + 20, span.x + 120, span.y + 60};
  EXPECT_TRUE(stage.changes(before, beside, 0.3));
  stage.move(nowhere);
  EXPECT_TRUE(stage.returns_to(before, plan->tracks()));
}

TEST_F(WindowTest, ClickSelectsASpanAndEscapeLeavesIt) {
  WindowStage stage(*server, {first()});
  const ScreenPicture before = stage.settled();
  stage.click(plan->longest_span("USER"));
  EXPECT_TRUE(stage.changes(before, plan->panel()));
  stage.settled();
  stage.keys({"Escape"});
  EXPECT_TRUE(stage.returns_to(before, plan->panel()));
}

TEST_F(WindowTest, CtrlFSearchesForWhatIsTypedAndEnterSelectsAHit) {
  WindowStage stage(*server, {first()});
  const ScreenPicture before = stage.settled();
  stage.keys({"ctrl+f"});
  EXPECT_TRUE(stage.changes(before, plan->dock()));
  stage.settled();
  stage.type("e_");
  const ScreenPicture found = stage.settled();
  EXPECT_EQ(difference(before, found, plan->panel()), 0) << "typing selects nothing";
  stage.keys({"Return"});
  EXPECT_TRUE(stage.changes(found, plan->panel()));
  stage.settled();
  // Leave the field, the selection, the panel.
  stage.keys({"Escape", "Escape", "Escape"});
  EXPECT_TRUE(stage.returns_to(before, plan->panel()));
}

TEST_F(WindowTest, IOpensStatisticsAndClosesThem) {
  WindowStage stage(*server, {first()});
  const ScreenPicture before = stage.settled();
  stage.keys({"i"});
  EXPECT_TRUE(stage.changes(before, plan->dock(), 0.1));
  EXPECT_GT(filled_share(stage.settled(), plan->dock()), 0.05);
  stage.keys({"i"});
  EXPECT_TRUE(stage.returns_to(before, plan->tracks()));
}

/// Does anything by its name.
void by_name(WindowStage& stage, const std::string& name) {
  stage.keys({"ctrl+p"});
  stage.settled();
  stage.type(name);
  stage.settled();
  stage.keys({"Return"});
}

// docs/five-questions.md, as a newcomer goes through it.
TEST_F(WindowTest, AnswersTheFiveQuestionsOfTheGuide) {
  const std::string demo = files->path("demo.bin");
  generate::Options options;
  options.events = 200'000;
  ASSERT_TRUE(generate::write_trace(demo, options, Cancel()));
  WindowStage stage(*server, {demo});
  const Plan here(demo);
  const ScreenPicture whole = stage.settled();

  stage.keys({"g"});
  EXPECT_TRUE(stage.changes(whole, here.panel())) << "1: the gap is measured on the right";
  by_name(stage, "Idle gaps");
  EXPECT_TRUE(stage.changes(whole, here.dock(), 0.05)) << "1: all gaps are listed";
  const ScreenPicture gaps = stage.settled();

  stage.keys({"Escape", "Escape", "Escape", "Home"});
  EXPECT_TRUE(stage.returns_to(whole, here.panel())) << "2: the least busy device is told of";

  stage.keys({"i"});
  EXPECT_TRUE(stage.changes(whole, here.dock(), 0.05)) << "3: statistics";
  const ScreenPicture statistics = stage.settled();
  EXPECT_GT(difference(gaps, statistics, here.dock()), 0.01);

  stage.keys({"p"});
  EXPECT_TRUE(stage.changes(statistics, here.tracks())) << "4: the track of the peak opens";
  stage.keys({"l"});
  EXPECT_TRUE(stage.changes(statistics, here.dock())) << "4: what lives there";
  const ScreenPicture live = stage.settled();

  by_name(stage, "Steps between markers");
  EXPECT_TRUE(stage.changes(live, here.dock())) << "5: the steps";
}

TEST_F(WindowTest, KeysMoveTheView) {
  WindowStage stage(*server, {first()});
  const ScreenPicture whole = stage.settled();
  ScreenPicture last = whole;
  for (const char* key : {"w", "w", "a", "d", "s", "Up", "Right", "Left", "Down"}) {
    stage.keys({key});
    EXPECT_TRUE(stage.changes(last, plan->tracks())) << key;
    last = stage.settled();
  }
  stage.keys({"w", "w", "w", "Home"});
  EXPECT_TRUE(stage.returns_to(whole, plan->tracks()));
}

TEST_F(WindowTest, FShowsTheSelection) {
  WindowStage stage(*server, {first()});
  stage.click(plan->longest_span("TINY"));
  const ScreenPicture selected = stage.settled();
  stage.keys({"f"});
  EXPECT_TRUE(stage.changes(selected, plan->tracks(), 0.1));
  stage.settled();
  stage.keys({"space"});
  EXPECT_TRUE(stage.returns_to(selected, plan->tracks()));
}

TEST_F(WindowTest, QuestionMarkOpensHelpAndEscapeClosesIt) {
  WindowStage stage(*server, {first()});
  const ScreenPicture before = stage.settled();
  const ScreenPart whole = {0, 0, screen_width, screen_height};
  stage.keys({"question"});
  EXPECT_TRUE(stage.changes(before, whole, 0.1));
  stage.settled();
  stage.keys({"Escape"});
  EXPECT_TRUE(stage.returns_to(before, whole));
}

TEST_F(WindowTest, UsesNoCpuWhileNothingHappens) {
  WindowStage stage(*server, {first()});
  stage.move(plan->longest_span("USER"));
  stage.settled();
  const long before = stage.program().cpu_ticks();
  std::this_thread::sleep_for(std::chrono::seconds(3));
  EXPECT_LT(stage.program().cpu_ticks() - before, 2);
}

}  // namespace
}  // namespace bytescope::tests
