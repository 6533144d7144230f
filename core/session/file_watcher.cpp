#include "core/session/file_watcher.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

namespace bytescope::session {

FileWatcher::FileWatcher(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this] { loop(); }) {}

FileWatcher::~FileWatcher() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void FileWatcher::watch(Files files, const Pace& pace) {
  {
    const std::scoped_lock lock(mutex_);
    if (files == watched_ && pace == pace_) return;
    watched_ = std::move(files);
    pace_ = pace;
    is_asked_ = true;
  }
  changed_.notify_all();
}

FileWatcher::Seen FileWatcher::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(seen_, {});
}

/// Takes note of new files and forgets those that are watched no more. Answers whether any new one
/// has changed already since it was opened.
bool FileWatcher::follow(const Files& files) {
  bool any_changed = false;
  std::erase_if(looks_, [&](const Look& look) {
    return std::find(files.begin(), files.end(), look.file) == files.end();
  });
  for (const auto& file : files) {
    const bool is_known = std::any_of(looks_.begin(), looks_.end(),
                                      [&](const Look& look) { return look.file == file; });
    if (is_known) continue;
    looks_.push_back({file, file->stamps_now(), Clock::now(), false});
    any_changed = any_changed || file->on_disk() != io::OnDisk::same;
  }
  return any_changed;
}

/// Looks at each file once.
FileWatcher::Seen FileWatcher::look(const Pace& pace) {
  Seen seen;
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
      seen.any_changed = true;
    }
    const bool rests = exists && pace.rest && now - look.since >= *pace.rest;
    if (look.is_told || !rests || look.file->on_disk() != io::OnDisk::changed) continue;
    look.is_told = true;
    seen.rested.push_back(look.file);
  }
  return seen;
}

FileWatcher::Seen FileWatcher::look_at(const Files& files, const Pace& pace) {
  try {
    const bool any_changed = follow(files);
    Seen seen = look(pace);
    seen.any_changed = seen.any_changed || any_changed;
    return seen;
  } catch (const std::bad_alloc&) {
    return {};  // the next look may have the memory
  }
}

/// Hands over what is new; unlocks meanwhile, as whoever is woken may ask for it at once.
void FileWatcher::publish(Seen seen, std::unique_lock<std::mutex>& lock) {
  if (!seen.any_changed && seen.rested.empty()) return;
  seen_.any_changed = seen_.any_changed || seen.any_changed;
  std::move(seen.rested.begin(), seen.rested.end(), std::back_inserter(seen_.rested));
  lock.unlock();
  wake_();
  lock.lock();
}

void FileWatcher::loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    is_asked_ = false;
    // The copy keeps nothing: whoever closes a file is not held up by a look at it.
    Files files = watched_;
    const Pace pace = pace_;
    lock.unlock();
    Seen seen = look_at(files, pace);
    const bool sleeps = files.empty();
    files.clear();
    lock.lock();
    publish(std::move(seen), lock);
    const auto is_called = [this] { return stopping_ || is_asked_; };
    if (sleeps) {
      changed_.wait(lock, is_called);
    } else {
      changed_.wait_for(lock, pace.look, is_called);
    }
  }
}

}  // namespace bytescope::session
