#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel_context.h"

namespace bytescope::app {

/// The program's own file chooser: a path that is typed (Tab completes it), the folders and traces
/// there, files of this session; or the address of a running program. Folders are read on a thread
/// of their own. What is typed behind the last slash filters the list.
class Chooser {
public:
  /// What was chosen.
  struct Answer {
    std::vector<std::string> paths;  ///< Empty: cancelled.
    bool together = false;           ///< Several shall be shown as one trace.
  };

  /// `wake` is called from another thread when a folder has been read and another frame is wanted.
  explicit Chooser(std::function<void()> wake);
  Chooser(const Chooser&) = delete;
  Chooser& operator=(const Chooser&) = delete;
  Chooser(Chooser&&) = delete;
  Chooser& operator=(Chooser&&) = delete;
  ~Chooser();

  /// Opens it in `folder` (the working folder where empty) with the files that were open before,
  /// newest first.
  void open(const std::string& folder, std::vector<std::string> recent);
  /// The same with an address of a program in its field.
  void open_at(const std::string& address, std::vector<std::string> recent);
  void close();
  bool is_open() const;
  /// Whether another frame is wanted soon although no input came.
  bool wants_another_frame() const;

  /// Draws it over the middle of the context's window and answers once, when something was chosen
  /// or it was cancelled (Escape, or a click beside it); then it is closed. Reads keys from ImGui:
  /// its text field has the keyboard all the time.
  std::optional<Answer> draw(const PanelContext& context);

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bytescope::app
