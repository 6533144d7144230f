#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/io/file_stamp.h"
#include "core/io/input_file.h"

namespace bytescope::session {

/// Looks, on a thread of its own, whether files were written again or are gone, and tells those
/// that rest since then: whoever writes is done with them. All functions are for one thread.
class FileWatcher {
public:
  using Files = std::vector<std::shared_ptr<const io::InputFile>>;

  /// How often files are looked at, and how long one has to stay as it is; none: nobody asks.
  struct Pace {
    std::chrono::milliseconds look{250};
    std::optional<std::chrono::milliseconds> rest{1000};
    bool operator==(const Pace&) const = default;
  };
  /// What was seen since it was asked last.
  struct Seen {
    bool any_changed = false;  ///< A file has changed, is gone, or is as it was again.
    Files rested;  ///< Those that were written again since they were opened and rest. Each is told
                   ///< once, and once more whenever it is written again.
  };

  /// `wake` is called from the thread when take() has something new.
  explicit FileWatcher(std::function<void()> wake);
  FileWatcher(const FileWatcher&) = delete;
  FileWatcher& operator=(const FileWatcher&) = delete;
  FileWatcher(FileWatcher&&) = delete;
  FileWatcher& operator=(FileWatcher&&) = delete;
  /// Waits for a look under way.
  ~FileWatcher();

  /// Watches these files from now on, and no others. With none it sleeps.
  void watch(Files files, const Pace& pace);
  Seen take();

private:
  using Clock = std::chrono::steady_clock;
  struct Look {
    std::shared_ptr<const io::InputFile> file;
    std::vector<io::FileStamp> stamps;
    Clock::time_point since;
    bool is_told = false;
  };

  void loop();
  Seen look_at(const Files& files, const Pace& pace);
  bool follow(const Files& files);
  Seen look(const Pace& pace);
  void publish(Seen seen, std::unique_lock<std::mutex>& lock);

  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Files watched_;
  Pace pace_;
  Seen seen_;
  bool is_asked_ = false;  // for other files, or at another pace
  bool stopping_ = false;
  std::vector<Look> looks_;  // the thread's own
  std::thread thread_;       // last: it uses all of the above
};

}  // namespace bytescope::session
