#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bytescope::io {

/// Appends rows of comma-separated values as RFC 4180 says, lines ended by LF. What is unknown is
/// an empty cell.
class CsvWriter {
public:
  /// Appends to `out`, which must outlive the writer.
  explicit CsvWriter(std::string& out) : out_(out) {}

  /// Quoted where it must be. Bytes that are not UTF-8 stay as they are in the file.
  CsvWriter& text(std::string_view text);
  CsvWriter& text_or_none(const std::optional<std::string>& text) {
    return this->text(text ? std::string_view(*text) : std::string_view());
  }
  /// The shortest text that reads back.
  CsvWriter& number(double value);
  CsvWriter& number(const std::optional<double>& value) {
    return value ? number(*value) : text(std::string_view());
  }
  template <std::integral T>
  CsvWriter& number(T value) {
    return text(std::to_string(value));
  }
  /// The same for a duration, which is a float in the file where nothing was cut off.
  CsvWriter& duration(double value);
  CsvWriter& end_row();

private:
  void separate();
  std::string& out_;
  bool is_first_ = true;
};

}  // namespace bytescope::io
