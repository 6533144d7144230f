// The desk that asks for details, one question after another, and what becomes of those that wait.

#include "app/detail_desk.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "tests/support/gate.h"
#include "tests/support/plain_trace.h"
#include "tests/support/trace_maker.h"

namespace bytescope::tests {
namespace {

/// A desk whose worker is held up at its first answer.
class DetailDeskTest : public testing::Test {
protected:
  void TearDown() override { gate_.open(); }

  void ask(std::int64_t begin_ns) {
    render::DetailRequest request;
    request.trace = trace_;
    request.columns = {begin_ns, 1000, 300};
    desk.ask(1, std::move(request), {begin_ns + 100'000, 1000, 100});
  }
  void ask_while_busy() {
    ask(0);
    gate_.wait_for_call();
    ask(1'000'000);
    EXPECT_FALSE(desk.settled());
  }
  /// Lets the worker go on; whether all is found in the end, while each frame does this.
  template <class Frame>
  bool settles(const Frame& frame) {
    gate_.open();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!desk.settled() && std::chrono::steady_clock::now() < end) {
      frame();
      std::this_thread::yield();
    }
    return desk.settled();
  }

private:
  std::shared_ptr<const trace::Trace> trace_ = load_description(plain_trace());
  Gate gate_;

protected:
  app::DetailDesk desk{[this] { gate_.wake(); }};
};

TEST_F(DetailDeskTest, WhatWaitsIsAskedByAFrameThatWantsItStill) {
  ask_while_busy();
  EXPECT_TRUE(settles([this] { ask(1'000'000); }));
}

TEST_F(DetailDeskTest, NothingIsWaitedForWhereNoFrameAsksAnyMore) {
  ask_while_busy();
  EXPECT_TRUE(settles([this] { desk.let_go(); }));
}

}  // namespace
}  // namespace bytescope::tests
