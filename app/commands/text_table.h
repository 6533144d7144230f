#pragma once

#include <string>
#include <vector>

namespace bytescope::app {

/// How many of many results a command tells in a table of text.
constexpr std::size_t most_text_rows = 1000;

/// A table of text for people, whose columns are as wide as their widest cell.
class TextTable {
public:
  /// Where the text of a column stands.
  enum class Side { left, right };
  struct Column {
    std::string heading;
    Side side = Side::left;
  };

  explicit TextTable(std::vector<Column> columns);
  /// Adds a row with a cell for each column.
  void add(std::vector<std::string> cells);
  /// The headings and rows, a line each.
  std::string text() const;

private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// A raw name for a cell: without colour codes, on one line, at most `limit` characters.
std::string name_cell(const std::string& raw_name, std::size_t limit = 48);

}  // namespace bytescope::app
