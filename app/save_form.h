#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace bytescope::app {

/// A kind of file that can be written.
struct SaveFormat {
  std::string ending;  ///< `.json`
  std::string text;    ///< What it is for: `for Perfetto`.
};

/// Where to write, while it is typed: a path, whose end tells what is written. Without drawing.
class SaveForm {
public:
  /// Begins with a path; `formats` are those that its end may name. A name that is typed without a
  /// folder means one beside it.
  void begin(std::string path, std::vector<SaveFormat> formats);

  const std::string& text() const { return text_; }
  void set_text(std::string text);
  const std::vector<SaveFormat>& formats() const { return formats_; }
  /// Which of the formats the path names; none for another end.
  std::optional<std::size_t> format() const;
  /// Gives the path the end of a format.
  void choose(std::size_t format);

  /// Says that it is to be written: the path with `~` resolved, or none, and notice() says why:
  /// something is wrong, or a file is there already; then saying so again replaces it. Looks at the
  /// disk.
  std::optional<std::string> confirm();
  /// A sentence about the path; empty when there is nothing to say.
  const std::string& notice() const { return notice_; }
  /// Whether the next confirm() replaces a file.
  bool replaces() const { return replaces_; }

private:
  std::string text_;
  std::string folder_;  ///< Of the path that it began with; with a slash at its end.
  std::vector<SaveFormat> formats_;
  std::string notice_;
  bool replaces_ = false;
};

/// `run-range.json` beside `run.bin`.
std::string path_beside(const std::string& path, const std::string& addition,
                        const std::string& ending);

}  // namespace bytescope::app
