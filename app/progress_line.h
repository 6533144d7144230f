#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "core/cancel.h"

namespace bytescope::app {

/// While it lives, a line on standard error tells how many events are done, or how much is
/// unpacked: only on a terminal, and only when the work takes longer than half a second.
class ProgressLine {
public:
  /// `what` stands before the numbers; `progress` must outlive the line.
  ProgressLine(std::string what, const Progress& progress);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ProgressLine(ProgressLine&&) = delete;
  ProgressLine& operator=(ProgressLine&&) = delete;
  /// Wipes the line.
  ~ProgressLine();

private:
  void show_until_done();

  std::string what_;
  const Progress& progress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace bytescope::app
