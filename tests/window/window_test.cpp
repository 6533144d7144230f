#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/desktop_theme.h"
#include "core/generate/generate.h"
#include "tests/support/temporary_folder.h"
#include "tests/window/desktop_portal.h"
#include "tests/window/window_stage.h"
#include "tests/window/xdnd_drop.h"

namespace bytescope::tests {
namespace {

/// A folder with a few files to open, gone in the end.
class Files {
public:
  Files() {
    generate("first.bin", 20'000, 7);
    generate("second.bin", 3'000, 8);
    std::ofstream(path("broken.bin")) << "this is no trace";
  }
  std::string path(const std::string& name) const { return folder_ / name; }

private:
  void generate(const std::string& name, std::uint64_t events, std::uint64_t seed) const {
    generate::Options options;
    options.events = events;
    options.devices = 2;
    options.seed = seed;
    EXPECT_TRUE(generate::write_trace(path(name), options, Cancel()));
  }
  TemporaryFolder folder_;
};

class WindowTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    server = XServer::start();
    ASSERT_NE(server, nullptr) << "Xvfb does not start";
    files = std::make_unique<Files>();
    plan = std::make_unique<Plan>(files->path("first.bin"));
  }
  static void TearDownTestSuite() {
    plan.reset();
    files.reset();
    server.reset();
  }

  static std::string first() { return files->path("first.bin"); }
  static std::string second() { return files->path("second.bin"); }
  static std::string broken() { return files->path("broken.bin"); }
  /// A place over the tracks, away from any edge.
  static Place middle() {
    const ScreenPart tracks = plan->tracks();
    return {(tracks.x0 + tracks.x1) / 2, tracks.y0 + 40};
  }

  static inline std::unique_ptr<XServer> server;
  static inline std::unique_ptr<Files> files;
  static inline std::unique_ptr<Plan> plan;
};

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

TEST_F(WindowTest, WheelZoomsAndZoomsBack) {
  WindowStage stage(*server, {first()});
  stage.move(middle());
  const ScreenPicture whole = stage.settled();
  stage.click(middle(), 4, 6);
  EXPECT_TRUE(stage.changes(whole, plan->tracks(), 0.05));
  stage.settled();
  stage.click(middle(), 5, 6);
  EXPECT_TRUE(stage.returns_to(whole, plan->tracks()));
}

TEST_F(WindowTest, DragPansAndAltLeftGoesBackAndForthAgain) {
  WindowStage stage(*server, {first()});
  stage.click(middle(), 4, 6);
  stage.move(nowhere);
  const ScreenPicture zoomed = stage.settled();
  // What follows at once is the same motion for the history.
  std::this_thread::sleep_for(std::chrono::milliseconds(800));
  stage.drag(middle(), {middle().x - 200, middle().y});
  stage.move(nowhere);
  EXPECT_TRUE(stage.changes(zoomed, plan->tracks(), 0.05));
  const ScreenPicture panned = stage.settled();
  stage.keys({"alt+Left"});
  EXPECT_TRUE(stage.returns_to(zoomed, plan->tracks()));
  stage.keys({"alt+Right"});
  EXPECT_TRUE(stage.returns_to(panned, plan->tracks()));
}

TEST_F(WindowTest, ClickOnTheNameOfAMemoryTrackExpandsIt) {
  WindowStage stage(*server, {first()});
  const ScreenPicture before = stage.settled();
  EXPECT_LT(filled_share(before, plan->below_rows()), 0.2);
  stage.click(plan->name_of("AMD:1 Memory"));
  EXPECT_TRUE(stage.becomes(
      [&] { return filled_share(stage.screen().picture(), plan->below_rows()) > 0.5; }));
  stage.settled();
  stage.click(plan->name_of("AMD:1 Memory"));
  EXPECT_TRUE(stage.returns_to(before, plan->below_rows()));
}

TEST_F(WindowTest, ASpanUnderThePointerHasATooltip) {
  WindowStage stage(*server, {first()});
  const ScreenPicture before = stage.settled();
  const Place span = plan->longest_span("USER");
  stage.move(span);
  // Beside the pointer, over what lies there.
  const ScreenPart beside = {span.x + 20, span.y + 20, span.x + 120, span.y + 60};
  EXPECT_TRUE(stage.changes(before, beside, 0.3));
  stage.move(nowhere);
  EXPECT_TRUE(stage.returns_to(before, plan->tracks()));
}

TEST_F(WindowTest, ClickSelectsASpanAndEscapeLeavesIt) {
  WindowStage stage(*server, {first()});
  const ScreenPicture before = stage.settled();
  stage.click(plan->longest_span("USER"));
  EXPECT_TRUE(stage.changes(before, plan->panel()));
  stage.settled();
  stage.keys({"Escape"});
  EXPECT_TRUE(stage.returns_to(before, plan->panel()));
}

TEST_F(WindowTest, CtrlFSearchesForWhatIsTypedAndEnterSelectsAHit) {
  WindowStage stage(*server, {first()});
  const ScreenPicture before = stage.settled();
  stage.keys({"ctrl+f"});
  EXPECT_TRUE(stage.changes(before, plan->dock()));
  stage.settled();
  stage.type("e_");
  const ScreenPicture found = stage.settled();
  EXPECT_EQ(difference(before, found, plan->panel()), 0) << "typing selects nothing";
  stage.keys({"Return"});
  EXPECT_TRUE(stage.changes(found, plan->panel()));
  stage.settled();
  // Leave the field, the selection, the panel.
  stage.keys({"Escape", "Escape", "Escape"});
  EXPECT_TRUE(stage.returns_to(before, plan->panel()));
}

TEST_F(WindowTest, IOpensStatisticsAndClosesThem) {
  WindowStage stage(*server, {first()});
  const ScreenPicture before = stage.settled();
  stage.keys({"i"});
  EXPECT_TRUE(stage.changes(before, plan->dock(), 0.1));
  EXPECT_GT(filled_share(stage.settled(), plan->dock()), 0.05);
  stage.keys({"i"});
  EXPECT_TRUE(stage.returns_to(before, plan->tracks()));
}

/// Does anything by its name.
void by_name(WindowStage& stage, const std::string& name) {
  stage.keys({"ctrl+p"});
  stage.settled();
  stage.type(name);
  stage.settled();
  stage.keys({"Return"});
}

// docs/five-questions.md, as a newcomer goes through it.
TEST_F(WindowTest, AnswersTheFiveQuestionsOfTheGuide) {
  const std::string demo = files->path("demo.bin");
  generate::Options options;
  options.events = 200'000;
  ASSERT_TRUE(generate::write_trace(demo, options, Cancel()));
  WindowStage stage(*server, {demo});
  const Plan here(demo);
  const ScreenPicture whole = stage.settled();

  stage.keys({"g"});
  EXPECT_TRUE(stage.changes(whole, here.panel())) << "1: the gap is measured on the right";
  by_name(stage, "Idle gaps");
  EXPECT_TRUE(stage.changes(whole, here.dock(), 0.05)) << "1: all gaps are listed";
  const ScreenPicture gaps = stage.settled();

  stage.keys({"Escape", "Escape", "Escape", "Home"});
  EXPECT_TRUE(stage.returns_to(whole, here.panel())) << "2: the least busy device is told of";

  stage.keys({"i"});
  EXPECT_TRUE(stage.changes(whole, here.dock(), 0.05)) << "3: statistics";
  const ScreenPicture statistics = stage.settled();
  EXPECT_GT(difference(gaps, statistics, here.dock()), 0.01);

  stage.keys({"p"});
  EXPECT_TRUE(stage.changes(statistics, here.tracks())) << "4: the track of the peak opens";
  stage.keys({"l"});
  EXPECT_TRUE(stage.changes(statistics, here.dock())) << "4: what lives there";
  const ScreenPicture live = stage.settled();

  by_name(stage, "Steps between markers");
  EXPECT_TRUE(stage.changes(live, here.dock())) << "5: the steps";
}

TEST_F(WindowTest, KeysMoveTheView) {
  WindowStage stage(*server, {first()});
  const ScreenPicture whole = stage.settled();
  ScreenPicture last = whole;
  for (const char* key : {"w", "w", "a", "d", "s", "Up", "Right", "Left", "Down"}) {
    stage.keys({key});
    EXPECT_TRUE(stage.changes(last, plan->tracks())) << key;
    last = stage.settled();
  }
  stage.keys({"w", "w", "w", "Home"});
  EXPECT_TRUE(stage.returns_to(whole, plan->tracks()));
}

TEST_F(WindowTest, FShowsTheSelection) {
  WindowStage stage(*server, {first()});
  stage.click(plan->longest_span("TINY"));
  const ScreenPicture selected = stage.settled();
  stage.keys({"f"});
  EXPECT_TRUE(stage.changes(selected, plan->tracks(), 0.1));
  stage.settled();
  stage.keys({"space"});
  EXPECT_TRUE(stage.returns_to(selected, plan->tracks()));
}

TEST_F(WindowTest, QuestionMarkOpensHelpAndEscapeClosesIt) {
  WindowStage stage(*server, {first()});
  const ScreenPicture before = stage.settled();
  const ScreenPart whole = {0, 0, screen_width, screen_height};
  stage.keys({"question"});
  EXPECT_TRUE(stage.changes(before, whole, 0.1));
  stage.settled();
  stage.keys({"Escape"});
  EXPECT_TRUE(stage.returns_to(before, whole));
}

TEST_F(WindowTest, CtrlWLeavesTheStartPageAndCtrlQQuits) {
  WindowStage stage(*server, {first()});
  stage.keys({"ctrl+w"});
  EXPECT_TRUE(stage.shows(""));
  EXPECT_TRUE(stage.program().running());
  stage.keys({"ctrl+q"});
  EXPECT_EQ(stage.program().exit_code(15), 0);
}

TEST_F(WindowTest, RemembersWhileItRunsAndWhenItEnds) {
  WindowStage stage(*server, {first()});
  stage.move(middle());
  stage.keys({"m"});
  EXPECT_TRUE(
      stage.becomes([&] { return stage.remembered().find("mark 1") != std::string::npos; }));
  stage.keys({"m", "ctrl+q"});
  EXPECT_EQ(stage.program().exit_code(15), 0);
  EXPECT_THAT(stage.remembered(), testing::HasSubstr("mark 2"));
  EXPECT_THAT(stage.remembered(), testing::HasSubstr(first()));
}

TEST_F(WindowTest, ClosesWhenItsFrameIsClosed) {
  WindowStage stage(*server, {first()});
  stage.screen().ask_to_close(stage.window());
  EXPECT_EQ(stage.program().exit_code(15), 0);
}

TEST_F(WindowTest, AFileThatIsNoTraceHasAnErrorPageAndOthersLiveOn) {
  WindowStage stage(*server, {first(), broken()});
  EXPECT_TRUE(stage.shows("broken.bin"));
  const ScreenPicture error = stage.settled();
  const ScreenPart page = {0, 100, screen_width, screen_height - 100};
  EXPECT_GT(filled_share(error, page), 0.001) << "the page says nothing";
  EXPECT_LT(filled_share(error, page), 0.2);
  stage.keys({"ctrl+Tab"});
  EXPECT_TRUE(stage.shows("first.bin"));
  EXPECT_GT(filled_share(stage.settled(), plan->tracks()), 0.1);
  stage.keys({"ctrl+Tab"});
  EXPECT_TRUE(stage.shows("broken.bin"));
  stage.keys({"ctrl+w"});
  EXPECT_TRUE(stage.shows("first.bin"));
  EXPECT_TRUE(stage.program().running());
}

TEST_F(WindowTest, TheChooserOpensATypedPath) {
  WindowStage stage(*server, {first()});
  stage.keys({"ctrl+o"});
  stage.settled();
  // It begins in the folder of the file that is shown.
  stage.type("second.bin");
  stage.settled();
  stage.keys({"Return"});
  EXPECT_TRUE(stage.shows("second.bin"));
  stage.keys({"ctrl+o"});
  const ScreenPicture chooser = stage.settled();
  stage.keys({"Escape"});
  EXPECT_TRUE(stage.changes(chooser, {0, 0, screen_width, screen_height}, 0.1));
  EXPECT_EQ(stage.title(), "second.bin \u2013 bytescope");
}

TEST_F(WindowTest, AFileThatIsDroppedOpens) {
  WindowStage stage(*server, {first()});
  const DropResult drop =
      drop_files(stage.display(), stage.window(), middle().x, middle().y, {second()});
  EXPECT_TRUE(drop.accepted);
  EXPECT_TRUE(drop.asked);
  EXPECT_TRUE(drop.finished);
  EXPECT_TRUE(stage.shows("second.bin"));
}

TEST_F(WindowTest, SeveralFilesInOneDropOpenATabEach) {
  WindowStage stage(*server, {});
  EXPECT_TRUE(stage.shows(""));
  const DropResult drop = drop_files(stage.display(), stage.window(), middle().x, middle().y,
                                     {first(), broken(), second()});
  EXPECT_TRUE(drop.finished);
  EXPECT_TRUE(stage.shows("second.bin"));
  for (const char* name : {"broken.bin", "first.bin"}) {
    stage.keys({"ctrl+w"});
    EXPECT_TRUE(stage.shows(name));
  }
  stage.keys({"ctrl+w"});
  EXPECT_TRUE(stage.shows(""));
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

TEST_F(WindowTest, AFileThatIsCutShortAndDeletedStaysOnTheScreen) {
  const std::string path = files->path("changing.bin");
  std::filesystem::copy_file(first(), path);
  WindowStage stage(*server, {path});
  const ScreenPicture before = stage.settled();
  std::filesystem::resize_file(path, 5000);
  stage.keys({"w", "w", "d", "w"});
  stage.settled();
  std::filesystem::remove(path);
  stage.keys({"s", "ctrl+r"});
  stage.settled();
  EXPECT_TRUE(stage.program().running());
  std::filesystem::copy_file(first(), path);
  stage.keys({"ctrl+r", "Home"});
  EXPECT_TRUE(stage.returns_to(before, plan->tracks()));
}

TEST_F(WindowTest, TellsByItselfThatAFileWasWrittenAgain) {
  const std::string path = files->path("rewritten.bin");
  std::filesystem::copy_file(second(), path, std::filesystem::copy_options::overwrite_existing);
  WindowStage stage(*server, {path});
  ASSERT_TRUE(stage.shows("rewritten.bin"));
  stage.move(nowhere);
  const ScreenPicture before = stage.settled();
  std::filesystem::copy_file(first(), path, std::filesystem::copy_options::overwrite_existing);
  // Nobody touches the window.
  constexpr ScreenPart status{0, screen_height - 24, screen_width / 2, screen_height};
  EXPECT_TRUE(stage.changes(before, status));
}

TEST_F(WindowTest, UsesNoCpuWhileNothingHappens) {
  WindowStage stage(*server, {first()});
  stage.move(plan->longest_span("USER"));
  stage.settled();
  const long before = stage.program().cpu_ticks();
  std::this_thread::sleep_for(std::chrono::seconds(3));
  EXPECT_LT(stage.program().cpu_ticks() - before, 2);
}

}  // namespace
}  // namespace bytescope::tests
