#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/panels/status_bar.h"
#include "app/panels/tab_bar.h"
#include "tests/app/dock_stage.h"
#include "tests/support/http_server.h"
#include "tests/support/set_variable.h"
#include "tests/support/temporary_folder.h"

// The viewer and a running program, the whole way.

namespace bytescope::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::uint32_t known_kernel = 3;
constexpr std::uint32_t unknown_kernel = 4;

/// plain_trace() in which two kernels tell their programs: 1, and 9, which nobody knows.
std::string program_trace() {
  bytepack::TraceDescription trace = plain_trace();
  trace.tracks[1].spans[known_kernel].ref = 1;
  trace.tracks[1].spans[known_kernel + 5].ref = 1;
  trace.tracks[1].spans[unknown_kernel].ref = 9;
  return text_of(bytepack::encode(trace, *bytepack::dialect_of('L')));
}

std::map<std::string, std::string> bodies() {
  return {{"/get_profile", program_trace()},
          {"/ctxs", R"([{"name": "first", "steps": []}, {"name": "r_3", "steps": [
             {"name": "View Source", "query": "/code?ctx=1&step=0"},
             {"name": "View Disassembly", "query": "/asm?ctx=1&step=1"}]}])"},
          {"/code?ctx=1&step=0", R"({"src": "void r_3() {\n\treturn;\n}\n"})"},
          {"/asm?ctx=1&step=1", R"({"src": "s_endpgm", "data": {"cols": []}})"}};
}

class RunningProgram : public testing::Test {
protected:
  explicit RunningProgram(HttpServer::Handler handler = serving(bodies()))
      : server(std::move(handler)) {}

  app::DockTab& tab(AnswerKind kind) { return stage.view().dock.tab(kind); }
  std::string lines(AnswerKind kind) {
    const auto& answer = tab(kind).answer;
    return answer && answer->lines ? answer->lines->text() : "none";
  }
  void select(std::uint32_t kernel) {
    stage.viewer().select_and_reveal(stage.span(stage.track("AMD"), kernel));
    stage.settle();
  }
  void show(AnswerKind kind) {
    stage.viewer().open_tab(kind);
    stage.settle();
  }

  TemporaryFolder folder;
  SetVariable cache_folder{"XDG_CACHE_HOME", folder.path()};
  HttpServer server;
  ViewerStage stage;
};

TEST_F(RunningProgram, ShowsTheSourceOfASelectedKernel) {
  stage.open(server.url());
  EXPECT_THAT(stage.viewer().title(), StartsWith("127.0.0.1:"));
  select(known_kernel);
  EXPECT_THAT(server.targets(), ElementsAre("/get_profile")) << "nobody asked for more";
  show(AnswerKind::source);
  EXPECT_EQ(lines(AnswerKind::source), "void r_3() {\n\treturn;\n}\n");
  EXPECT_THAT(tab(AnswerKind::source).answer->headline, HasSubstr("program 1"));
  show(AnswerKind::disassembly);
  EXPECT_EQ(lines(AnswerKind::disassembly), "s_endpgm");
  select(known_kernel + 5);
  show(AnswerKind::source);
  EXPECT_THAT(server.targets(),
              ElementsAre("/get_profile", "/ctxs", "/code?ctx=1&step=0", "/asm?ctx=1&step=1"));
}

TEST_F(RunningProgram, TellsWhatItDoesNotKnow) {
  stage.open(server.url());
  show(AnswerKind::source);
  EXPECT_EQ(tab(AnswerKind::source).answer->headline, "Select a kernel whose program is known");
  select(unknown_kernel);
  EXPECT_THAT(tab(AnswerKind::source).answer->error,
              StartsWith("The viewer knows no program 9 (it knows 2): http://127.0.0.1:"));
  select(known_kernel);
  EXPECT_THAT(lines(AnswerKind::source), StartsWith("void r_3"));
  select(0);
  EXPECT_EQ(tab(AnswerKind::source).answer->headline, "Select a kernel whose program is known");
}

TEST_F(RunningProgram, ItsSourceIsCopiedAsItIs) {
  stage.open(server.url());
  select(known_kernel);
  show(AnswerKind::source);
  const render::Box& dock = stage.areas().dock;
  stage.click({dock.x0 + 60, dock.y0 + 120});
  stage.key(Key::down);
  stage.key(Key::c, with_command);
  EXPECT_EQ(stage.offscreen().clipboard().clipboard_text(), "void r_3() {\n\treturn;\n}\n");
}

TEST_F(RunningProgram, IsReadAgainWithViewAndSelection) {
  stage.open(server.url());
  select(known_kernel);
  show(AnswerKind::source);
  stage.wheel({600, 300}, 4);
  stage.settle();
  const TimeRange window = stage.state().viewport.window();
  const auto selection = stage.state().selection;
  stage.key(Key::r, with_command);
  stage.settle();
  EXPECT_EQ(server.count("/get_profile"), 2U);
  EXPECT_EQ(stage.state().viewport.window(), window);
  EXPECT_EQ(stage.state().selection, selection);
  EXPECT_THAT(lines(AnswerKind::source), StartsWith("void r_3"));
  EXPECT_EQ(server.count("/ctxs"), 2U) << "it may know more by now";
}

TEST_F(RunningProgram, IsRememberedByItsAddress) {
  stage.open(server.url() + "/?ctx=3");
  stage.wheel({600, 300}, 4);
  stage.settle();
  const app::Remembered remembered = stage.viewer().remembered();
  EXPECT_THAT(remembered.recent, ElementsAre(server.url()));
  ASSERT_NE(remembered.view_of(server.url()), nullptr);
  const TimeRange window = stage.state().viewport.window();
  ViewerStage next;
  next.viewer().recall(remembered);
  next.open(server.url() + "/");
  EXPECT_EQ(next.state().viewport.window(), window);
  next.open(server.url() + "/get_profile");
  EXPECT_EQ(next.viewer().session().documents().size(), 1U) << "it is open already";
}

TEST_F(RunningProgram, CanBeTypedIntoTheChooser) {
  stage.key(Key::o, with_command);
  stage.settle();
  stage.key(Key::end);  // Ctrl is let go
  for (const char c : server.url()) stage.type(static_cast<char32_t>(c));
  stage.key(Key::enter);
  stage.settle();
  EXPECT_EQ(stage.trace().file->path(), server.url());
}

TEST_F(RunningProgram, FilesHaveNoSources) {
  const TemporaryFile file(plain_bytes());
  stage.open(file.path());
  stage.viewer().open_tab(AnswerKind::source);
  EXPECT_FALSE(stage.view().dock.open);
}

/// Answers the trace, and nothing else in time.
class SlowProgram : public RunningProgram {
protected:
  SlowProgram()
      : RunningProgram([](const HttpServer::Connection& connection) {
          if (connection.target() == "/get_profile") {
            connection.answer(program_trace());
          } else {
            connection.wait_until_closed();
          }
        }) {}
};

TEST_F(SlowProgram, HoldsUpNoOtherAnswer) {
  stage.open(server.url());
  stage.viewer().select_and_reveal(stage.span(stage.track("AMD"), known_kernel));
  stage.viewer().open_tab(AnswerKind::source);
  for (int i = 0; i < 100 && server.count("/ctxs") == 0; ++i) {
    stage.offscreen().frame();
    stage.offscreen().wait();
  }
  ASSERT_EQ(server.count("/ctxs"), 1U);
  show(AnswerKind::statistics);
  EXPECT_TRUE(tab(AnswerKind::statistics).answer);
}

TEST_F(SlowProgram, MayBeClosedWhileItIsAsked) {
  stage.open(server.url());
  stage.viewer().select_and_reveal(stage.span(stage.track("AMD"), known_kernel));
  stage.viewer().open_tab(AnswerKind::source);
  for (int i = 0; i < 5; ++i) stage.offscreen().frame();
  const std::weak_ptr<const trace::Trace> trace = stage.view().trace();
  stage.key(Key::w, with_command);
  stage.settle();
  EXPECT_TRUE(trace.expired()) << "its file is let go";
}

/// Answers once, and then no more.
class TiredProgram : public RunningProgram {
protected:
  TiredProgram()
      : RunningProgram([this](const HttpServer::Connection& connection) {
          if (!answered.exchange(true)) {
            connection.answer(program_trace());
          } else {
            connection.wait_until_closed();
          }
        }) {}
  std::atomic<bool> answered{false};
};

TEST_F(TiredProgram, IsShownAsBeforeWhenReadingItAgainIsCancelled) {
  stage.open(server.url());
  const std::shared_ptr<const trace::Trace> shown = stage.view().trace();
  stage.key(Key::r, with_command);
  for (int i = 0; i < 500 && server.count("/get_profile") < 2; ++i) stage.offscreen().frame();
  EXPECT_TRUE(stage.viewer().active_document()->loading);
  stage.key(Key::escape);
  stage.settle();
  EXPECT_EQ(stage.view().trace(), shown);
  EXPECT_FALSE(app::tab_of(*stage.viewer().active_document()).failed);
  EXPECT_EQ(stage.viewer().notice().text(), "Reading again was cancelled");
  EXPECT_TRUE(stage.viewer().notice().is_good());
}

class MissingProgram : public RunningProgram {
protected:
  MissingProgram() : RunningProgram(serving({})) {}
};

TEST_F(MissingProgram, IsTold) {
  stage.open(server.url());
  const session::Document& document = *stage.viewer().active_document();
  ASSERT_TRUE(document.error);
  EXPECT_EQ(text(*document.error),
            "The server answers 404 (Not Found): " + server.url() + "/get_profile");
}

}  // namespace
}  // namespace bytescope::tests
