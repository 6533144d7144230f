#include "app/commands/text_table.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "app/messages.h"
#include "core/io/utf8.h"
#include "core/trace/ansi.h"

namespace bytescope::app {
namespace {

constexpr const char* gap = "  ";

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), io::begins_code_point));
}

void append_row(std::string& out, const std::vector<std::string>& cells,
                const std::vector<TextTable::Column>& columns,
                const std::vector<std::size_t>& widths) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths[i] - width(cells[i]), ' ');
    const bool right = columns[i].side == TextTable::Side::right;
    out += (i == 0 ? "" : gap) + (right ? padding + cells[i] : cells[i] + padding);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  out += '\n';
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  rows_.push_back(std::move(headings));
}

void TextTable::add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::string TextTable::text() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string out;
  for (const std::vector<std::string>& row : rows_) append_row(out, row, columns_, widths);
  return out;
}

std::string name_cell(const std::string& raw_name, std::size_t limit) {
  std::string name = printable_line(trace::plain_text(raw_name));
  if (width(name) <= limit) return name;
  std::size_t end = 0;
  for (std::size_t kept = 0; end < name.size(); ++end) {
    if (io::begins_code_point(name[end]) && kept++ == limit - 1) break;
  }
  return name.substr(0, end) + "…";
}

}  // namespace bytescope::app
