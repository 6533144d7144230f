#include "core/net/program_data.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace bytescope::net {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t widest_column = 64;

/// A cell is one line; a title may be told with more beside it.
std::string cell_text(const element& cell) {
  std::string_view text;
  object with_title;
  if (cell.is_null()) return {};
  if (cell.get(with_title) == simdjson::SUCCESS) {
    element title;
    if (with_title["title"].get(title) == simdjson::SUCCESS && title.is_string())
      return cell_text(title);
  }
  if (cell.get(text) != simdjson::SUCCESS) return simdjson::minify(cell);
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::vector<std::string> cells_of(const element& row) {
  array cells;
  if (row.get(cells) != simdjson::SUCCESS) return {cell_text(row)};
  std::vector<std::string> texts;
  for (const element& cell : cells) texts.push_back(cell_text(cell));
  return texts;
}

/// Rows with their cells beneath each other; empty where no row has any.
std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    if (widths.size() < row.size()) widths.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], std::min(row[i].size(), widest_column));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 == row.size()) continue;
      line.append(widths[i] - std::min(row[i].size(), widths[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return widths.empty() ? std::string() : text;
}

/// The table, and a line for each other thing that is told.
std::string object_text(const object& from) {
  std::vector<std::vector<std::string>> rows;
  array listed;
  element titles;
  if (from["rows"].get(listed) == simdjson::SUCCESS && listed.size() > 0) {
    if (from["cols"].get(titles) == simdjson::SUCCESS) rows.push_back(cells_of(titles));
    for (const element& row : listed) rows.push_back(cells_of(row));
  }
  std::string text = table_text(rows);
  for (const auto& [key, value] : from) {
    if (key == "rows" || key == "cols") continue;
    const std::string told = text_of_data(value);
    if (!told.empty()) text += std::string(key) + ": " + told + '\n';
  }
  return text;
}

}  // namespace

std::string text_of_data(const element& data) {
  std::string_view text;
  object from;
  array list;
  if (data.is_null()) return {};
  if (data.get(text) == simdjson::SUCCESS) return std::string(text);
  if (data.get(from) == simdjson::SUCCESS) return object_text(from);
  if (data.get(list) == simdjson::SUCCESS && list.size() == 0) return {};
  return simdjson::minify(data);
}

}  // namespace bytescope::net
