#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session/session.h"
#include "tests/support/http_server.h"
#include "tests/support/random_spans.h"
#include "tests/support/set_variable.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_maker.h"

// Documents that change behind the session's back: files that are written again, and programs that
// run on.

namespace bytescope::session {
namespace {

using std::chrono::milliseconds;
using tests::HttpServer;

const FileWatcher::Pace quick{milliseconds(5), milliseconds(80)};

/// Polls until something holds, or for ten seconds; answers whether it does.
template <class Condition>
bool becomes(Session& session, Condition condition) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition() && std::chrono::steady_clock::now() < give_up) {
    session.poll();
    std::this_thread::sleep_for(milliseconds(1));
  }
  return condition();
}

/// Polls for a while.
void linger(Session& session, milliseconds duration) {
  const auto end = std::chrono::steady_clock::now() + duration;
  while (std::chrono::steady_clock::now() < end) {
    session.poll();
    std::this_thread::sleep_for(milliseconds(1));
  }
}

void rest(Session& session) {
  ASSERT_TRUE(becomes(session, [&] { return !session.busy(); }));
}

class Watched : public testing::Test {
protected:
  Watched() : file(tests::nested_bytes(100)), session([this] { ++wakes; }) {
    id = session.open(file.path());
    rest(session);
    session.set_watching(true, quick);
    session.poll();
  }
  const Document& document() { return *session.find(id); }
  std::uint64_t events() { return document().trace->event_count; }

  tests::TemporaryFile file;
  std::atomic<int> wakes{0};
  Session session;
  std::uint64_t id = 0;
};

TEST_F(Watched, IsReadAgainWhenItWasWrittenAgain) {
  const int before = wakes;
  linger(session, milliseconds(200));
  EXPECT_EQ(wakes, before) << "nothing is new";
  for (const std::uint32_t spans : {150U, 120U}) {
    file.write(tests::nested_bytes(spans));
    EXPECT_TRUE(becomes(session, [&] { return events() == spans; }));
    rest(session);
    EXPECT_EQ(document().on_disk, io::OnDisk::same);
    EXPECT_FALSE(document().error);
  }
}

TEST_F(Watched, WaitsUntilNobodyWritesItAnyMore) {
  const std::vector<std::byte> bytes = tests::nested_bytes(3000);
  const std::uint64_t generation = document().generation;
  {
    std::ofstream out(file.path(), std::ios::binary);
    for (std::size_t done = 0; done < bytes.size(); done += 4000) {
      const std::size_t size = std::min<std::size_t>(4000, bytes.size() - done);
      out.write(reinterpret_cast<const char*>(bytes.data() + done),
                static_cast<std::streamsize>(size));
      out.flush();
      linger(session, milliseconds(15));
      ASSERT_EQ(document().generation, generation) << "half a file was read";
      ASSERT_FALSE(document().error);
    }
  }
  EXPECT_TRUE(becomes(session, [&] { return events() == 3000; }));
  EXPECT_EQ(document().generation, generation + 1);
}

TEST_F(Watched, KeepsWhatWasShownOfAFileThatIsNotWhole) {
  const auto shown = document().trace;
  bytepack::TraceDescription two =
      tests::one_track(tests::random_spans(tests::SpanShape::nested, 50, /*seed=*/2));
  two.tracks.push_back(two.tracks[0]);
  std::vector<std::byte> cut = bytepack::encode(two, *bytepack::dialect_of('L'));
  cut.resize(cut.size() - 30);
  for (const std::vector<std::byte>& bytes : {std::vector<std::byte>(50), cut}) {
    const auto before = document().progress;
    file.write(bytes);
    ASSERT_TRUE(becomes(session, [&] { return document().progress != before; }));
    rest(session);
    EXPECT_TRUE(document().error);
    EXPECT_EQ(document().trace, shown);
    const auto progress = document().progress;
    linger(session, milliseconds(300));
    EXPECT_EQ(document().progress, progress) << "it was tried again without a reason";
  }
  file.write(tests::nested_bytes(70));
  EXPECT_TRUE(becomes(session, [&] { return events() == 70; }));
  EXPECT_FALSE(document().error);
}

TEST_F(Watched, StaysWhenItIsDeletedAndComesBack) {
  std::filesystem::remove(file.path());
  linger(session, milliseconds(200));
  EXPECT_EQ(events(), 100U);
  EXPECT_FALSE(document().error);
  file.write(tests::nested_bytes(60));
  EXPECT_TRUE(becomes(session, [&] { return events() == 60; }));
}

TEST_F(Watched, IsLeftAloneWhenNobodyAsksForIt) {
  session.set_watching(false);
  file.write(tests::nested_bytes(150));
  linger(session, milliseconds(300));
  EXPECT_EQ(events(), 100U);
  session.set_watching(true);
  EXPECT_TRUE(becomes(session, [&] { return events() == 150; }));
}

TEST_F(Watched, IsToldToHaveChangedWithoutBeingAskedAbout) {
  session.set_watching(false);
  session.tell_changes();
  session.poll();
  const int before = wakes;
  linger(session, milliseconds(50));
  EXPECT_EQ(wakes, before) << "nothing is new";
  file.write(tests::nested_bytes(150));
  // As a window does that rests: it looks only when it is woken.
  int answered = before;
  EXPECT_TRUE(becomes(session, [&] { return wakes != answered; }));
  while (document().on_disk == io::OnDisk::same && wakes != answered) {
    answered = wakes;
    session.poll();
    for (int i = 0; i < 1000 && wakes == answered; ++i)
      std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(document().on_disk, io::OnDisk::changed);
  EXPECT_EQ(events(), 100U) << "it is read again only when somebody asks for it";
}

TEST_F(Watched, IsLetGoAtOnceWhenItIsClosed) {
  session.set_watching(false);
  session.tell_changes();
  linger(session, milliseconds(20));
  const std::weak_ptr<const io::InputFile> open_file = document().trace->file;
  session.close(id);
  const auto closed = std::chrono::steady_clock::now();
  EXPECT_TRUE(becomes(session, [&] { return open_file.expired(); }));
  EXPECT_LT(std::chrono::steady_clock::now() - closed, milliseconds(900));
}

TEST_F(Watched, MayBeClosedAtAnyMoment) {
  for (int i = 0; i < 10; ++i) {
    const std::uint64_t next = session.open(file.path());
    linger(session, milliseconds(i % 5));
    file.write(tests::nested_bytes(100 + static_cast<std::uint32_t>(i)));
    linger(session, milliseconds(i * 8));
    session.close(next);
  }
  rest(session);
}

/// A program whose trace grows with each request.
class Program : public testing::Test {
protected:
  Program()
      : server([this](const HttpServer::Connection& connection) {
          if (fails) {
            connection.send("HTTP/1.1 503 Busy\r\n\r\n");
            return;
          }
          connection.answer(tests::text_of(tests::nested_bytes(spans += 10)));
        }),
        session([] {}) {}

  tests::TemporaryFolder folder;
  tests::SetVariable cache_folder{"XDG_CACHE_HOME", folder.path()};
  std::atomic<std::uint32_t> spans{100};
  std::atomic<bool> fails{false};
  HttpServer server;
  Session session;
};

TEST_F(Program, IsReadAndReadAgain) {
  const std::uint64_t id = session.open(server.url());
  rest(session);
  const Document& document = *session.find(id);
  ASSERT_TRUE(document.trace) << document.error->message;
  EXPECT_EQ(document.trace->event_count, 110U);
  EXPECT_EQ(document.trace->file->path(), server.url());
  session.reload(id);
  rest(session);
  EXPECT_EQ(session.find(id)->trace->event_count, 120U);
  EXPECT_EQ(server.targets(), (std::vector<std::string>{"/get_profile", "/get_profile"}));
  session.set_watching(true, quick);
  session.look_at_files();
  linger(session, milliseconds(200));
  EXPECT_EQ(server.targets().size(), 2U) << "nobody asked for it";
  EXPECT_EQ(session.find(id)->on_disk, io::OnDisk::same);
}

TEST_F(Program, ThatFailsKeepsWhatWasShown) {
  const std::uint64_t id = session.open(server.url());
  rest(session);
  const auto shown = session.find(id)->trace;
  fails = true;
  session.reload(id);
  rest(session);
  EXPECT_EQ(session.find(id)->trace, shown);
  ASSERT_TRUE(session.find(id)->error);
  EXPECT_EQ(text(*session.find(id)->error),
            "The server answers 503 (Busy): " + server.url() + "/get_profile");
}

TEST_F(Program, ThatIsNotWaitedForAnyMoreIsAsBefore) {
  std::atomic<int> requests{0};
  const HttpServer tired([&](const HttpServer::Connection& connection) {
    if (requests++ == 0) {
      connection.answer(tests::text_of(tests::nested_bytes(100)));
    } else {
      connection.wait_until_closed();
    }
  });
  const std::uint64_t id = session.open(tired.url());
  rest(session);
  const auto shown = session.find(id)->trace;
  session.reload(id);
  linger(session, milliseconds(50));
  session.cancel(id);
  rest(session);
  EXPECT_EQ(session.find(id)->trace, shown);
  EXPECT_FALSE(session.find(id)->loading);
  EXPECT_FALSE(session.find(id)->error) << "nothing is wrong with what is shown";
}

TEST_F(Program, ThatDoesNotAnswerCanBeClosed) {
  const HttpServer silent(
      [](const HttpServer::Connection& connection) { connection.wait_until_closed(); });
  const std::uint64_t first = session.open(silent.url());
  const std::uint64_t second = session.open(silent.url());
  linger(session, milliseconds(50));
  session.cancel(first);
  session.close(second);
  rest(session);
  ASSERT_TRUE(session.find(first)->error);
  EXPECT_EQ(session.find(first)->error->kind, ErrorKind::cancelled);
}

TEST_F(Program, WithABadAddressIsRefused) {
  const std::uint64_t id = session.open("http://a b/");
  rest(session);
  ASSERT_TRUE(session.find(id)->error);
  EXPECT_EQ(session.find(id)->error->kind, ErrorKind::usage);
}

}  // namespace
}  // namespace bytescope::session
