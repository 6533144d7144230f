#include "app/table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/panels/table_panel.h"

namespace bytescope::app {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A row of a table that is made for a test.
struct Row {
  std::string name;
  double number = 0;
};

Table table_of(const std::vector<Row>& rows) {
  Table table;
  table.columns = {{"Name", "name", 0, false}, {"Total", "total_us", 80, true}};
  table.row_count = rows.size();
  table.text = [rows](std::size_t row, std::size_t column) {
    return column == 0 ? rows[row].name : std::to_string(rows[row].number);
  };
  table.number = [rows](std::size_t row, std::size_t) { return rows[row].number; };
  return table;
}

/// The names in the order shown.
std::vector<std::string> shown(const Table& table, const TableView& view) {
  std::vector<std::string> names;
  for (const std::uint32_t row : view.order()) names.push_back(table.text(row, 0));
  return names;
}

std::vector<std::string> sorted_by(const Table& table, std::size_t column, int clicks) {
  TableView view;
  for (int i = 0; i < clicks; ++i) view.sort_by(table, column);
  view.follow(table, 1);
  return shown(table, view);
}

TEST(TableView, NumbersSortLargestFirstThenSmallestFirstThenNotAtAll) {
  const Table table = table_of({{"b", 2}, {"c", 3}, {"a", 1}});
  EXPECT_THAT(sorted_by(table, 1, 0), ElementsAre("b", "c", "a"));
  EXPECT_THAT(sorted_by(table, 1, 1), ElementsAre("c", "b", "a"));
  EXPECT_THAT(sorted_by(table, 1, 2), ElementsAre("a", "b", "c"));
  EXPECT_THAT(sorted_by(table, 1, 3), ElementsAre("b", "c", "a"));
}

TEST(TableView, TextsSortFromAOnWhateverTheirCaseAndColours) {
  const Table table = table_of({{"\x1b[34mbeta\x1b[0m", 0}, {"ALPHA", 0}, {"\x1b[31mgamma", 0}});
  EXPECT_THAT(sorted_by(table, 0, 1), ElementsAre("ALPHA", "\x1b[34mbeta\x1b[0m", "\x1b[31mgamma"));
  EXPECT_THAT(sorted_by(table, 0, 2), ElementsAre("\x1b[31mgamma", "\x1b[34mbeta\x1b[0m", "ALPHA"));
}

TEST(TableView, UnknownNumbersAreLastBothWays) {
  const Table table = table_of({{"?", unknown}, {"1", 1}, {"??", unknown}, {"2", 2}});
  EXPECT_THAT(sorted_by(table, 1, 1), ElementsAre("2", "1", "?", "??"));
  EXPECT_THAT(sorted_by(table, 1, 2), ElementsAre("1", "2", "?", "??"));
}

TEST(TableView, EqualsKeepTheOrderOfTheTable) {
  const Table table = table_of({{"x", 1}, {"y", 2}, {"z", 1}, {"w", 2}});
  EXPECT_THAT(sorted_by(table, 1, 1), ElementsAre("y", "w", "x", "z"));
  EXPECT_THAT(sorted_by(table, 1, 2), ElementsAre("x", "z", "y", "w"));
}

TEST(TableView, SortsRandomNumbersAsThePlainWayDoes) {
  std::mt19937 random(7);
  std::vector<Row> rows(2000);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = {std::to_string(i),
               random() % 10 == 0 ? unknown : static_cast<double>(random() % 100) - 50};
  }
  const Table table = table_of(rows);
  TableView view;
  view.sort_by(table, 1);
  view.follow(table, 1);
  std::vector<std::uint32_t> plain;
  for (int value = 50; value >= -50; --value)
    for (std::uint32_t i = 0; i < rows.size(); ++i)
      if (rows[i].number == value) plain.push_back(i);
  for (std::uint32_t i = 0; i < rows.size(); ++i)
    if (std::isnan(rows[i].number)) plain.push_back(i);
  EXPECT_EQ(view.order(), plain);
}

TEST(TableView, AnotherColumnBeginsInItsOwnDirection) {
  const Table table = table_of({{"b", 2}, {"a", 1}});
  TableView view;
  view.sort_by(table, 1);
  EXPECT_TRUE(view.descending());
  view.sort_by(table, 0);
  EXPECT_EQ(view.sort_column(), 0U);
  EXPECT_FALSE(view.descending());
  view.sort_by(table, 9);
  EXPECT_EQ(view.sort_column(), 0U) << "there is no such column";
}

TEST(TableView, FilterLooksAtPlainNamesWhateverTheirCase) {
  const Table table = table_of({{"r_\x1b[34m64\x1b[0m_4", 1}, {"E_64", 2}, {"Straße ÄÖ", 3}});
  TableView view;
  view.filter = "R_64";
  view.follow(table, 1);
  EXPECT_THAT(view.order(), ElementsAre(0U));
  view.filter = "äö";
  view.follow(table, 1);
  EXPECT_THAT(view.order(), ElementsAre(2U));
  view.filter = "[34m";
  view.follow(table, 1);
  EXPECT_THAT(view.order(), IsEmpty()) << "colour codes are no text";
  view.filter = "";
  view.follow(table, 1);
  EXPECT_EQ(view.order().size(), 3U);
}

TEST(TableView, FilterAndSortingHoldForTheNextTable) {
  TableView view;
  const Table first = table_of({{"ax", 1}, {"b", 2}});
  view.filter = "x";
  view.sort_by(first, 1);
  view.follow(first, 1);
  const Table next = table_of({{"cx", 1}, {"dx", 5}, {"e", 9}, {"fx", 3}});
  view.follow(next, 2);
  EXPECT_THAT(shown(next, view), ElementsAre("dx", "fx", "cx"));
}

TEST(TableView, ATableOfFewerColumnsIsNotSortedByOneItLacks) {
  TableView view;
  Table wide = table_of({{"a", 1}, {"b", 2}});
  view.sort_by(wide, 1);
  view.follow(wide, 1);
  Table narrow = table_of({{"a", 1}, {"b", 2}});
  narrow.columns.pop_back();
  view.follow(narrow, 2);
  EXPECT_THAT(shown(narrow, view), ElementsAre("a", "b"));
}

TEST(TableAsTsv, HasNamesOfColumnsAndPlainCells) {
  const Table table =
      table_of({{"r_\x1b[34m64\x1b[0m", 0.1}, {"two\tcells\nof one", unknown}, {"e", 12345678.5}});
  TableView view;
  view.follow(table, 1);
  EXPECT_EQ(table_as_tsv(table, view),
            "name\ttotal_us\n"
            "r_64\t0.1\n"
            "two cells of one\t\n"
            "e\t12345678.5\n");
}

TEST(TableAsTsv, HasTheRowsThatAreShownInTheirOrder) {
  const Table table = table_of({{"ax", 1}, {"b", 2}, {"cx", 3}});
  TableView view;
  view.filter = "X";
  view.sort_by(table, 1);
  view.follow(table, 1);
  EXPECT_EQ(table_as_tsv(table, view), "name\ttotal_us\ncx\t3\nax\t1\n");
}

TEST(MoveChosen, GoesThroughTheOrderShownAndStaysAtItsEnds) {
  const Table table = table_of({{"a", 1}, {"b", 3}, {"c", 2}});
  TableView view;
  view.sort_by(table, 1);
  view.follow(table, 1);
  std::vector<std::size_t> chosen;
  for (const int step : {1, 1, 1, 1, -1, -10})
    chosen.push_back(move_chosen(view, step, 200).value());
  EXPECT_THAT(chosen, ElementsAre(1U, 2U, 0U, 0U, 2U, 1U));
}

TEST(MoveChosen, BeginsAtTheEndWhenGoingUpAndHasNothingInAnEmptyTable) {
  TableView view;
  EXPECT_FALSE(move_chosen(view, 1, 200));
  const Table table = table_of({{"a", 1}, {"b", 3}});
  view.follow(table, 1);
  EXPECT_EQ(move_chosen(view, -1, 200), 1U);
}

TEST(MoveChosen, KeepsTheRowInSight) {
  const Table table = table_of(std::vector<Row>(100));
  TableView view;
  view.follow(table, 1);
  constexpr float height = 124;  // five rows
  for (int i = 0; i < 100; ++i) {
    const auto row = static_cast<float>(move_chosen(view, 1, height).value());
    ASSERT_LE(view.scroll_px, row * 20) << row;
    ASSERT_GE(view.scroll_px + 100, row * 20 + 20) << row;
  }
  reveal_row(view, 3, height);
  EXPECT_EQ(view.scroll_px, 60);
}

}  // namespace
}  // namespace bytescope::app
