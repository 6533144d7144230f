// The window as desktops and X servers know it.

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/desktop_theme.h"
#include "tests/window/desktop_portal.h"
#include "tests/window/window_test.h"

namespace bytescope::tests {
namespace {

TEST_F(WindowTest, ShowsTheTraceOfTheCommandLine) {
  WindowStage stage(*server, {first()});
  EXPECT_TRUE(stage.shows("first.bin"));
  const ScreenPicture picture = stage.settled();
  EXPECT_GT(filled_share(picture, plan->tracks()), 0.1);
  EXPECT_GT(filled_share(picture, plan->panel()), 0.03);
}

TEST_F(WindowTest, OpensNoLargerThanTheScreen) {
  const WindowStage stage(*server, {});
  EXPECT_EQ(stage.first_size(), std::pair(screen_width, screen_height));
}

TEST_F(WindowTest, TellsTheDesktopWhatItIs) {
  const WindowStage stage(*server, {first()});
  EXPECT_EQ(stage.screen().class_name(stage.window()), "bytescope") << "as in the desktop file";
  EXPECT_THAT(stage.screen().icon_sides(stage.window()), testing::ElementsAre(16, 32, 48, 128));
}

/// What the window should show on a screen of that scale: drawn without one.
ScreenPicture drawn_at(float scale, const std::string& path) {
  auto made =
      app::OffscreenViewer::create({screen_width, screen_height}, scale, render::dark_theme());
  EXPECT_TRUE(made);
  (*made)->viewer().open(path);
  (*made)->settle(Cancel());
  const render::Picture drawn = (*made)->pixels();
  ScreenPicture picture{static_cast<int>(drawn.width), static_cast<int>(drawn.height), {}};
  for (const render::Color& color : drawn.pixels)
    picture.pixels.push_back(static_cast<std::uint32_t>(color.r << 16 | color.g << 8 | color.b));
  return picture;
}

TEST_F(WindowTest, IsAsLargeAsTheScreenAsks) {
  if (!is_installed("xrdb")) GTEST_SKIP() << "xrdb is not installed";
  constexpr ScreenPart whole{0, 0, screen_width, screen_height};
  for (const int dpi : {96, 144, 192}) {
    const auto fine = XServer::start(dpi);
    ASSERT_NE(fine, nullptr);
    WindowStage stage(*fine, {first()});
    const ScreenPicture picture = stage.settled();
    EXPECT_LT(difference(picture, drawn_at(static_cast<float>(dpi) / 96, first()), whole), 0.01)
        << dpi;
  }
}

TEST_F(WindowTest, BeginsAsLightAsTheDesktop) {
  if (!is_installed("dbus-daemon")) GTEST_SKIP() << "dbus-daemon is not installed";
  const auto canvas = [](const render::Theme& theme) {
    return static_cast<std::uint32_t>(theme.canvas.r << 16 | theme.canvas.g << 8 | theme.canvas.b);
  };
  for (const std::uint32_t scheme : {0U, 1U, 2U}) {
    const DesktopPortal portal({.scheme = scheme, .reduced_motion = 0, .animates = {}});
    WindowStage stage(*server, {second()}, {"DBUS_SESSION_BUS_ADDRESS=" + portal.address()});
    const std::uint32_t expected =
        canvas(scheme == 2 ? render::light_theme() : render::dark_theme());
    const ScreenPart part = plan->tracks();
    EXPECT_EQ(stage.settled().at(part.x1 - 5, part.y1 - 5), expected) << scheme;
  }
}

TEST(DesktopWishes, OfMotionAreReadAsEachPortalTellsThem) {
  if (!is_installed("dbus-daemon")) GTEST_SKIP() << "dbus-daemon is not installed";
  const struct {
    DesktopSettings settings;
    std::optional<bool> less_motion;
  } cases[] = {
      {{0, 1, {}}, true},     {{0, 0, false}, false},      {{0, {}, false}, true},
      {{0, {}, true}, false}, {{0, {}, {}}, std::nullopt},
  };
  for (const auto& one : cases) {
    const DesktopPortal portal(one.settings);
    setenv("DBUS_SESSION_BUS_ADDRESS", portal.address().c_str(), 1);
    EXPECT_EQ(app::portal_wishes().less_motion, one.less_motion);
    unsetenv("DBUS_SESSION_BUS_ADDRESS");
  }
}

TEST_F(WindowTest, ClosesWhenItsFrameIsClosed) {
  WindowStage stage(*server, {first()});
  stage.screen().ask_to_close(stage.window());
  EXPECT_EQ(stage.program().exit_code(15), 0);
}

TEST_F(WindowTest, AnySizeOfTheWindowWillDo) {
  WindowStage stage(*server, {first()});
  const ScreenPicture before = stage.settled();
  struct Size {
    int width;
    int height;
  };
  for (const Size size : {Size{1, 1}, {200, 30}, {3000, 40}, {5, 2000}, {4000, 3000}}) {
    stage.screen().place(stage.window(), size.width, size.height);
    stage.settled();
    stage.keys({"w", "s", "question", "Escape", "ctrl+o"});
    stage.settled();
    stage.keys({"Escape"});
    ASSERT_TRUE(stage.program().running()) << size.width << "x" << size.height;
  }
  stage.screen().place(stage.window(), screen_width, screen_height);
  stage.keys({"Home"});
  EXPECT_TRUE(stage.returns_to(before, plan->tracks()));
}

TEST_F(WindowTest, WithTooOldAnOpenGLItSaysSo) {
  const TemporaryFolder folder;
  Child program({BYTESCOPE_PROGRAM, first()},
                {"DISPLAY=" + server->display(), "MESA_GL_VERSION_OVERRIDE=2.1",
                 "MESA_GLSL_VERSION_OVERRIDE=120"},
                folder / "output");
  EXPECT_EQ(program.exit_code(20), 3);
  std::ifstream output(folder / "output");
  const std::string said(std::istreambuf_iterator<char>(output), {});
  EXPECT_THAT(said, testing::StartsWith("error: "));
  EXPECT_THAT(said, testing::HasSubstr("OpenGL 3.3"));
}

}  // namespace
}  // namespace bytescope::tests
