#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/viewer_stage.h"
#include "tests/support/plain_trace.h"

namespace bytescope::tests {
namespace {

using app::Key;

/// Frames until the file is read; no more, since large ones take their time.
void read_whole(ViewerStage& stage) {
  while (stage.viewer().session().busy()) {
    stage.offscreen().wait();
    stage.viewer().poll();
  }
  stage.offscreen().frame();
}

TEST(Extremes, AWindowOfOnePixelOr8KIsDrawn) {
  const TemporaryFile file(plain_bytes());
  for (const render::gl::PixelSize size :
       {render::gl::PixelSize{1, 1}, {7680, 1}, {1, 4320}, {7680, 4320}}) {
    SCOPED_TRACE(std::to_string(size.width) + "x" + std::to_string(size.height));
    ViewerStage stage(render::dark_theme(), size);
    stage.viewer().open(file.path());
    read_whole(stage);
    ASSERT_NE(stage.viewer().active(), nullptr);
    stage.wheel({0, 0}, 3);
    stage.viewer().show_statistics();
    stage.offscreen().frame();
    const query::TimeRange window = stage.state().viewport.window();
    EXPECT_LT(window.begin_ns, window.end_ns);
    const render::Picture picture = stage.offscreen().pixels();
    EXPECT_EQ(static_cast<int>(picture.width), size.width);
    EXPECT_EQ(static_cast<int>(picture.height), size.height);
  }
}

TEST(Extremes, SixteenTabsOpenAndCloseInOneWindow) {
  constexpr std::size_t tabs = 16;
  const std::vector<std::byte> broken(50, std::byte{3});
  std::vector<std::unique_ptr<TemporaryFile>> files;
  ViewerStage stage;
  for (std::size_t i = 0; i < tabs; ++i) {
    files.push_back(std::make_unique<TemporaryFile>(i % 5 == 4 ? broken : plain_bytes()));
    stage.viewer().open(files.back()->path());
  }
  stage.settle();
  ASSERT_EQ(stage.viewer().session().documents().size(), tabs);
  for (std::size_t i = 0; i < tabs; ++i) {
    stage.key(Key::tab, with_command);
    if (stage.viewer().active() != nullptr) {
      stage.click(stage.place_of(stage.track("AMD"), 3));
      EXPECT_TRUE(stage.state().selection);
    } else {
      EXPECT_TRUE(stage.viewer().active_document()->error);
    }
  }
  for (std::size_t i = 0; i < tabs; ++i) stage.key(Key::w, with_command);
  EXPECT_TRUE(stage.viewer().session().documents().empty());
}

TEST(Extremes, AClockThatJumpsByHoursChangesNothing) {
  const TemporaryFile file(plain_bytes());
  ViewerStage stage;
  stage.open(file.path());
  const auto before = stage.state();
  for (const double hours : {5.0, 1e5}) {  // never back: it is a steady one
    stage.offscreen().rest(hours * 3600);
    stage.wheel({600, 300}, 2);
    EXPECT_NE(stage.state(), before);
    stage.key(Key::left, with_alt);
    stage.settle();
    EXPECT_EQ(stage.state().viewport, before.viewport);
  }
  stage.click(stage.place_of(stage.track("AMD"), 3));
  EXPECT_TRUE(stage.state().selection);
}

}  // namespace
}  // namespace bytescope::tests
