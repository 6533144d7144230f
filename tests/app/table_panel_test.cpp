#include "app/panels/table_panel.h"

#include <algorithm>
#include <cstddef>
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

TEST(TablePanel, ScrollsSidewaysByABarWhereColumnsDoNotFit) {
  tests::PanelStage stage({340, 80});
  const Table table = one_row("1");
  TableView view;
  view.follow(table, 1);
  const auto draw = [&] {
    PanelWindow window(stage.context(), "table", PanelWindow::Kind::part);
    table_panel(window, {0, 0, 340, 80}, table, view, 0);
  };
  const auto bar_pixels = [&](std::size_t y) {
    const render::Picture picture = stage.picture("table-bar");
    return std::count(picture.pixels.begin() + static_cast<std::ptrdiff_t>(y * 340),
                      picture.pixels.begin() + static_cast<std::ptrdiff_t>((y + 1) * 340),
                      stage.theme().border);
  };
  stage.frames(3, draw);
  EXPECT_GT(view.most_scroll_x_px, 100);
  EXPECT_GT(bar_pixels(77), 100);
  stage.move_pointer(20, 77);
  stage.frame(draw);
  stage.press(true);
  stage.frame(draw);
  stage.move_pointer(330, 77);
  stage.frame(draw);
  EXPECT_EQ(view.scroll_x_px, view.most_scroll_x_px);
  stage.press(false);
  stage.frame(draw);
  EXPECT_TRUE(scroll_columns(view, -100));
  EXPECT_EQ(view.scroll_x_px, 0);
  // Where all of them fit there is no bar.
  const Table narrow = [&] {
    Table first = table;
    first.columns.resize(1);
    return first;
  }();
  TableView other;
  other.follow(narrow, 1);
  stage.frames(3, [&] {
    PanelWindow window(stage.context(), "narrow", PanelWindow::Kind::part);
    table_panel(window, {0, 0, 340, 80}, narrow, other, 0);
  });
  EXPECT_EQ(bar_pixels(77), 0);
  EXPECT_FALSE(scroll_columns(other, 1));
}

TEST(TablePanel, LeavesAColumnThatWouldBeCutToScrolling) {
  // Of the last column, a text of 220 px, 30 px would be seen: neither title nor cell.
  const auto lit_right_of = [](const render::Picture& picture, std::size_t x0) {
    std::size_t lit = 0;
    for (std::size_t y = 0; y < 22; ++y)
      for (std::size_t x = x0; x < picture.width - 8; ++x)
        lit += picture.pixels[y * picture.width + x] == picture.pixels[0] ? 0 : 1;
    return lit;
  };
  EXPECT_EQ(lit_right_of(drawn("1", 316, 0), 282), 0U);
  EXPECT_GT(lit_right_of(drawn("1", 400, 0), 282), 20U);
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
