#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/fact_sheet.h"
#include "app/panels/help_page.h"
#include "app/panels/pages.h"
#include "app/panels/selection_panel.h"
#include "app/panels/status_bar.h"
#include "app/panels/summary_panel.h"
#include "app/panels/tab_bar.h"
#include "app/panels/tooltip.h"
#include "app/summary_facts.h"
#include "core/trace/loader.h"
#include "render/window_areas.h"
#include "tests/app/panel_stage.h"
#include "tests/support/trace_files.h"
#include "tests/support/trace_maker.h"

namespace bytescope::app {
namespace {

using render::Box;
using tests::PanelStage;

constexpr render::gl::PixelSize panel_size{340, 700};

FactSheet sheet_with_everything() {
  FactSheet sheet;
  sheet.raw_title = "r_\x1b[34m64\x1b[0m_\x1b[34m16\x1b[0m_\x1b[31m512\x1b[0m_\x1b[33m4\x1b[0m";
  Selection buffer;
  buffer.kind = Selection::Kind::buffer;
  buffer.number = 7;
  sheet.sections = {
      {"",
       {{"start", "2:11.318 126 s", false, {}},
        {"duration", "22.4 µs", false, {}},
        {"span", "#56,167 · 912 of 4,032", false, {}},
        {"compute", "1.29 TFLOPS", false, {}}}},
      {"Buffers",
       {{"write data0", "16.8 MB", false, buffer}, {"read data1", "67.1 MB", false, {}}}},
      {"Call stack",
       {{"",
         "/home/me/tinygrad/tinygrad/nn/optim.py:62 in schedule_step\n  return a + b",
         true,
         {}},
        {"", "examples/llama.py:412 in <module>\n  optimizer.step()", true, {}}}}};
  return sheet;
}

SummaryFacts facts_with_everything() {
  SummaryFacts facts;
  facts.rows = {{"duration", "4 min 32.4 s"},
                {"events", "24,118,204"},
                {"step …", "14 × 19.2 s"},
                {"device busy", "92%"},
                {"AMD:5 least busy", "81%", true, SummaryRow::Target::slowest_device},
                {"peak", "17.9 GB  AMD:7", false, SummaryRow::Target::peak},
                {"never freed", "9.10 GB"}};
  const char* names[] = {
      "r_\x1b[34m4\x1b[0m_\x1b[36m2\x1b[0m_\x1b[31m4096\x1b[0m_\x1b[33m64\x1b[0m",
      "E_\x1b[34m32\x1b[0m_\x1b[36m4096\x1b[0m_\x1b[33m64\x1b[0m", "fa_fwd"};
  double share = 0.18;
  for (const char* name : names) {
    SummaryKernel kernel;
    kernel.raw_name = name;
    kernel.style = trace::style_of(trace::TrackRole::device, name);
    kernel.share = share;
    kernel.share_text = "18%";
    kernel.facts = {{"spans", "1,401", false, {}}};
    facts.kernels.push_back(kernel);
    share /= 2;
  }
  facts.warnings = {
      "The track's peak of 5 B is not the largest total of its events, 7 B at track 3 "
      "(\"AMD Memory\")"};
  facts.file = {{"file", "218.3 MB"}, {"dialect", "L, since 2026-05-04"}, {"tracks", "38"}};
  return facts;
}

TEST(SelectionPanel, AnswersTheLinkThatWasClicked) {
  for (const bool dark : {true, false}) {
    PanelStage stage(panel_size, dark);
    const FactSheet sheet = sheet_with_everything();
    SelectionAnswer answer;
    const auto draw = [&] {
      const SelectionAnswer now = selection_panel(stage.context(), "Selection", sheet);
      if (now.link) answer = now;
    };
    stage.frames(2, draw);
    stage.picture(dark ? "selection-dark" : "selection-light");
    ASSERT_FALSE(answer.link);
    for (float y = 150; y < 220 && !answer.link; y += 8) stage.click(100, y, draw);
    ASSERT_TRUE(answer.link);
    EXPECT_EQ(answer.link->number, 7U);
  }
}

TEST(SelectionPanel, AnswersTheValueToBeCopied) {
  PanelStage stage(panel_size);
  const FactSheet sheet = sheet_with_everything();
  std::optional<std::string> copied;
  const auto draw = [&] {
    if (const auto answer = selection_panel(stage.context(), "Selection", sheet); answer.copy)
      copied = answer.copy;
  };
  stage.frames(2, draw);
  stage.click(100, 78, draw);
  EXPECT_EQ(copied, "2:11.318 126 s");
}

TEST(SelectionPanel, AnswersItsCross) {
  PanelStage stage(panel_size);
  bool closed = false;
  const FactSheet sheet = sheet_with_everything();
  const auto draw = [&] {
    closed = selection_panel(stage.context(), "Selection", sheet).close || closed;
  };
  stage.frames(2, draw);
  stage.click(340 - 20, 22, draw);
  EXPECT_TRUE(closed);
}

TEST(SummaryPanel, AnswersTheDeviceAndTheKernelThatWereClicked) {
  for (const bool dark : {true, false}) {
    PanelStage stage(panel_size, dark);
    const SummaryFacts facts = facts_with_everything();
    SummaryAnswer answer;
    const auto draw = [&] {
      const SummaryAnswer now = summary_panel(stage.context(), facts);
      if (now.kernel || now.target != SummaryRow::Target::none) answer = now;
    };
    stage.frames(2, draw);
    stage.picture(dark ? "summary-dark" : "summary-light");
    stage.click(60, 42 + 4 * 20 + 5, draw);
    EXPECT_EQ(answer.target, SummaryRow::Target::slowest_device);
    stage.click(60, 42 + 7 * 20 + 16 + 26 + 22 + 8, draw);
    stage.picture(dark ? "summary-hover-dark" : "summary-hover-light");
    EXPECT_EQ(answer.kernel, 1U);
  }
}

TEST(SummaryPanel, ScrollsWhatDoesNotFit) {
  PanelStage stage({340, 200});
  const SummaryFacts facts = facts_with_everything();
  const auto draw = [&] { summary_panel(stage.context(), facts); };
  stage.frames(3, draw);
  const render::Picture top = stage.picture("summary-small");
  stage.move_pointer(100, 100);
  InputEvent wheel;
  wheel.kind = InputEvent::Kind::scroll;
  wheel.scroll_y = -2;
  stage.feed(wheel);
  stage.frames(3, draw);
  EXPECT_NE(top.pixels, stage.picture("summary-small-scrolled").pixels);
}

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

TEST(Tooltip, StandsBesideThePointerAndFlipsAtTheEdges) {
  PanelStage stage({900, 600});
  const FactSheet sheet = sheet_with_everything();
  const struct {
    float x, y;
    bool right, below;
  } cases[] = {{100, 100, true, true}, {880, 100, false, true}, {100, 580, true, false}};
  for (const auto& at : cases) {
    stage.frames(2, [&] { tooltip(stage.context(), sheet, at.x, at.y); });
    const render::Picture shown = stage.picture("tooltip");
    const auto covered = [&](float x, float y) {
      return !(
          shown.pixels[static_cast<std::size_t>(y) * shown.width + static_cast<std::size_t>(x)] ==
          stage.theme().panel);
    };
    const float x = at.right ? at.x + 30 : at.x - 30;
    const float y = at.below ? at.y + 30 : at.y - 30;
    EXPECT_TRUE(covered(x, y)) << at.x << " " << at.y;
    EXPECT_FALSE(covered(at.x, at.y));
  }
}

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

TEST(Panels, WholeWindowOfARealTrace) {
  std::vector<std::string> paths = tests::real_traces();
  if (paths.empty()) GTEST_SKIP() << "no real traces here";
  const auto found = std::find_if(paths.begin(), paths.end(), [](const std::string& path) {
    return path.find("2026-05-04-c02e390c2b-dpviz.bin") != std::string::npos;
  });
  ASSERT_NE(found, paths.end());
  const auto trace = trace::load_trace(*found, {}, never);
  ASSERT_TRUE(trace.has_value());
  const SummaryFacts facts = summary_facts(**trace, query::summarize(**trace, never));
  for (const bool dark : {true, false}) {
    PanelStage stage({1280, 720}, dark, dark ? 1.0F : 2.0F);
    const render::WindowAreas areas =
        render::window_areas(stage.context().window_width, stage.context().window_height, true);
    StatusTexts texts;
    texts.trace = trace_status(**trace);
    const Tab tab{1, "dpviz.bin", *found, {}, 0, false};
    stage.frames(3, [&] {
      tab_bar(stage.context(areas.tabs), {&tab, 1}, 1);
      if (areas.panel.width() > 0) summary_panel(stage.context(areas.panel), facts);
      status_bar(stage.context(areas.status), texts);
    });
    EXPECT_GT(tests::pixels_unlike(stage.picture(dark ? "window-dark" : "window-light"),
                                   stage.theme().panel),
              2000U);
  }
}

}  // namespace
}  // namespace bytescope::app
