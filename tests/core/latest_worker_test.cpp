#include "core/latest_worker.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace bytescope {
namespace {

using Worker = LatestWorker<int, int>;

/// Something that a worker's thread waits for.
class Signal {
public:
  void set() {
    const std::scoped_lock lock(mutex_);
    is_set_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_set_; });
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_set_ = false;
};

void publish_double(const int& request, const Cancel&, const Worker::Publish& publish) {
  publish(std::make_shared<const int>(request * 2));
}

void wait_until_cancelled(const Cancel& cancel) {
  while (!cancel.requested()) std::this_thread::yield();
}

}  // namespace

TEST(LatestWorker, AnswersARequestOnceAndWakes) {
  std::atomic<int> wakes{0};
  Worker worker(publish_double, [&wakes] { ++wakes; });
  EXPECT_TRUE(worker.idle());
  EXPECT_EQ(worker.take(), nullptr);
  worker.request(21);
  worker.settle();
  EXPECT_TRUE(worker.idle());
  EXPECT_EQ(wakes, 1);
  const auto result = worker.take();
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(*result, 42);
  EXPECT_EQ(worker.take(), nullptr);
}

TEST(LatestWorker, FinishesWhatRunsAndSkipsWhatWasReplaced) {
  Signal started;
  Signal go_on;
  std::vector<int> worked;
  Worker worker(
      [&](const int& request, const Cancel& cancel, const Worker::Publish& publish) {
        worked.push_back(request);
        if (request == 1) {
          started.set();
          go_on.wait();
          EXPECT_FALSE(cancel.requested());
        }
        publish_double(request, cancel, publish);
      },
      [] {});
  worker.request(1);
  started.wait();
  EXPECT_FALSE(worker.idle());
  for (const int request : {2, 3, 4}) worker.request(request);
  go_on.set();
  worker.settle();
  EXPECT_EQ(worked, (std::vector<int>{1, 4}));
  EXPECT_EQ(*worker.take(), 8);
}

TEST(LatestWorker, HandsResultsOverInSteps) {
  Signal first;
  Signal go_on;
  Worker worker(
      [&](const int& request, const Cancel& cancel, const Worker::Publish& publish) {
        publish(std::make_shared<const int>(request));
        first.set();
        go_on.wait();
        publish_double(request, cancel, publish);
      },
      [] {});
  worker.request(5);
  first.wait();
  EXPECT_EQ(*worker.take(), 5);
  EXPECT_FALSE(worker.idle());
  go_on.set();
  worker.settle();
  EXPECT_EQ(*worker.take(), 10);
}

TEST(LatestWorker, DropsTheResultsOfWhatWasCancelled) {
  Signal started;
  Worker worker(
      [&](const int& request, const Cancel& cancel, const Worker::Publish& publish) {
        if (request == 1) {
          publish(std::make_shared<const int>(-1));
          started.set();
          wait_until_cancelled(cancel);
        }
        publish_double(request, cancel, publish);
      },
      [] {});
  worker.request(1);
  started.wait();
  worker.request(2);
  worker.cancel();
  worker.settle();
  EXPECT_EQ(worker.take(), nullptr);
  worker.request(3);
  worker.settle();
  EXPECT_EQ(*worker.take(), 6);
}

TEST(LatestWorker, EndsWhatRunsWhenItIsDestroyed) {
  Signal started;
  std::atomic<bool> ended{false};
  {
    Worker worker(
        [&](const int&, const Cancel& cancel, const Worker::Publish&) {
          started.set();
          wait_until_cancelled(cancel);
          ended = true;
        },
        [] {});
    worker.request(1);
    started.wait();
    worker.request(2);
  }
  EXPECT_TRUE(ended);
}

TEST(LatestWorker, AlwaysAnswersTheLastOfManyRequests) {
  Worker worker(publish_double, [] {});
  std::shared_ptr<const int> last;
  for (int i = 0; i < 2'000; ++i) {
    worker.request(i);
    if (i % 100 == 50) worker.cancel();
    if (auto result = worker.take()) last = std::move(result);
  }
  worker.settle();
  if (auto result = worker.take()) last = std::move(result);
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(*last, 1'999 * 2);
}

}  // namespace bytescope
