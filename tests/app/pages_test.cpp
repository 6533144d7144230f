// What the window shows instead of a trace, and the help over it.

#include "app/panels/pages.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/panels/help_page.h"
#include "tests/app/panel_stage.h"

namespace bytescope::app {
namespace {

using tests::PanelStage;

TEST(Pages, StartPageAnswersButtonAndRecentFile) {
  for (const bool dark : {true, false}) {
    PanelStage stage({1000, 700}, dark);
    const std::vector<std::string> recent = {"/home/me/traces/llama1b-dp8.bin",
                                             "/home/me/traces/before-fix.bin"};
    bool opened = false;
    bool shows_demo = false;
    std::optional<std::string> file;
    const auto draw = [&] {
      const StartAnswer answer = start_page(stage.context(), recent);
      opened = opened || answer.open_chooser;
      shows_demo = shows_demo || answer.open_demo;
      if (answer.open) file = answer.open;
    };
    stage.frames(2, draw);
    stage.picture(dark ? "start-dark" : "start-light");
    for (float y = 200; y < 600 && !opened; y += 12) stage.click(450, y, draw);
    EXPECT_TRUE(opened);
    for (float y = 200; y < 600 && !shows_demo; y += 12) stage.click(550, y, draw);
    EXPECT_TRUE(shows_demo);
    for (float y = 300; y < 690 && !file; y += 12) stage.click(400, y, draw);
    EXPECT_EQ(file, recent[0]);
  }
}

TEST(Pages, LoadPageAnswersCancel) {
  PanelStage stage({1000, 600});
  Progress progress;
  progress.bytes_total = 600'000'000;
  progress.bytes_done = 200'000'000;
  progress.events_done = 8'000'000;
  bool cancelled = false;
  const auto draw = [&] {
    cancelled =
        load_page(stage.context(), "/home/me/traces/llama1b-dp8.bin", progress) || cancelled;
  };
  stage.frames(2, draw);
  stage.picture("load");
  for (float y = 200; y < 500 && !cancelled; y += 12) stage.click(280, y, draw);
  EXPECT_TRUE(cancelled);
}

TEST(Pages, ErrorPageTellsTheErrorAndAnswersItsButtons) {
  PanelStage stage({1000, 600});
  Error error;
  error.message =
      "Not a bytepack trace. It comes closest to dialect K, but the file ends inside a record";
  error.where.byte = 4812;
  error.where.track = 3;
  error.where.track_name = "NV Memory";
  ErrorAnswer answer = ErrorAnswer::none;
  const auto draw = [&] {
    const ErrorAnswer now = error_page(stage.context(), "/home/me/broken.bin", error);
    if (now != ErrorAnswer::none) answer = now;
  };
  stage.frames(2, draw);
  stage.picture("error");
  for (float y = 200; y < 500 && answer == ErrorAnswer::none; y += 12) stage.click(280, y, draw);
  EXPECT_EQ(answer, ErrorAnswer::retry);
  answer = ErrorAnswer::none;
  for (float y = 200; y < 500 && answer == ErrorAnswer::none; y += 12) stage.click(420, y, draw);
  EXPECT_EQ(answer, ErrorAnswer::close);
}

TEST(HelpPage, ClosesOnAClickBesideIt) {
  for (const bool dark : {true, false}) {
    PanelStage stage({1400, 800}, dark);
    std::vector<HelpRow> actions;
    for (const char* group : {"View", "Selection", "Search", "Marks and ranges", "Files"})
      for (int i = 0; i < 9; ++i)
        actions.push_back({group, "Does the thing number " + std::to_string(i), "Ctrl Shift F"});
    const std::vector<HelpRow> gestures = {
        {"Mouse", "Zoom about the pointer; over the byte axis of an opened stack zoom bytes",
         "wheel"},
        {"Mouse", "Pan", "drag"}};
    bool closed = false;
    float scroll_px = 0;
    const HelpRows rows{actions, gestures, "Ctrl P does anything by its name",
                        "/home/me/settings.json"};
    const auto draw = [&] {
      closed = help_page(stage.context(), rows, scroll_px) == app::HelpAnswer::close || closed;
    };
    stage.frames(2, draw);
    stage.picture(dark ? "help-dark" : "help-light");
    stage.click(700, 400, draw);
    EXPECT_FALSE(closed);
    stage.click(5, 5, draw);
    EXPECT_TRUE(closed);
  }
}

TEST(HelpPage, KeepsItsHeadAndItsFrameWhileItScrolls) {
  PanelStage stage({1280, 720});
  std::vector<HelpRow> actions;
  for (const char* group : {"View", "Selection", "Search", "Marks", "Files"}) {
    for (int i = 0; i < 24; ++i)
      actions.push_back(
          {group, "Does the thing number " + std::to_string(i), "F" + std::to_string(i)});
  }
  bool closed = false;
  float scroll_px = 0;
  const HelpRows rows{actions, {}, "Ctrl P does anything by its name", {}};
  const auto draw = [&] {
    closed = help_page(stage.context(), rows, scroll_px) == app::HelpAnswer::close || closed;
  };
  stage.frames(2, draw);
  const render::Picture top = stage.picture("help-top");
  stage.press_key(Key::end, draw);
  EXPECT_GT(scroll_px, 100);
  const render::Picture end = stage.picture("help-end");
  const auto pixel = [](const render::Picture& picture, std::size_t x, std::size_t y) {
    return picture.pixels[y * picture.width + x];
  };
  std::size_t changed_below_head = 0;
  for (std::size_t y = 24; y < 696; ++y) {
    // The frame, left and right of three columns of 330 px.
    for (const std::size_t x : {85U, 1194U})
      EXPECT_EQ(pixel(end, x, y), pixel(top, x, y)) << x << " " << y;
    for (std::size_t x = 86; x < 1180; ++x) {
      if (y < 76) {
        EXPECT_EQ(pixel(end, x, y), pixel(top, x, y));
      } else if (!(pixel(end, x, y) == pixel(top, x, y))) {
        ++changed_below_head;
      }
    }
  }
  EXPECT_GT(changed_below_head, 1000U);
  EXPECT_EQ(pixel(top, 1194, 300), stage.theme().border) << "the frame's right side";
  stage.press_key(Key::home, draw);
  EXPECT_EQ(scroll_px, 0);
  stage.click(1170, 48, draw);
  EXPECT_TRUE(closed) << "by the cross, which stayed";
}

}  // namespace
}  // namespace bytescope::app
