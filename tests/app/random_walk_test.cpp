#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>

#include "app/actions.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/walk_files.h"

namespace bytescope::tests {
namespace {

using app::Key;
using app::MouseButton;

/// What somebody does who has no plan.
class Monkey {
public:
  Monkey(int seed, ViewerStage& stage, const WalkFiles& files)
      : random_(static_cast<unsigned>(seed)), stage_(stage), files_(files) {}

  void act() {
    switch (below(16)) {
      case 0:
      case 1: stage_.wheel(place(), notches(), modifiers()); break;
      case 2: stage_.scroll(place(), notches(), notches(), modifiers()); break;
      case 3: stage_.drag(place(), place(), button(), modifiers()); break;
      case 4: stage_.press(place(), button(), modifiers()); break;
      case 5: stage_.release(place(), button(), modifiers()); break;
      case 6:
      case 7: stage_.click(place(), button(), modifiers()); break;
      case 8: stage_.move(place()); break;
      case 9: press_any_key(); break;
      case 10: type_any(); break;
      case 11: act_on_files(); break;
      case 12: ask_and_answer(); break;
      default: run_any_action(); break;
    }
    if (below(5) == 0) stage_.rest();
    if (below(40) == 0) jump_clock();
  }

private:
  void press_any_key() {
    const Key key = static_cast<Key>(below(static_cast<int>(app::key_count)));
    // Quitting and typing paths of any file of the machine are not to be tried here.
    if (key != Key::q && key != Key::enter && key != Key::keypad_enter)
      stage_.key(key, modifiers());
  }

  /// One of the table, whether a key leads there or only the palette.
  void run_any_action() {
    const auto actions = app::window_actions();
    const app::WindowAction& action =
        actions[static_cast<std::size_t>(below(static_cast<int>(actions.size())))];
    if (!action.available(stage_.viewer())) return;
    action.run(stage_.viewer());
    stage_.offscreen().frame();
  }

  void type_any() {
    static const std::u32string characters = U"?x e_4/\"dur>1us\u00E9\U0001F600\t";
    stage_.type(characters[static_cast<std::size_t>(below(static_cast<int>(characters.size())))]);
  }

  /// Searches, or does something by its name: fields in which Enter is safe.
  void ask_and_answer() {
    stage_.key(Key::escape);
    stage_.key(Key::escape);
    if (below(2) == 0) {
      stage_.key(Key::f, with_command);
    } else {
      stage_.key(Key::p, with_command);
    }
    for (int count = below(4); count-- > 0;) type_any();
    if (!chooser_may_be_open()) stage_.key(Key::enter);
    if (below(2) == 0) stage_.settle();
  }
  /// The palette may just have opened it.
  bool chooser_may_be_open() { return stage_.viewer().active() == nullptr; }

  void act_on_files() {
    const auto& documents = stage_.viewer().session().documents();
    const std::vector<std::string> paths = files_.paths();
    if (documents.size() < 4 && below(2) == 0) {
      stage_.viewer().open(paths[static_cast<std::size_t>(below(static_cast<int>(paths.size())))]);
    } else if (below(3) == 0) {
      files_.disturb(below(4));
    } else if (!documents.empty() && below(4) == 0) {
      stage_.viewer().reload_active();
    } else {
      stage_.offscreen().wait();
    }
  }

  /// Hours ahead, or back.
  void jump_clock() { stage_.offscreen().rest(below(2) == 0 ? 10'000 : -10'000); }

  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  Point place() {
    return {static_cast<float>(below(1300)) - 10, static_cast<float>(below(740)) - 10};
  }
  float notches() { return static_cast<float>(below(41) - 20) / 4; }
  MouseButton button() {
    return below(2) == 0 ? MouseButton::left : static_cast<MouseButton>(below(5));
  }
  app::Modifiers modifiers() { return {below(4) == 0, below(6) == 0, below(6) == 0, false}; }

  std::mt19937 random_;
  ViewerStage& stage_;
  const WalkFiles& files_;
};

void walk(Monkey& monkey, ViewerStage& stage, int steps) {
  for (int i = 0; i < steps; ++i) {
    SCOPED_TRACE(i);
    monkey.act();
    if (app::DocumentView* view = stage.viewer().active()) {
      const query::TimeRange window = view->state().viewport.window();
      ASSERT_LT(window.begin_ns, window.end_ns);
      ASSERT_GE(view->state().scroll_px, 0);
    }
  }
}

/// The walk may have asked for a trace that is still being made, the demo, say: it opens a tab when
/// it is done.
void close_everything(ViewerStage& stage) {
  const auto& documents = stage.viewer().session().documents();
  do {
    while (!documents.empty()) stage.viewer().close(documents.front().id);
    for (int i = 0; i < 6; ++i) stage.key(Key::escape);
    stage.settle();
  } while (!documents.empty());
}

/// What the program holds of the heap.
std::size_t heap_bytes() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

// A longer walk: BYTESCOPE_WALK_STEPS=20000 BYTESCOPE_WALK_SEED=7.
TEST(Viewer, SurvivesFiveHundredThingsWithoutAPlan) {
  const int steps = number_from("BYTESCOPE_WALK_STEPS", 500);
  const int seed = number_from("BYTESCOPE_WALK_SEED", 20'260'105);
  const WalkFiles files;
  ViewerStage stage;
  stage.open(files.paths().front());
  Monkey monkey(seed, stage, files);
  walk(monkey, stage, steps);
  stage.settle();
}

TEST(Viewer, HoldsNoMoreAfterTheSameWalkAgain) {
  const WalkFiles files;
  ViewerStage stage;
  std::size_t before = 0;
  for (int round = 0; round < 4; ++round) {
    files.disturb(1);
    stage.open(files.paths().front());
    stage.open(files.plain());
    Monkey monkey(5, stage, files);
    walk(monkey, stage, 40);
    close_everything(stage);
    if (round == 1) before = heap_bytes();
  }
  constexpr std::size_t noise_bytes = 1'500'000;
  EXPECT_LT(heap_bytes(), before + noise_bytes);
}

}  // namespace
}  // namespace bytescope::tests
