// The bars at the upper and the lower edge of the window.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/panels/status_bar.h"
#include "app/panels/tab_bar.h"
#include "core/trace/loader.h"
#include "tests/app/panel_stage.h"
#include "tests/support/trace_maker.h"

namespace bytescope::app {
namespace {

using tests::PanelStage;

TEST(TabBar, AnswersTabsCrossesAndButtons) {
  for (const bool dark : {true, false}) {
    PanelStage stage({1000, 32}, dark);
    std::vector<Tab> tabs(3);
    tabs[0] = {11, "llama1b-dp8.bin", "/traces/llama1b-dp8.bin", {}, 3, false};
    tabs[1] = {12, "before-fix.bin", "/traces/before-fix.bin", 0.4F, 0, false};
    tabs[2] = {13, "broken.bin", "/traces/broken.bin", {}, 0, true};
    TabBarAnswer answer;
    const auto draw = [&] {
      const TabBarAnswer now = tab_bar(stage.context(), tabs, 11);
      if (now.activate || now.close || now.open_chooser || now.open_help) answer = now;
    };
    stage.frames(2, draw);
    stage.picture(dark ? "tabs-dark" : "tabs-light");
    stage.click(40, 18, draw);
    EXPECT_EQ(answer.activate, 11U);
    answer = {};
    stage.click(970, 16, draw);
    EXPECT_TRUE(answer.open_help);
    // Somewhere in the bar is the cross of each tab, and the plus.
    std::vector<std::uint64_t> closed;
    bool opened = false;
    for (float x = 10; x < 900; x += 8) {
      answer = {};
      stage.click(x, 18, draw);
      if (answer.close && (closed.empty() || closed.back() != *answer.close))
        closed.push_back(*answer.close);
      opened = opened || answer.open_chooser;
    }
    EXPECT_EQ(closed, (std::vector<std::uint64_t>{11, 12, 13}));
    EXPECT_TRUE(opened);
  }
}

TEST(TabBar, KeepsTheActiveTabInSightAmongMany) {
  PanelStage stage({640, 32});
  std::vector<Tab> tabs;
  for (std::uint64_t i = 0; i < 40; ++i)
    tabs.push_back({i + 1, "trace number " + std::to_string(i) + ".bin", "", {}, 0, false});
  std::optional<std::uint64_t> activated;
  const auto draw = [&] {
    if (const auto answer = tab_bar(stage.context(), tabs, 40); answer.activate)
      activated = answer.activate;
  };
  stage.frames(2, draw);
  stage.picture("tabs-many");
  for (float x = 20; x < 600; x += 16) {
    stage.click(x, 18, draw);
    if (activated == 40U) break;
  }
  EXPECT_EQ(activated, 40U);
}

TEST(StatusBar, ShowsItsTextsAndStaysInside) {
  for (const bool dark : {true, false}) {
    PanelStage stage({1300, 24}, dark);
    StatusTexts texts;
    texts.trace = "4:32.4 s  ·  24.1 M events  ·  218 MB";
    texts.cursor = "cursor 2:11.318 126 s";
    texts.range = "range —";
    texts.pointer = "AMD:3 Memory";
    texts.value = "14.2 GB live in 61 buffers";
    texts.hints = "F fit  ·  ? keys";
    const auto draw = [&] { status_bar(stage.context(), texts); };
    stage.frames(2, draw);
    const render::Picture shown = stage.picture(dark ? "status-dark" : "status-light");
    EXPECT_GT(tests::pixels_unlike(shown, stage.theme().panel), 500U);
    texts.progress = 0.6F;
    stage.frames(2, draw);
    EXPECT_NE(shown.pixels, stage.picture("status-loading").pixels);
  }
}

TEST(StatusBar, TextsOfTraceAndLoad) {
  const auto trace = tests::load_description(tests::varied_trace('L'));
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace_status(*trace).substr(0, 24), "12.0 µs  ·  15 events ");
  Progress progress;
  EXPECT_EQ(load_status(progress), "opening");
  EXPECT_EQ(fraction_done(progress), 0);
  progress.bytes_total = 218'000'000;
  progress.bytes_done = 109'000'000;
  progress.events_done = 13'200'000;
  EXPECT_EQ(load_status(progress), "loading 109.0 MB of 218.0 MB  ·  13.2 M events");
  progress.begun -= std::chrono::hours(1);
  EXPECT_EQ(load_status(progress),
            "loading 109.0 MB of 218.0 MB  ·  13.2 M events  ·  3,666 events/s");
  EXPECT_FLOAT_EQ(fraction_done(progress), 0.5F);
}

TEST(StatusBar, KeepsTheValueUnderThePointerBesideALongNotice) {
  const auto drawn = [](const char* value, const std::string& notice) {
    PanelStage stage({1280, 24});
    StatusTexts texts;
    texts.notice = notice;
    texts.trace = "1.13 s  \u00B7  200.0 k events  \u00B7  5.84 MB";
    texts.cursor = "cursor 0.385 457 s";
    texts.range = "range 57.9 ms";
    texts.pointer = "NULL:1 Memory of a device with a long name";
    texts.value = value;
    texts.hints = "F fit \u00B7 ? keys";
    stage.frames(3, [&] { status_bar(stage.context(), texts); });
    return stage.picture(notice.empty() ? "status" : "status-notice").pixels;
  };
  for (const std::string& notice : {std::string(), std::string(300, 'n')}) {
    EXPECT_NE(drawn("11.1 GB live in 111 buffers", notice),
              drawn("11.1 GB live in 118 buffers", notice));
    EXPECT_NE(drawn("11.1 GB live in 111 buffers", notice),
              drawn("81.1 GB live in 111 buffers", notice));
  }
}

}  // namespace
}  // namespace bytescope::app
