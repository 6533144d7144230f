#include "core/session/file_watcher.h"

#include <algorithm>
#include <new>
#include <utility>

namespace bytescope::session {

FileWatcher::FileWatcher(std::function<void()> wake, Pace pace)
    : wake_(std::move(wake)), pace_(pace), thread_([this] { loop(); }) {}

FileWatcher::~FileWatcher() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void FileWatcher::watch(Files files) {
  {
    const std::scoped_lock lock(mutex_);
    if (files == watched_) return;
    watched_ = std::move(files);
  }
  changed_.notify_all();
}

FileWatcher::Files FileWatcher::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(rested_, {});
}

/// Takes note of new files and forgets those that are watched no more.
void FileWatcher::follow(const Files& files) {
  std::erase_if(looks_, [&](const Look& look) {
    return std::find(files.begin(), files.end(), look.file) == files.end();
  });
  for (const auto& file : files) {
    const bool is_known = std::any_of(looks_.begin(), looks_.end(),
                                      [&](const Look& look) { return look.file == file; });
    if (!is_known) looks_.push_back({file, file->stamps_now(), Clock::now(), false});
  }
}

/// Looks at each file once; those that rest after a change.
FileWatcher::Files FileWatcher::look() {
  Files rested;
  const Clock::time_point now = Clock::now();
  for (Look& look : looks_) {
    std::vector<io::FileStamp> stamps = look.file->stamps_now();
    const bool exists =
        !stamps.empty() &&
        std::all_of(stamps.begin(), stamps.end(), [](const auto& stamp) { return stamp.exists; });
    if (stamps != look.stamps) {
      look.stamps = std::move(stamps);
      look.since = now;
      look.is_told = false;
    }
    const bool rests = exists && now - look.since >= pace_.rest;
    if (look.is_told || !rests || look.file->on_disk() != io::OnDisk::changed) continue;
    look.is_told = true;
    rested.push_back(look.file);
  }
  return rested;
}

void FileWatcher::loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    // The copy keeps nothing: whoever closes a file is not held up by a look at it.
    Files files = watched_;
    lock.unlock();
    Files rested;
    try {
      follow(files);
      rested = look();
    } catch (const std::bad_alloc&) {
      // The next look may have the memory.
    }
    const bool sleeps = files.empty();
    files.clear();
    lock.lock();
    const bool is_news = !rested.empty();
    if (is_news) rested_ = std::move(rested);
    if (is_news) {
      lock.unlock();
      wake_();
      lock.lock();
    }
    const auto is_asked = [&] { return stopping_ || (sleeps && !watched_.empty()); };
    if (sleeps) {
      changed_.wait(lock, is_asked);
    } else {
      changed_.wait_for(lock, pace_.look, [this] { return stopping_ || watched_.empty(); });
    }
    if (stopping_) return;
  }
}

}  // namespace bytescope::session
