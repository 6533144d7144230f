#include "app/panels/table_panel.h"

#include <string>

#include <gtest/gtest.h>

#include "app/panels/panel_window.h"
#include "tests/app/panel_stage.h"

namespace bytescope::app {
namespace {

/// A name, a number and a text, each column 100 px wide or more.
Table one_row(const std::string& number) {
  Table table;
  table.columns = {{"Name", "name", 0, false},
                   {"Count", "count", 100, true},
                   {"Meanwhile", "meanwhile", 220, false}};
  table.row_count = 1;
  table.text = [number](std::size_t, std::size_t column) {
    return column == 0 ? std::string("kernel") : column == 1 ? number : std::string("step 1");
  };
  table.number = [number](std::size_t, std::size_t) { return std::stod(number); };
  return table;
}

render::Picture drawn(const std::string& number, int width, float scroll_x_px) {
  tests::PanelStage stage({width, 60});
  const Table table = one_row(number);
  TableView view;
  view.follow(table, 1);
  view.scroll_x_px = scroll_x_px;
  stage.frames(3, [&] {
    PanelWindow window(stage.context(), "table", PanelWindow::Kind::part);
    table_panel(window, {0, 0, static_cast<float>(width), 60}, table, view, 0);
  });
  return stage.picture("table-" + std::to_string(width));
}

TEST(TablePanel, ShowsNumbersWholeOrNotAtAll) {
  const auto is_shown = [](int width, float scroll_x_px) {
    return drawn("11111111", width, scroll_x_px).pixels !=
           drawn("88888888", width, scroll_x_px).pixels;
  };
  EXPECT_TRUE(is_shown(520, 0));
  // Its last digit is beneath the scroll bar, half of it beyond the right edge, then all of it.
  EXPECT_FALSE(is_shown(190, 0));
  EXPECT_FALSE(is_shown(140, 0));
  EXPECT_FALSE(is_shown(90, 0));
  // Half of it is beneath the first column.
  EXPECT_TRUE(is_shown(340, 0));
  EXPECT_FALSE(is_shown(340, 60));
}

TEST(TablePanel, WideColumnsOfTextShareWhatRoomIsLeft) {
  // Of a wide window the text at the end takes its part: it begins well before its own width.
  const render::Picture wide = drawn("1", 1200, 0);
  std::size_t first_lit = 0;
  for (std::size_t x = 1199; x > 640; --x) {
    for (std::size_t y = 26; y < 42; ++y)
      if (wide.pixels[y * 1200 + x] != wide.pixels[59 * 1200 + 1199]) first_lit = x;
  }
  EXPECT_GT(first_lit, 640U);
  EXPECT_LT(first_lit, 1200U - 220 - 100);
}

}  // namespace
}  // namespace bytescope::app
