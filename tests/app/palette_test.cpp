// Doing anything by its name.

#include "app/panels/palette.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/actions.h"
#include "tests/app/dock_stage.h"

namespace bytescope::tests {
namespace {

using testing::ElementsAre;

TEST(PaletteMatches, HoldEveryWordWhateverItsCaseAndOrder) {
  const std::vector<app::PaletteRow> rows = {
      {"Next idle gap", "G", "Answers"}, {"Idle gaps", "", "Answers"}, {"Zoom in", "W", "Moving"}};
  EXPECT_THAT(app::palette_matches(rows, "GAP next"), ElementsAre(0U));
  EXPECT_THAT(app::palette_matches(rows, "gap"), ElementsAre(0U, 1U));
  EXPECT_THAT(app::palette_matches(rows, "moving"), ElementsAre(2U));
  EXPECT_THAT(app::palette_matches(rows, "  "), ElementsAre(0U, 1U, 2U));
  EXPECT_TRUE(app::palette_matches(rows, "nothing").empty());
}

TEST_F(DockTest, CtrlPDoesWhatIsTyped) {
  stage.key(Key::p, with_command);
  write("idle gaps");
  stage.key(Key::enter);
  stage.settle();
  EXPECT_EQ(dock().open, AnswerKind::gaps);
  EXPECT_EQ(answer(AnswerKind::gaps).table.row_count, plain_kernels - 1);
  stage.key(Key::i);
  EXPECT_EQ(dock().open, AnswerKind::statistics) << "keys act again";
}

TEST_F(DockTest, ThePaletteActsOnTheRowThatWasUnderThePointer) {
  const std::uint32_t second = stage.track("AMD:1");
  stage.move(stage.name_of(second));
  stage.key(Key::p, with_command);
  write("hide the track");
  stage.move(stage.name_of(stage.track("USER")));
  stage.key(Key::enter);
  stage.settle();
  EXPECT_TRUE(stage.state().changes.hidden.contains(second));
  EXPECT_EQ(stage.state().changes.hidden.size(), 1U);
}

TEST_F(DockTest, AWindowWithThePaletteOrAFieldRests) {
  stage.key(Key::p, with_command);
  stage.settle();
  EXPECT_FALSE(stage.viewer().wants_frame());
  stage.key(Key::escape);
  search("r_3");
  EXPECT_FALSE(stage.viewer().wants_frame());
}

TEST_F(DockTest, CtrlPTakesTheKeyboardFromAField) {
  search("r_3");
  stage.key(Key::p, with_command);
  write("statistics");
  stage.key(Key::enter);
  stage.settle();
  EXPECT_EQ(dock().search_line, "r_3");
  EXPECT_EQ(dock().open, AnswerKind::statistics);
}

TEST_F(DockTest, ThePaletteChoosesWithUpAndDownAndLeavesWithEscape) {
  stage.key(Key::p, with_command);
  write("zoom");
  stage.key(Key::down);
  stage.key(Key::down);
  stage.key(Key::up);
  const double before = stage.state().viewport.length_ns();
  stage.state().viewport = stage.state().viewport.zoomed(4, 0);
  stage.key(Key::enter);
  stage.settle();
  EXPECT_GT(stage.state().viewport.length_ns(), before / 4) << "the second one, zoom out";
  const auto state = stage.state();
  stage.key(Key::p, with_command);
  write("zoom");
  stage.key(Key::escape);
  stage.key(Key::escape);
  stage.settle();
  EXPECT_EQ(stage.state(), state);
}

TEST_F(DockTest, TheEnterThatChoosesAFormDoesNotConfirmIt) {
  const TemporaryFile other(answer_bytes());
  stage.open(other.path());
  for (const char* title : {"open a running", "open a file", "export everything", "save a picture",
                            "show together", "keys and gestures"}) {
    SCOPED_TRACE(title);
    stage.key(Key::p, with_command);
    write(title);
    // Held for a while, as a keyboard repeats it.
    stage.offscreen().feed({.kind = app::InputEvent::Kind::key, .key = Key::enter, .down = true});
    for (int i = 0; i < 5; ++i) {
      stage.offscreen().frame();
      stage.offscreen().rest(0.3);
    }
    stage.offscreen().feed({.kind = app::InputEvent::Kind::key, .key = Key::enter});
    stage.settle();
    const bool is_help = std::string(title) == "keys and gestures";
    EXPECT_EQ(stage.viewer().is_dialog_open(), !is_help);
    EXPECT_TRUE(stage.viewer().can_export()) << "nothing is written";
    EXPECT_EQ(stage.viewer().session().documents().size(), 2U);
    stage.key(Key::escape);
    EXPECT_FALSE(stage.viewer().is_dialog_open());
  }
}

TEST(Palette, OpensEveryPanel) {
  std::string opened;
  for (const app::WindowAction& action : app::window_actions())
    opened += std::string(action.id) + " ";
  for (const app::AnswerTab& tab : app::answer_tabs()) {
    if (tab.kind == app::AnswerKind::search) continue;  // "hit.search"
    EXPECT_NE(opened.find("tab." + std::string(tab.id) + " "), std::string::npos) << tab.id;
  }
}

TEST(Palette, AsksForTheAddressOfARunningProgramWithoutAFile) {
  ViewerStage stage;
  stage.key(Key::p, with_command);
  stage.key(Key::end);  // Ctrl is let go
  for (const char c : std::string("open a running")) stage.type(static_cast<char32_t>(c));
  stage.key(Key::enter);
  stage.settle();
  EXPECT_TRUE(stage.viewer().is_dialog_open());
  EXPECT_TRUE(stage.viewer().session().documents().empty());
  stage.key(Key::enter);
  stage.settle();
  EXPECT_EQ(stage.viewer().session().documents().size(), 1U) << "the next one confirms it";
}

TEST_F(DockTest, EveryActionOfThePaletteCanBeRun) {
  for (const app::WindowAction& action : app::window_actions()) {
    const std::string id = action.id;
    if (id == "program.quit" || id == "file.close") continue;
    SCOPED_TRACE(id);
    select(device, 3);
    stage.state().range = TimeRange{1 * ms, 2 * ms};
    if (action.available(stage.viewer())) action.run(stage.viewer());
    stage.settle();
    ASSERT_NE(stage.viewer().active(), nullptr);
    stage.key(Key::escape);
  }
}

}  // namespace
}  // namespace bytescope::tests
