#include "app/table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/query/fold_case.h"
#include "core/trace/ansi.h"

namespace bytescope::app {
namespace {

std::string plain_cell(const Table& table, std::size_t row, std::size_t column) {
  return trace::single_line(trace::plain_text(table.text(row, column)));
}

/// Unknown numbers stand behind all others, whichever way is sorted.
bool number_before(double a, double b, bool descending) {
  if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
  return descending ? a > b : a < b;
}

void sort_numbers(const Table& table, std::size_t column, bool descending,
                  std::vector<std::uint32_t>& order) {
  std::vector<double> numbers(table.row_count);
  for (const std::uint32_t row : order) numbers[row] = table.number(row, column);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return number_before(numbers[a], numbers[b], descending);
  });
}

void sort_texts(const Table& table, std::size_t column, bool descending,
                std::vector<std::uint32_t>& order) {
  std::vector<std::string> texts(table.row_count);
  for (const std::uint32_t row : order) texts[row] = query::folded(plain_cell(table, row, column));
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return descending ? texts[b] < texts[a] : texts[a] < texts[b];
  });
}

}  // namespace

void TableView::follow(const Table& table, std::uint64_t version) {
  if (version == version_ && filter == ordered_filter_ && sort_column_ == ordered_by_ &&
      descending_ == ordered_descending_)
    return;
  find_sort_column(table);
  version_ = version;
  ordered_filter_ = filter;
  ordered_by_ = sort_column_;
  ordered_descending_ = descending_;
  const std::string wanted = query::folded(filter);
  order_.clear();
  for (std::size_t row = 0; row < table.row_count; ++row) {
    if (table.belongs && !table.belongs(row, sort_column_, descending_)) continue;
    if (wanted.empty() ||
        query::folded(plain_cell(table, row, 0)).find(wanted) != std::string::npos)
      order_.push_back(static_cast<std::uint32_t>(row));
  }
  if (sort_column_ >= table.columns.size()) return;
  if (table.columns[sort_column_].is_number) {
    sort_numbers(table, sort_column_, descending_, order_);
  } else {
    sort_texts(table, sort_column_, descending_, order_);
  }
}

/// Columns in which nothing stands are left out: the same one may have moved, or be gone.
void TableView::find_sort_column(const Table& table) {
  if (sort_column_ == unsorted) return;
  const auto found =
      std::find_if(table.columns.begin(), table.columns.end(),
                   [this](const TableColumn& column) { return column.copied_name == sort_name_; });
  sort_column_ = found == table.columns.end()
                     ? unsorted
                     : static_cast<std::size_t>(found - table.columns.begin());
}

void TableView::sort_by(const Table& table, std::size_t column) {
  if (column >= table.columns.size()) return;
  const bool first_descending = table.columns[column].is_number;
  if (sort_column_ != column) {
    sort_column_ = column;
    sort_name_ = table.columns[column].copied_name;
    descending_ = first_descending;
  } else if (descending_ == first_descending) {
    descending_ = !descending_;
  } else {
    sort_column_ = unsorted;
  }
}

std::string table_as_tsv(const Table& table, const TableView& view) {
  std::string text;
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    text += (column == 0 ? "" : "\t") + table.columns[column].copied_name;
  text += '\n';
  for (const std::uint32_t row : view.order()) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      if (column > 0) text += '\t';
      if (!table.columns[column].is_number) {
        text += plain_cell(table, row, column);
      } else if (const double number = table.number(row, column); !std::isnan(number)) {
        text += fmt::format("{}", number);
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace bytescope::app
