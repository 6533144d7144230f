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
