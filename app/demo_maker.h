#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/latest_worker.h"

namespace bytescope::app {

/// Where the demo trace is kept: in the cache folder of the user. None without a home folder.
std::optional<std::string> demo_path();

/// Writes the demo trace, a synthetic training run on eight devices, on a thread of its own. For
/// the window's thread.
class DemoMaker {
public:
  /// `wake` is called from the worker's thread when it has ended.
  explicit DemoMaker(std::function<void()> wake);

  /// Begins to write it to a path, whose folder is made where it is missing.
  void start(std::string path);
  bool is_busy() const { return is_busy_; }
  /// The path of what is written, or why it is not; once.
  std::optional<Expected<std::string>> take();

private:
  bool is_busy_ = false;
  LatestWorker<std::string, Expected<std::string>> worker_;
};

}  // namespace bytescope::app
