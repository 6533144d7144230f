// Someone without a plan at the mouse and the keyboard of the real window.

#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/walk_files.h"
#include "tests/window/window_stage.h"
#include "tests/window/xdnd_drop.h"

namespace bytescope::tests {
namespace {

using Commands = std::vector<std::string>;

/// Does anything but leave, and enter paths of any file of the machine.
class WindowMonkey {
public:
  WindowMonkey(int seed, const WindowStage& stage, const WalkFiles& files)
      : random_(static_cast<unsigned>(seed)), stage_(stage), files_(files) {}

  void act(int actions) {
    Commands commands;
    for (int i = 0; i < actions; ++i) {
      switch (below(12)) {
        case 0:
        case 1: add(commands, moved(place())); break;
        case 2:
        case 3: turn_wheel(commands); break;
        case 4:
        case 5: press(commands); break;
        case 6: drag(commands); break;
        case 7: search(commands); break;
        default: add(commands, {"key", "--delay", "1", chord()});
      }
    }
    stage_.xdotool(std::move(commands));
    act_on_files();
    act_on_window();
  }

private:
  static void add(Commands& commands, const Commands& more) {
    commands.insert(commands.end(), more.begin(), more.end());
  }
  static Commands moved(Place to) {
    return {"mousemove", std::to_string(to.x), std::to_string(to.y)};
  }
  void turn_wheel(Commands& commands) {
    hold_maybe(commands, {"click", "--repeat", std::to_string(1 + below(6)), "--delay", "1",
                          std::to_string(4 + below(4))});
  }
  void press(Commands& commands) {
    add(commands, moved(place()));
    add(commands, {"click", "--repeat", std::to_string(1 + below(2)), "--delay", "1",
                   std::to_string(1 + below(3))});
  }
  void drag(Commands& commands) {
    Commands dragged = {"mousedown", "1"};
    for (int i = below(4); i >= 0; --i) add(dragged, moved(place()));
    add(dragged, {"mouseup", "1"});
    hold_maybe(commands, dragged);
  }
  /// Goes somewhere and does that there, maybe with a modifier held.
  void hold_maybe(Commands& commands, const Commands& done) {
    static constexpr std::array modifiers{"", "", "ctrl", "shift", "alt"};
    const std::string modifier = modifiers[static_cast<std::size_t>(below(modifiers.size()))];
    add(commands, moved(place()));
    if (!modifier.empty()) add(commands, {"keydown", modifier});
    add(commands, done);
    if (!modifier.empty()) add(commands, {"keyup", modifier});
  }
  /// A field in which Enter is safe.
  void search(Commands& commands) {
    static constexpr std::array words{"r_",  "dur>1us", "name:",      "\"",
                                      "/x[", "marker",  "\u00E9 2:01"};
    add(commands, {"key", "Escape", "Escape", "ctrl+f"});
    add(commands, {"type", "--args", "1", "--delay", "1",
                   words[static_cast<std::size_t>(below(words.size()))]});
    if (below(2) == 0) add(commands, {"key", "Escape"});
  }
  /// Any key but q, Enter and the space bar, which may press a button that saves or quits.
  std::string chord() {
    static const std::string letters = "abcdefghijklmnoprstuvwxyz0123456789";
    static constexpr std::array others{
        "Tab",      "Escape",    "Home",  "End",    "Prior",        "Next",
        "Left",     "Right",     "Up",    "Down",   "bracketleft",  "period",
        "question", "BackSpace", "F2",    "Delete", "bracketright", "plus",
        "minus",    "F11",       "comma", "slash"};
    const int which = below(static_cast<int>(letters.size() + others.size()));
    const auto at = static_cast<std::size_t>(which);
    std::string chord;
    for (const char* modifier : {"ctrl+", "shift+", "alt+"})
      if (below(5) == 0) chord += modifier;
    return chord +
           (at < letters.size() ? std::string(1, letters[at]) : others[at - letters.size()]);
  }
  void act_on_files() {
    if (below(3) == 0) files_.disturb(below(4));
    if (below(3) != 0) return;
    const Commands paths = files_.paths();
    const std::string& path =
        paths[static_cast<std::size_t>(below(static_cast<int>(paths.size())))];
    // In the corner, which is in a window of any size.
    drop_files(stage_.display(), stage_.window(), 0, 0, {path});
  }
  void act_on_window() {
    const int how = below(6);
    if (how == 0)
      stage_.screen().place(stage_.window(), 1 + below(screen_width), 1 + below(screen_height));
    if (how == 1) stage_.screen().place(stage_.window(), screen_width, screen_height);
  }

  int below(std::size_t count) { return below(static_cast<int>(count)); }
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  Place place() { return {below(screen_width), below(screen_height)}; }

  std::mt19937 random_;
  const WindowStage& stage_;
  const WalkFiles& files_;
};

/// Everything closed, the window as large as it was.
void close_all(WindowStage& stage) {
  stage.screen().place(stage.window(), screen_width, screen_height);
  for (int i = 0; i < 40 && stage.title() != "bytescope"; ++i)
    stage.keys({"Escape", "Escape", "Escape", "ctrl+w"});
  EXPECT_TRUE(stage.shows(""));
  stage.settled();
}

// A longer walk: BYTESCOPE_WALK_STEPS=10000 BYTESCOPE_WALK_SEED=7.
TEST(WindowWalk, SurvivesAndHoldsNoMoreInTheEnd) {
  constexpr int rounds = 4;
  constexpr int at_once = 10;
  constexpr std::size_t noise_bytes = 20'000'000;
  const int steps = number_from("BYTESCOPE_WALK_STEPS", 400);
  const int seed = number_from("BYTESCOPE_WALK_SEED", 20'261'129);
  const auto server = XServer::start();
  ASSERT_NE(server, nullptr) << "Xvfb does not start";
  const WalkFiles files;
  // Drivers keep some kilobytes when they are unloaded: leaks are looked for without a display.
  WindowStage stage(*server, {files.paths().front(), files.plain()},
                    {"ASAN_OPTIONS=detect_leaks=0"});
  std::size_t before = 0;
  for (int round = 0; round < rounds; ++round) {
    WindowMonkey monkey(seed, stage, files);  // the same each time: nothing new is to be learnt
    for (int done = 0; done < steps / rounds; done += at_once) {
      monkey.act(at_once);
      ASSERT_TRUE(stage.program().running()) << "round " << round << ", action " << done;
    }
    close_all(stage);
    ASSERT_TRUE(stage.program().running());
    if (round == 1) before = stage.program().resident_bytes();
  }
  EXPECT_LT(stage.program().resident_bytes(), before + noise_bytes);
  stage.keys({"ctrl+q"});
  EXPECT_EQ(stage.program().exit_code(15), 0);
}

}  // namespace
}  // namespace bytescope::tests
