#include "app/text_lines.h"

#include <algorithm>
#include <utility>

#include "core/io/utf8.h"
#include "core/trace/ansi.h"

namespace bytescope::app {
namespace {

constexpr std::size_t tab_columns = 4;

}  // namespace

TextLines::TextLines(std::string text) : text_(std::move(text)) {
  // Offsets of lines take 32 bits; nobody reads a source of four gigabytes.
  if (text_.size() > UINT32_MAX) text_.resize(UINT32_MAX);
  for (std::size_t begin = 0; begin < text_.size();) {
    begins_.push_back(static_cast<std::uint32_t>(begin));
    const std::size_t end = text_.find('\n', begin);
    begin = end == std::string::npos ? text_.size() : end + 1;
  }
  for (std::size_t i = 0; i < begins_.size(); ++i) {
    const std::string_view line = raw(i);
    const auto tabs = static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t'));
    columns_ = std::max(columns_, line.size() + tabs * (tab_columns - 1));
  }
  columns_ = std::min(columns_, most_columns);
}

std::string_view TextLines::raw(std::size_t number) const {
  const std::size_t begin = begins_[number];
  const std::size_t next = number + 1 < begins_.size() ? begins_[number + 1] : text_.size();
  std::string_view line = std::string_view(text_).substr(begin, next - begin);
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string TextLines::shown(std::size_t number) const {
  // A code point has at most four bytes.
  const std::string valid = io::printable_utf8(raw(number).substr(0, 4 * most_columns));
  std::string line;
  std::size_t column = 0;
  for (std::string_view rest = valid; !rest.empty() && column < most_columns;) {
    const std::size_t size = io::first_code_point(rest).size_bytes;
    if (rest.front() == '\t') {
      const std::size_t blanks = tab_columns - column % tab_columns;
      line.append(blanks, ' ');
      column += blanks;
    } else {
      line += rest.substr(0, size);
      ++column;
    }
    rest.remove_prefix(size);
  }
  return trace::single_line(line);
}

}  // namespace bytescope::app
