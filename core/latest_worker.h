#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "core/cancel.h"

namespace bytescope {

/// A thread that works on the latest request only: a newer one replaces what waits. What runs is
/// finished, so that a view in motion still gets results now and then; cancel() ends it early.
/// Results may come in several steps; work that runs out of memory gives none. All functions are
/// for one thread.
template <class Request, class Result>
class LatestWorker {
public:
  /// Hands a (further) result over to take().
  using Publish = std::function<void(std::shared_ptr<const Result>)>;
  /// Does the work on the worker's thread; returns early when cancelled.
  using Work = std::function<void(const Request&, const Cancel&, const Publish&)>;

  /// `wake` is called from the worker's thread after each result.
  LatestWorker(Work work, std::function<void()> wake)
      : work_(std::move(work)), wake_(std::move(wake)), thread_([this] { loop(); }) {}
  LatestWorker(const LatestWorker&) = delete;
  LatestWorker& operator=(const LatestWorker&) = delete;
  LatestWorker(LatestWorker&&) = delete;
  LatestWorker& operator=(LatestWorker&&) = delete;
  ~LatestWorker() {
    {
      const std::scoped_lock lock(mutex_);
      stopping_ = true;
      waiting_.reset();
      if (running_) running_->request();
    }
    changed_.notify_all();
    thread_.join();
  }

  void request(Request next) {
    {
      const std::scoped_lock lock(mutex_);
      waiting_.emplace(std::move(next));
    }
    changed_.notify_all();
  }

  /// Ends what runs as soon as it notices, and forgets what waits. Results that it had are dropped.
  void cancel() {
    const std::scoped_lock lock(mutex_);
    waiting_.reset();
    result_ = nullptr;
    if (running_) running_->request();
  }

  /// The newest result since the last call, or null.
  std::shared_ptr<const Result> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(result_, nullptr);
  }

  /// Whether nothing waits and nothing runs; then take() answers the last there is.
  /// Who hears that it is not is woken when it is.
  bool idle() const {
    const std::scoped_lock lock(mutex_);
    const bool is_idle = !waiting_ && !running_;
    wake_when_idle_ = wake_when_idle_ || !is_idle;
    return is_idle;
  }

  /// Waits until idle().
  void settle() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !waiting_ && !running_; });
  }

private:
  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return stopping_ || waiting_; });
      if (stopping_) return;
      const Request request = std::move(*waiting_);
      waiting_.reset();
      running_ = std::make_shared<Cancel>();
      const std::shared_ptr<Cancel> cancel = running_;
      lock.unlock();
      try {
        work_(request, *cancel, [this, &cancel](std::shared_ptr<const Result> result) {
          publish(*cancel, std::move(result));
        });
      } catch (const std::bad_alloc&) {
        // Out of a thread's function it would end the program; so only this answer is missing.
      }
      lock.lock();
      running_.reset();
      changed_.notify_all();
      if (waiting_ || !std::exchange(wake_when_idle_, false)) continue;
      lock.unlock();
      wake_();
      lock.lock();
    }
  }

  void publish(const Cancel& cancel, std::shared_ptr<const Result> result) {
    {
      const std::scoped_lock publishing(mutex_);
      if (cancel.requested()) return;
      result_ = std::move(result);
    }
    wake_();
  }

  Work work_;
  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Request> waiting_;
  std::shared_ptr<Cancel> running_;
  std::shared_ptr<const Result> result_;
  bool stopping_ = false;
  mutable bool wake_when_idle_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace bytescope
