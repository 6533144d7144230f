#include "core/session/session.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "tests/support/gate.h"
#include "tests/support/random_spans.h"
#include "tests/support/trace_maker.h"

namespace bytescope::session {
namespace {

/// A trace of so many events that its load waits for the first picture.
std::vector<std::byte> large_trace_bytes() {
  bytepack::TraceDescription trace;
  std::vector<bytepack::SpanDescription> spans(100'000, {"r_1", 1, 0.5F, "{}"});
  for (std::uint32_t track = 0; track < 10; ++track)
    trace.tracks.push_back(tests::one_track(spans).tracks[0]);
  return bytepack::encode(trace, *bytepack::dialect_of('L'));
}

/// Polls until no load is in flight.
void settle(Session& session) {
  while (session.busy()) {
    session.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

TEST(Session, OpensAFile) {
  const tests::TemporaryFile file(tests::nested_bytes(2'000));
  std::atomic<int> wakes{0};
  Session session([&wakes] { ++wakes; });
  const std::uint64_t id = session.open(file.path());
  ASSERT_EQ(session.documents().size(), 1U);
  EXPECT_TRUE(session.find(id)->loading);
  EXPECT_TRUE(session.busy());
  EXPECT_EQ(session.find(id)->path, file.path());
  settle(session);
  const Document& document = *session.find(id);
  EXPECT_FALSE(document.loading);
  EXPECT_FALSE(document.error);
  ASSERT_NE(document.trace, nullptr);
  EXPECT_TRUE(document.trace->complete);
  EXPECT_EQ(document.trace->event_count, 2'000U);
  EXPECT_GE(document.generation, 1U);
  EXPECT_GE(wakes, 1);
  EXPECT_EQ(document.progress->events_done, 2'000U);
  EXPECT_FALSE(session.poll());
}

TEST(Session, ShowsThePreviewWhileTheRestLoads) {
  const tests::TemporaryFile file(tests::nested_bytes(2'000));
  tests::Gate gate;
  Session session([&gate] { gate.wake(); });
  const std::uint64_t id = session.open(file.path());
  gate.wait_for_call();
  EXPECT_TRUE(session.poll());
  ASSERT_NE(session.find(id)->trace, nullptr);
  EXPECT_FALSE(session.find(id)->trace->complete);
  EXPECT_TRUE(session.find(id)->loading);
  const std::uint64_t generation = session.find(id)->generation;
  gate.open();
  settle(session);
  EXPECT_TRUE(session.find(id)->trace->complete);
  EXPECT_GT(session.find(id)->generation, generation);
}

TEST(Session, GoesOnWithALargeFileWhenItsPreviewIsDrawn) {
  const tests::TemporaryFile file(large_trace_bytes());
  Session session([] {});
  const std::uint64_t id = session.open(file.path());
  while (session.find(id)->trace == nullptr) session.poll();
  EXPECT_FALSE(session.find(id)->trace->complete);
  session.note_drawn();
  settle(session);
  EXPECT_TRUE(session.find(id)->trace->complete);
}

TEST(Session, GoesOnWithALargeFileThatNobodyDraws) {
  const tests::TemporaryFile file(large_trace_bytes());
  Session session([] {});
  const std::uint64_t id = session.open(file.path());
  settle(session);
  EXPECT_TRUE(session.find(id)->trace->complete);
}

TEST(Session, CancelsALoadThatWaitsForItsPreviewToBeDrawn) {
  const tests::TemporaryFile file(large_trace_bytes());
  Session session([] {});
  const std::uint64_t id = session.open(file.path());
  while (session.find(id)->trace == nullptr) session.poll();
  session.cancel(id);
  settle(session);
  EXPECT_EQ(session.find(id)->trace, nullptr);
  EXPECT_TRUE(session.find(id)->error);
}

TEST(Session, TellsWhyAFileCannotBeOpened) {
  Session session([] {});
  const std::uint64_t missing = session.open("/nowhere/at/all.bin");
  const tests::TemporaryFile broken(std::vector<std::byte>(100));
  const std::uint64_t bad = session.open(broken.path());
  settle(session);
  for (const std::uint64_t id : {missing, bad}) {
    ASSERT_TRUE(session.find(id)->error);
    EXPECT_EQ(session.find(id)->error->path, session.find(id)->path);
    EXPECT_EQ(session.find(id)->trace, nullptr);
    EXPECT_FALSE(session.find(id)->loading);
  }
}

TEST(Session, CancelsAtOnce) {
  const tests::TemporaryFile file(tests::nested_bytes(50'000));
  Session session([] {});
  const std::uint64_t id = session.open(file.path());
  session.cancel(id);
  settle(session);
  const Document& document = *session.find(id);
  EXPECT_FALSE(document.loading);
  // A load that had come to its end before it was cancelled is as good as any.
  if (document.trace != nullptr) {
    EXPECT_TRUE(document.trace->complete);
  } else {
    ASSERT_TRUE(document.error);
    EXPECT_EQ(document.error->kind, ErrorKind::cancelled);
  }
}

TEST(Session, CancelsMidwayAndTakesThePreviewBack) {
  const tests::TemporaryFile file(tests::nested_bytes(5'000));
  tests::Gate gate;
  Session session([&gate] { gate.wake(); });
  const std::uint64_t id = session.open(file.path());
  gate.wait_for_call();
  session.poll();
  EXPECT_NE(session.find(id)->trace, nullptr);
  session.cancel(id);
  gate.open();
  settle(session);
  EXPECT_EQ(session.find(id)->trace, nullptr);
  ASSERT_TRUE(session.find(id)->error);
  EXPECT_EQ(session.find(id)->error->kind, ErrorKind::cancelled);
  EXPECT_FALSE(session.find(id)->loading);
}

TEST(Session, ForgetsADocumentThatIsStillLoading) {
  const tests::TemporaryFile file(tests::nested_bytes(5'000));
  tests::Gate gate;
  Session session([&gate] { gate.wake(); });
  const std::uint64_t id = session.open(file.path());
  gate.wait_for_call();
  session.close(id);
  EXPECT_EQ(session.find(id), nullptr);
  EXPECT_TRUE(session.busy());
  gate.open();
  settle(session);
  EXPECT_TRUE(session.documents().empty());
  EXPECT_NE(session.open(file.path()), id);
  settle(session);
}

TEST(Session, ShowsTheOldTraceUntilTheNewOneIsThere) {
  const tests::TemporaryFile file(tests::nested_bytes(1'000));
  Session session([] {});
  const std::uint64_t id = session.open(file.path());
  settle(session);
  const auto old = session.find(id)->trace;
  const std::uint64_t generation = session.find(id)->generation;
  file.write(tests::nested_bytes(1'500));
  session.reload(id);
  EXPECT_TRUE(session.find(id)->loading);
  EXPECT_EQ(session.find(id)->trace, old);
  while (session.busy()) {
    session.poll();
    const auto shown = session.find(id)->trace;
    ASSERT_TRUE(shown == old || shown->complete);
  }
  EXPECT_EQ(session.find(id)->trace->event_count, 1'500U);
  EXPECT_GT(session.find(id)->generation, generation);
}

TEST(Session, KeepsTheOldTraceWhenReloadingFails) {
  const tests::TemporaryFile file(tests::nested_bytes(1'000));
  Session session([] {});
  const std::uint64_t id = session.open(file.path());
  settle(session);
  const auto old = session.find(id)->trace;
  file.write(std::vector<std::byte>(50));
  session.reload(id);
  settle(session);
  EXPECT_EQ(session.find(id)->trace, old);
  EXPECT_TRUE(session.find(id)->error);
  file.write(tests::nested_bytes(1'200));
  session.reload(id);
  settle(session);
  EXPECT_EQ(session.find(id)->trace->event_count, 1'200U);
  EXPECT_FALSE(session.find(id)->error);
}

TEST(Session, ReloadsManyTimesInARowAndEndsWithTheLast) {
  const tests::TemporaryFile file(tests::nested_bytes(3'000));
  Session session([] {});
  const std::uint64_t id = session.open(file.path());
  for (int i = 0; i < 5; ++i) {
    session.reload(id);
    session.poll();
  }
  settle(session);
  EXPECT_FALSE(session.find(id)->loading);
  EXPECT_FALSE(session.find(id)->error);
  ASSERT_NE(session.find(id)->trace, nullptr);
  EXPECT_TRUE(session.find(id)->trace->complete);
}

TEST(Session, LoadsSeveralFilesAtOnce) {
  std::vector<std::unique_ptr<tests::TemporaryFile>> files;
  for (std::uint32_t i = 0; i < 6; ++i)
    files.push_back(std::make_unique<tests::TemporaryFile>(tests::nested_bytes(1'000 + i, i)));
  Session session([] {});
  for (const auto& file : files) session.open(file->path());
  settle(session);
  ASSERT_EQ(session.documents().size(), files.size());
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    const Document& document = session.documents()[i];
    EXPECT_EQ(document.path, files[i]->path());
    ASSERT_NE(document.trace, nullptr);
    EXPECT_EQ(document.trace->event_count, 1'000U + i);
  }
}

TEST(Session, TellsWhatBecameOfTheFiles) {
  const tests::TemporaryFile file(tests::nested_bytes(20));
  std::atomic<int> wakes{0};
  Session session([&wakes] { ++wakes; });
  const std::uint64_t id = session.open(file.path());
  settle(session);
  const auto looked = [&](io::OnDisk expected) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (session.find(id)->on_disk != expected && std::chrono::steady_clock::now() < give_up) {
      session.look_at_files();
      session.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return session.find(id)->on_disk == expected;
  };
  const std::uint64_t generation = session.find(id)->generation;
  file.write(tests::nested_bytes(21));
  EXPECT_TRUE(looked(io::OnDisk::changed));
  std::filesystem::remove(file.path());
  EXPECT_TRUE(looked(io::OnDisk::gone));
  EXPECT_EQ(session.find(id)->generation, generation) << "the trace is the same";
  file.write(tests::nested_bytes(21));
  session.reload(id);
  settle(session);
  EXPECT_EQ(session.find(id)->on_disk, io::OnDisk::same);
  const int before = wakes;
  for (int i = 0; i < 20; ++i) {
    session.look_at_files();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_FALSE(session.poll());
  }
  EXPECT_EQ(wakes, before) << "nothing is new";
}

TEST(Session, EndsWithLoadsInFlight) {
  const tests::TemporaryFile file(tests::nested_bytes(30'000));
  for (int i = 0; i < 5; ++i) {
    Session session([] {});
    for (int k = 0; k < 3; ++k) session.open(file.path());
    session.close(session.documents()[1].id);
    std::this_thread::sleep_for(std::chrono::microseconds(i * 300));
    session.poll();
  }
}

}  // namespace bytescope::session
