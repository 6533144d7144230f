#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/latest_worker.h"
#include "core/query/live_buffers.h"
#include "core/query/search.h"
#include "core/query/statistics.h"
#include "core/session/session.h"
#include "tests/support/random_spans.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_maker.h"

// Everything that the window starts, in flight at once and ended at any moment. Built for looking
// for races too (preset "tsan").

namespace bytescope {
namespace {

using TracePtr = std::shared_ptr<const trace::Trace>;

std::vector<std::byte> bytes_of(std::uint32_t spans, std::uint32_t seed) {
  bytepack::TraceDescription trace = tests::varied_trace('L');
  for (std::uint32_t i = 0; i < 3; ++i) {
    bytepack::TrackDescription track;
    track.name = "AMD:" + std::to_string(i + 1);
    track.spans = tests::random_spans(tests::SpanShape::nested, spans, seed + i);
    trace.tracks.push_back(std::move(track));
  }
  return bytepack::encode(trace, *bytepack::dialect_of('L'));
}

void write(const std::string& path, const std::vector<std::byte>& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

/// A session and workers that ask its traces, as the window has them.
class Desk {
public:
  void search(const TracePtr& trace, const char* line) {
    searches_.request({trace, *query::parse_search_line(line), nullptr, 100, 2});
  }
  void count(const TracePtr& trace) {
    query::StatisticsRequest request;
    request.threads = 2;
    counts_.request({trace, request});
  }
  void cancel() {
    searches_.cancel();
    counts_.cancel();
  }
  void settle() {
    searches_.settle();
    counts_.settle();
    while (session.busy()) {
      session.poll();
      std::this_thread::yield();
    }
  }
  int answers() const { return answers_; }
  /// Reads what was answered, on the window's thread.
  void read() {
    if (const auto found = searches_.take()) answers_ += found->complete ? 1 : 0;
    if (const auto counted = counts_.take()) answers_ += counted->rows.empty() ? 0 : 1;
  }

  std::atomic<int> wakes{0};
  session::Session session{[this] { ++wakes; }};

private:
  struct CountRequest {
    TracePtr trace;
    query::StatisticsRequest request;
  };
  int answers_ = 0;
  LatestWorker<query::SearchRequest, query::SearchResult> searches_{
      [](const auto& request, const Cancel& cancel, const auto& publish) {
        query::run_search(request, cancel, publish);
      },
      [this] { ++wakes; }};
  LatestWorker<CountRequest, query::Statistics> counts_{
      [](const CountRequest& of, const Cancel& cancel, const auto& publish) {
        publish(std::make_shared<const query::Statistics>(
            query::first_statistics(*of.trace, of.request, cancel)));
        auto exact = query::statistics(*of.trace, of.request, cancel);
        if (exact) publish(std::make_shared<const query::Statistics>(std::move(*exact)));
      },
      [this] { ++wakes; }};
};

class Walk {
public:
  explicit Walk(unsigned seed) : random_(seed) {
    for (int i = 0; i < 2; ++i) write(path(i), bytes_of(3000, static_cast<std::uint32_t>(i)));
  }

  void step() {
    const auto& documents = desk_.session.documents();
    if (documents.empty() || (documents.size() < 4 && below(4) == 0)) {
      desk_.session.open(path(below(3)));
      return;
    }
    const session::Document& document =
        documents[static_cast<std::size_t>(below(static_cast<int>(documents.size())))];
    const std::uint64_t id = document.id;
    const TracePtr trace = document.trace;
    switch (below(10)) {
      case 0: desk_.session.close(id); break;
      case 1: desk_.session.reload(id); break;
      case 2: desk_.session.cancel(id); break;
      case 3: desk_.session.look_at_files(); break;
      case 4: change_a_file(); break;
      case 5: desk_.cancel(); break;
      case 6:
        if (trace) desk_.search(trace, below(2) == 0 ? "r_" : "/[0-9]+/ dur>1us");
        break;
      case 7:
        if (trace) desk_.count(trace);
        break;
      default: std::this_thread::sleep_for(std::chrono::microseconds(below(2000)));
    }
    desk_.session.poll();
    desk_.read();
  }
  void finish() {
    desk_.settle();
    desk_.read();
  }
  Desk& desk() { return desk_; }
  std::string path(int number) const { return folder_ / ("trace" + std::to_string(number)); }

private:
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  void change_a_file() {
    std::error_code ignored;
    if (below(2) == 0) {
      std::filesystem::resize_file(path(1), 3000, ignored);
    } else {
      write(path(1), bytes_of(1000, static_cast<std::uint32_t>(below(9))));
    }
  }

  std::mt19937 random_;
  tests::TemporaryFolder folder_;
  Desk desk_;
};

TEST(InFlight, LoadsSearchesStatisticsAndClosingGoOnAtOnce) {
  Walk walk(11);
  for (int i = 0; i < 400; ++i) walk.step();
  walk.finish();
  EXPECT_GT(walk.desk().wakes, 0);
  // What is opened after all that is answered as ever.
  write(walk.path(0), bytes_of(500, 1));
  const std::uint64_t id = walk.desk().session.open(walk.path(0));
  walk.finish();
  const TracePtr trace = walk.desk().session.find(id)->trace;
  ASSERT_NE(trace, nullptr);
  const int before = walk.desk().answers();
  walk.desk().search(trace, "r_");
  walk.finish();
  EXPECT_EQ(walk.desk().answers(), before + 1);
}

TEST(InFlight, EndsWithEverythingInFlight) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    Walk walk(seed);
    for (int i = 0; i < 25; ++i) walk.step();
  }
}

TEST(InFlight, FilesMayChangeWhileTheyAreRead) {
  tests::TemporaryFolder folder;
  const std::string path = folder / "trace.bin";
  const std::vector<std::byte> whole = bytes_of(4000, 3);
  write(path, whole);
  std::atomic<bool> done{false};
  std::thread other([&] {
    std::mt19937 random(3);
    while (!done) {
      std::error_code ignored;
      std::filesystem::resize_file(path, random() % whole.size(), ignored);
      write(path, whole);
    }
  });
  {
    session::Session session([] {});
    for (int i = 0; i < 60; ++i) {
      session.open(path);
      while (session.busy()) session.poll();
      // Whatever was caught opens, or is refused with a reason.
      const session::Document& document = session.documents().front();
      EXPECT_TRUE(document.trace || !document.error->message.empty());
      session.close(document.id);
    }
  }
  done = true;
  other.join();
}

TEST(InFlight, WorkThatRunsOutOfMemoryGivesNoAnswer) {
  LatestWorker<int, int> worker(
      [](const int& number, const Cancel&, const auto& publish) {
        if (number == 0) throw std::bad_alloc();
        publish(std::make_shared<const int>(number));
      },
      [] {});
  worker.request(0);
  worker.settle();
  EXPECT_EQ(worker.take(), nullptr);
  worker.request(5);
  worker.settle();
  const auto answer = worker.take();
  ASSERT_NE(answer, nullptr);
  EXPECT_EQ(*answer, 5);
}

}  // namespace
}  // namespace bytescope
