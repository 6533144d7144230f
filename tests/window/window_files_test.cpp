// Files that come, change and go, and what is remembered of them.

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/window/window_test.h"
#include "tests/window/xdnd_drop.h"

namespace bytescope::tests {
namespace {

TEST_F(WindowTest, CtrlWLeavesTheStartPageAndCtrlQQuits) {
  WindowStage stage(*server, {first()});
  stage.keys({"ctrl+w"});
  EXPECT_TRUE(stage.shows(""));
  EXPECT_TRUE(stage.program().running());
  stage.keys({"ctrl+q"});
  EXPECT_EQ(stage.program().exit_code(15), 0);
}

TEST_F(WindowTest, RemembersWhileItRunsAndWhenItEnds) {
  WindowStage stage(*server, {first()});
  stage.move(middle());
  stage.keys({"m"});
  EXPECT_TRUE(
      stage.becomes([&] { return stage.remembered().find("mark 1") != std::string::npos; }));
  stage.keys({"m", "ctrl+q"});
  EXPECT_EQ(stage.program().exit_code(15), 0);
  EXPECT_THAT(stage.remembered(), testing::HasSubstr("mark 2"));
  EXPECT_THAT(stage.remembered(), testing::HasSubstr(first()));
}

TEST_F(WindowTest, WhatCannotBeRememberedIsToldOfAndTriedAgain) {
  ScreenPicture usual;
  {
    WindowStage stage(*server, {first()});
    stage.move(middle());
    usual = stage.settled();
  }
  const TemporaryFolder folder;
  std::ofstream(folder / "state") << "no folder";
  WindowStage stage(*server, {first()}, {"XDG_STATE_HOME=" + (folder / "state")});
  stage.move(middle());
  constexpr ScreenPart status{screen_width / 3, screen_height - 24, screen_width, screen_height};
  EXPECT_TRUE(stage.changes(usual, status, 0.02)) << "no notice";
  stage.keys({"m"});
  std::filesystem::remove(folder / "state");
  stage.keys({"ctrl+q"});
  EXPECT_EQ(stage.program().exit_code(15), 0);
  std::ifstream file(folder / "state/bytescope/remembered.json");
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(written, testing::HasSubstr("mark 1"));
}

TEST_F(WindowTest, AFileThatIsNoTraceHasAnErrorPageAndOthersLiveOn) {
  WindowStage stage(*server, {first(), broken()});
  EXPECT_TRUE(stage.shows("broken.bin"));
  const ScreenPicture error = stage.settled();
  const ScreenPart page = {0, 100, screen_width, screen_height - 100};
  EXPECT_GT(filled_share(error, page), 0.001) << "the page says nothing";
  EXPECT_LT(filled_share(error, page), 0.2);
  stage.keys({"ctrl+Tab"});
  EXPECT_TRUE(stage.shows("first.bin"));
  EXPECT_GT(filled_share(stage.settled(), plan->tracks()), 0.1);
  stage.keys({"ctrl+Tab"});
  EXPECT_TRUE(stage.shows("broken.bin"));
  stage.keys({"ctrl+w"});
  EXPECT_TRUE(stage.shows("first.bin"));
  EXPECT_TRUE(stage.program().running());
}

TEST_F(WindowTest, TheChooserOpensATypedPath) {
  WindowStage stage(*server, {first()});
  stage.keys({"ctrl+o"});
  stage.settled();
  // It begins in the folder of the file that is shown.
  stage.type("second.bin");
  stage.settled();
  stage.keys({"Return"});
  EXPECT_TRUE(stage.shows("second.bin"));
  stage.keys({"ctrl+o"});
  const ScreenPicture chooser = stage.settled();
  stage.keys({"Escape"});
  EXPECT_TRUE(stage.changes(chooser, {0, 0, screen_width, screen_height}, 0.1));
  EXPECT_EQ(stage.title(), "second.bin \u2013 bytescope");
}

TEST_F(WindowTest, AFileThatIsDroppedOpens) {
  WindowStage stage(*server, {first()});
  const DropResult drop =
      drop_files(stage.display(), stage.window(), middle().x, middle().y, {second()});
  EXPECT_TRUE(drop.accepted);
  EXPECT_TRUE(drop.asked);
  EXPECT_TRUE(drop.finished);
  EXPECT_TRUE(stage.shows("second.bin"));
}

TEST_F(WindowTest, SeveralFilesInOneDropOpenATabEach) {
  WindowStage stage(*server, {});
  EXPECT_TRUE(stage.shows(""));
  const DropResult drop = drop_files(stage.display(), stage.window(), middle().x, middle().y,
                                     {first(), broken(), second()});
  EXPECT_TRUE(drop.finished);
  EXPECT_TRUE(stage.shows("second.bin"));
  for (const char* name : {"broken.bin", "first.bin"}) {
    stage.keys({"ctrl+w"});
    EXPECT_TRUE(stage.shows(name));
  }
  stage.keys({"ctrl+w"});
  EXPECT_TRUE(stage.shows(""));
}

TEST_F(WindowTest, AFileThatIsCutShortAndDeletedStaysOnTheScreen) {
  const std::string path = files->path("changing.bin");
  std::filesystem::copy_file(first(), path);
  WindowStage stage(*server, {path});
  const ScreenPicture before = stage.settled();
  std::filesystem::resize_file(path, 5000);
  stage.keys({"w", "w", "d", "w"});
  stage.settled();
  std::filesystem::remove(path);
  stage.keys({"s", "ctrl+r"});
  stage.settled();
  EXPECT_TRUE(stage.program().running());
  std::filesystem::copy_file(first(), path);
  stage.keys({"ctrl+r", "Home"});
  EXPECT_TRUE(stage.returns_to(before, plan->tracks()));
}

TEST_F(WindowTest, TellsByItselfThatAFileWasWrittenAgain) {
  const std::string path = files->path("rewritten.bin");
  std::filesystem::copy_file(second(), path, std::filesystem::copy_options::overwrite_existing);
  WindowStage stage(*server, {path});
  ASSERT_TRUE(stage.shows("rewritten.bin"));
  stage.move(nowhere);
  const ScreenPicture before = stage.settled();
  std::filesystem::copy_file(first(), path, std::filesystem::copy_options::overwrite_existing);
  // Nobody touches the window.
  constexpr ScreenPart status{0, screen_height - 24, screen_width / 2, screen_height};
  EXPECT_TRUE(stage.changes(before, status));
}

}  // namespace
}  // namespace bytescope::tests
