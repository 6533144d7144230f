#pragma once

#include <condition_variable>
#include <mutex>

namespace bytescope::tests {

/// Holds threads up at their first call of wake() until it is opened: what happens while they work
/// does not depend on how long they take.
class Gate {
public:
  void wake() {
    std::unique_lock lock(mutex_);
    is_called_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_open_; });
  }
  void wait_for_call() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_called_; });
  }
  void open() {
    const std::scoped_lock lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_called_ = false;
  bool is_open_ = false;
};

}  // namespace bytescope::tests
