// Several files open at once: tabs, drops, closing.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/actions.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/nanoseconds.h"
#include "tests/support/plain_trace.h"
#include "tests/support/random_memory.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::tests {
namespace {

using app::Key;
using testing::ElementsAre;
using testing::HasSubstr;

class DocumentsTest : public testing::Test {
protected:
  DocumentsTest() : file(plain_bytes()) {
    stage.open(file.path());
    device = stage.track("AMD");
  }
  std::vector<std::string> open_files() {
    std::vector<std::string> names;
    for (const session::Document& document : stage.viewer().session().documents())
      names.push_back(document.path);
    return names;
  }

  TemporaryFile file;
  ViewerStage stage;
  std::uint32_t device = 0;
};

TEST_F(DocumentsTest, DroppedFilesOpenATabEach) {
  const TemporaryFile second(plain_bytes());
  const TemporaryFile third(plain_bytes());
  stage.offscreen().feed(
      {.kind = app::InputEvent::Kind::drop, .paths = {second.path(), third.path()}});
  stage.settle();
  EXPECT_THAT(open_files(), ElementsAre(file.path(), second.path(), third.path()));
  EXPECT_EQ(stage.viewer().active_document()->path, third.path());
}

TEST_F(DocumentsTest, TheDemoIsMadeInTheCacheFolderAndOpened) {
  const TemporaryFolder folder;
  ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  app::action_named("file.demo")->run(stage.viewer());
  stage.settle();
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(stage.viewer().active_document()->path, folder / "bytescope/demo.bin");
  EXPECT_EQ(stage.trace().event_count, 200'000U);
  EXPECT_GE(open_files().size(), 2U);
}

TEST_F(DocumentsTest, ADemoThatCannotBeWrittenIsTold) {
  ::setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
  app::action_named("file.demo")->run(stage.viewer());
  stage.settle();
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_THAT(open_files(), ElementsAre(file.path()));
}

TEST_F(DocumentsTest, TabsHaveViewsOfTheirOwn) {
  const TemporaryFile second(plain_bytes());
  stage.wheel({600, 300}, 3);
  const auto first_view = stage.state();
  stage.open(second.path());
  EXPECT_EQ(stage.state().viewport.window(), (query::TimeRange{0, 10 * ms}));
  stage.key(Key::tab, with_command);
  EXPECT_EQ(stage.viewer().active_document()->path, file.path());
  EXPECT_EQ(stage.state(), first_view);
  app::Modifiers both = with_command;
  both.shift = true;
  stage.key(Key::tab, both);
  EXPECT_EQ(stage.viewer().active_document()->path, second.path());
}

TEST_F(DocumentsTest, AMissingFileHasAnErrorAndOthersLiveOn) {
  stage.open("/no/such/folder/file.bin");
  EXPECT_EQ(stage.viewer().active(), nullptr);
  EXPECT_TRUE(stage.viewer().active_document()->error);
  EXPECT_THAT(stage.viewer().title(), HasSubstr("file.bin"));
  for (const Key key : {Key::w, Key::f, Key::home, Key::f5, Key::escape}) stage.key(key);
  stage.settle();
  stage.key(Key::tab, with_command);
  stage.click(stage.place_of(device, 3));
  EXPECT_EQ(stage.state().selection, stage.span(device, 3));
}

TEST(Documents, TabsCloseInAnyOrder) {
  const TemporaryFile file(plain_bytes());
  std::array<std::size_t, 3> order{0, 1, 2};
  do {
    ViewerStage stage;
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 0; i < order.size(); ++i) {
      stage.viewer().open(i == 1 ? "/no/such/file.bin" : file.path());
      ids.push_back(stage.viewer().session().documents().back().id);
    }
    stage.settle();
    for (const std::size_t which : order) {
      stage.viewer().close(ids[which]);
      stage.settle();
    }
    EXPECT_EQ(stage.viewer().active_document(), nullptr);
    EXPECT_EQ(stage.viewer().title(), "bytescope");
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Documents, NothingIsWaitedForBehindAFileThatDoesNotOpen) {
  bytepack::TraceDescription trace = plain_trace();
  trace.tracks.back().memory.clear();
  for (const MemoryEvent& event : random_events({.events = 100'000, .live = 2000}))
    trace.tracks.back().memory.push_back({event.is_alloc, event.time, event.key, "float", 100});
  const TemporaryFile file(bytepack::encode(trace, *bytepack::dialect_of('L')));
  ViewerStage stage;
  stage.open(file.path());
  stage.viewer().set_expanded(stage.track("AMD Memory"), true);
  for (int i = 0; i < 10; ++i) {
    stage.settle();
    for (int frame = 0; frame < 3; ++frame) stage.wheel(somewhere, 2);
    stage.wheel(somewhere, -6);  // while the worker draws what was seen before
    stage.viewer().open("/no/such/file");
    for (int waits = 0; waits < 1000 && !stage.viewer().settled(); ++waits) {
      stage.offscreen().wait();
      stage.offscreen().frame();
    }
    ASSERT_TRUE(stage.viewer().settled());
    stage.key(Key::w, with_command);
  }
}

TEST(Documents, ClosedWhileItLoadsIsGone) {
  const TemporaryFile file(plain_bytes());
  ViewerStage stage;
  for (int i = 0; i < 20; ++i) {
    stage.viewer().open(file.path());
    if (i % 2 == 0) stage.offscreen().frame();
    stage.key(Key::w, with_command);
  }
  stage.settle();
  EXPECT_TRUE(stage.viewer().session().documents().empty());
}

TEST(Documents, AClosedTraceIsForgotten) {
  const TemporaryFile file(plain_bytes());
  ViewerStage stage;
  stage.open(file.path());
  stage.click(stage.place_of(stage.track("AMD"), 3));
  stage.settle();
  const std::weak_ptr<const trace::Trace> trace = stage.view().trace();
  stage.key(Key::w, with_command);
  stage.settle();
  EXPECT_TRUE(trace.expired()) << "its file would stay mapped";
}

TEST(Documents, CtrlWheelDoesNotZoomWhileTheChooserIsOpen) {
  const TemporaryFile file(plain_bytes());
  ViewerStage stage;
  stage.open(file.path());
  const auto before = stage.state();
  stage.key(Key::o, with_command);
  stage.settle();
  stage.wheel({600, 300}, 3);
  stage.key(Key::w);
  stage.type(U'?');
  stage.key(Key::escape);
  stage.settle();
  EXPECT_EQ(stage.state(), before);
  stage.key(Key::w);
  EXPECT_NE(stage.state(), before) << "keys act again";
}

}  // namespace
}  // namespace bytescope::tests
