// Menus of the window, of tabs and of the timeline: rows of the table of actions.

#include <algorithm>

#include <gtest/gtest.h>

#include "app/actions.h"
#include "tests/app/dock_stage.h"

namespace bytescope::tests {
namespace {

constexpr Point menu_button{18, 16};

/// Opens a menu again and again and clicks ever lower in it, until `seen` says that what is looked
/// for has happened; answers whether it has.
template <class Open, class Seen>
bool some_row_does(ViewerStage& stage, Point menu, Open open, Seen seen) {
  for (float y = menu.y + 20; y < std::min(menu.y + 640, 700.0F); y += 12) {
    open();
    stage.settle();
    stage.click({menu.x + 60, y});
    stage.offscreen().frame();
    if (seen()) return true;
    stage.key(Key::escape);
    stage.key(Key::escape);
    stage.rest();
  }
  return false;
}

TEST(WindowMenu, OffersWhatCanBeDoneWithoutAFile) {
  ViewerStage stage;
  const auto open = [&] { stage.click(menu_button); };
  const auto& theme = stage.viewer().theme();
  const bool changes_theme =
      some_row_does(stage, menu_button, open, [&] { return &stage.viewer().theme() != &theme; });
  EXPECT_TRUE(changes_theme);
  const bool opens =
      some_row_does(stage, menu_button, open, [&] { return stage.viewer().is_dialog_open(); });
  EXPECT_TRUE(opens);
  stage.key(Key::escape);
  const bool quits =
      some_row_does(stage, menu_button, open, [&] { return stage.viewer().quit_requested(); });
  EXPECT_TRUE(quits);
}

TEST(WindowMenu, TakesTheMouseFromTheTimelineUntilItIsLeft) {
  const TemporaryFile file(answer_bytes());
  ViewerStage stage;
  stage.open(file.path());
  stage.click(menu_button);
  stage.settle();
  const app::ViewState before = stage.state();
  stage.wheel({700, 400}, 3);
  EXPECT_EQ(stage.state(), before);
  stage.key(Key::escape);
  stage.settle();
  EXPECT_EQ(stage.state(), before) << "only the menu is gone";
  stage.wheel({700, 400}, 3);
  EXPECT_NE(stage.state(), before);
}

TEST_F(DockTest, TheMenuOfATabActsOnItsFile) {
  const TemporaryFile other(answer_bytes());
  stage.open(other.path());
  const auto& documents = stage.viewer().session().documents();
  const std::uint64_t first = documents[0].id;
  const std::uint64_t second = documents[1].id;
  const Point tab{60, 16};
  const bool closes = some_row_does(
      stage, tab,
      [&] {
        stage.click(tab, app::MouseButton::right);
        EXPECT_EQ(stage.viewer().active_document()->id, first);
      },
      [&] { return stage.viewer().session().documents().size() < 2; });
  ASSERT_TRUE(closes);
  EXPECT_EQ(stage.viewer().active_document()->id, second);
}

TEST_F(DockTest, ARightClickOnTheTimelineOffersToExport) {
  const Point below{600, stage.areas().tracks.y1 - 4};
  stage.viewer().show_track_alone();  // nothing is under the pointer: nothing happens
  for (const Point at : {below, stage.name_of(device), stage.place_of(device, 3)}) {
    int dialogs = 0;
    for (float y = 30; y < 700; y += 14) {
      stage.click(at, app::MouseButton::right);
      stage.settle();
      stage.click({std::min(at.x + 60, 900.0F), y});
      stage.offscreen().frame();
      dialogs += stage.viewer().is_dialog_open() ? 1 : 0;
      stage.key(Key::escape);
      stage.key(Key::escape);
      stage.viewer().undo_tracks();
      stage.viewer().fit_trace();
      stage.settle();
      stage.rest();
    }
    EXPECT_GE(dialogs, 3) << "open, export, save a picture";
  }
}

TEST_F(DockTest, MenusMarkWhatIsOn) {
  const app::WindowAction& watch = *app::action_named("file.watch");
  ASSERT_NE(watch.is_on, nullptr);
  EXPECT_FALSE(watch.is_on(stage.viewer()));
  watch.run(stage.viewer());
  EXPECT_TRUE(watch.is_on(stage.viewer()));
}

}  // namespace
}  // namespace bytescope::tests
