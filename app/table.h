#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bytescope::app {

/// A column of a table.
struct TableColumn {
  std::string title;        ///< As shown.
  std::string copied_name;  ///< As copied: with the unit of the numbers, such as `total_us`.
  float width_px = 80;      ///< At least; what is left goes to the first and wide ones of text.
  bool is_number = true;    ///< Right-aligned, sorted by `number`, largest first.
};

/// Rows of an answer. They are told when they are drawn: a table of 20,000 rows costs nothing until
/// then. The functions are for the window's thread.
struct Table {
  std::vector<TableColumn> columns;
  std::size_t row_count = 0;
  /// What stands in a cell; raw text, colour codes included.
  std::function<std::string(std::size_t row, std::size_t column)> text;
  /// The number in a cell of a column of numbers; NaN where it is unknown.
  std::function<double(std::size_t row, std::size_t column)> number;
  /// Whether a row belongs to the table sorted by `column` (TableView::unsorted: by none), where it
  /// lists the first of more than it has; empty: all do.
  std::function<bool(std::size_t row, std::size_t column, bool descending)> belongs;
  /// A share (0 to 1) drawn as a bar behind the first column; may be empty.
  std::function<double(std::size_t row)> share;
  /// The first column is no wider, so that the others stay near it.
  float most_first_px = 560;
  std::size_t typed_column = 0;  ///< Where something is typed anew, see TableView::typed.
};

/// How a table is looked at, and the order of its rows that follows from it.
class TableView {
public:
  static constexpr std::size_t unsorted = SIZE_MAX;

  /// Orders the rows of `table` anew where it, the filter or the sorting has changed; `version`
  /// tells tables apart. Costs O(rows log rows) then, nothing else.
  void follow(const Table& table, std::uint64_t version);
  /// Row numbers in the order shown, those that the filter leaves.
  const std::vector<std::uint32_t>& order() const { return order_; }

  /// Sorts by a column; by the same one again: the other way around, then not at all.
  void sort_by(const Table& table, std::size_t column);
  std::size_t sort_column() const { return sort_column_; }
  bool descending() const { return descending_; }

  /// What the first column has to hold, whatever the case.
  std::string filter;
  float scroll_px = 0;
  float scroll_x_px = 0;
  float most_scroll_x_px = 0;  ///< As far as it can, where it was drawn last; 0: all columns fit.
  std::size_t chosen = unsorted;  ///< Row under the cursor of the keyboard.
  std::size_t typed = unsorted;   ///< Row with a field: its cell is left to that.

private:
  void find_sort_column(const Table& table);

  std::size_t sort_column_ = unsorted;
  std::string sort_name_;  // copied_name of that column: another table may have it elsewhere
  bool descending_ = true;
  std::vector<std::uint32_t> order_;
  std::uint64_t version_ = 0;
  std::string ordered_filter_;
  std::size_t ordered_by_ = unsorted;
  bool ordered_descending_ = true;
};

/// The rows in the order shown as tab-separated values with a line of names: plain text without
/// colour codes, tabs and line breaks; numbers with all digits, nothing where unknown.
std::string table_as_tsv(const Table& table, const TableView& view);

}  // namespace bytescope::app
