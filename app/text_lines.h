#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bytescope::app {

/// A text from elsewhere, told line by line. Costs four bytes a line beside the text.
class TextLines {
public:
  /// Lines are shown up to here.
  static constexpr std::size_t most_columns = 1000;

  explicit TextLines(std::string text);

  /// As it came: what is copied.
  const std::string& text() const { return text_; }
  std::size_t size() const { return begins_.size(); }
  /// A line as it is drawn: valid UTF-8, tabs as blanks up to the next column of four, no other
  /// control characters. `number` must be below size().
  std::string shown(std::size_t number) const;
  /// As many columns as the longest line has, or fewer where characters take several bytes.
  std::size_t columns() const { return columns_; }

private:
  std::string_view raw(std::size_t number) const;

  std::string text_;
  std::vector<std::uint32_t> begins_;
  std::size_t columns_ = 0;
};

}  // namespace bytescope::app
