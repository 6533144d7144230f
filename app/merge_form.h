#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bytescope::app {

/// The offsets of files that are shown as one trace, while they are typed. Without drawing.
class MergeForm {
public:
  /// A file and its offset.
  struct Row {
    std::string name;
    std::string text;
    std::int64_t offset_us = 0;  ///< What the text says, or said last.
    bool is_wrong = false;       ///< The text is no offset.
  };

  /// Begins with these files; `offsets_us` may be fewer: the others have 0.
  void begin(const std::vector<std::string>& names, const std::vector<std::int64_t>& offsets_us);

  const std::vector<Row>& rows() const { return rows_; }
  void set_text(std::size_t row, std::string text);
  /// Whether all texts are offsets and one of them is another than at the beginning.
  bool is_changed() const;
  /// A sentence about what is typed; empty when there is nothing to say.
  std::string notice() const;
  /// All offsets, or none while a text is wrong.
  std::optional<std::vector<std::int64_t>> offsets_us() const;

private:
  std::vector<Row> rows_;
  std::vector<std::int64_t> before_us_;
};

}  // namespace bytescope::app
