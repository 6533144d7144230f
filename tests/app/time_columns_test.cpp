#include <array>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "app/answers/answer.h"
#include "app/panels/panel_window.h"
#include "tests/app/answer_trace.h"
#include "tests/app/panel_stage.h"
#include "tests/app/published_answers.h"
#include "tests/support/trace_maker.h"

namespace bytescope::app {
namespace {

// A sum that is cut away to nothing is the one thing that a table of sums may not do.
TEST(TimeColumns, HaveRoomForSumsOfNearlyAnHour) {
  const auto trace = tests::load_description(tests::answer_trace());
  tests::PanelStage stage({640, 60});
  const std::set<std::string> sums = {"Total",   "Self",    "Time",    "Length",
                                      "Copying", "Exposed", "Duration"};
  std::set<std::string> met;
  stage.frame([&] {
    const PanelWindow window(stage.context(), "table", PanelWindow::Kind::part);
    const float needed = window.width_of(render::Face::mono_11, "59 min 59.9 s");
    for (const AnswerTab& tab : answer_tabs()) {
      AnswerRequest request;
      request.kind = tab.kind;
      request.trace = trace;
      const auto answer = tests::answer_to(request);
      if (!answer) continue;
      for (const auto& column : answer->table.columns) {
        if (!sums.contains(column.title)) continue;
        met.insert(column.title);
        EXPECT_GE(column.width_px, needed + 8) << tab.title << ' ' << column.title;
      }
    }
  });
  EXPECT_GE(met.size(), 4U);
}

}  // namespace
}  // namespace bytescope::app
