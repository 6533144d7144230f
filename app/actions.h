#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/input.h"

namespace bytescope::app {

class Viewer;

/// A key with what is held beside it, or a typed character (for signs that lie elsewhere on other
/// layouts).
struct Chord {
  Key key = Key::none;
  Modifiers modifiers;
  char32_t character = 0;
  /// "Ctrl O", "Shift F3", "?".
  std::string text() const;
  bool operator==(const Chord&) const = default;
};

/// Something that can be done: a key does it, the help page and the README list it.
struct WindowAction {
  const char* id;
  const char* group;
  const char* title;
  std::vector<Chord> chords;
  bool (*available)(Viewer&);
  void (*run)(Viewer&);
  bool repeats = false;                    ///< Happens again while its key is held.
  void (*release)(Viewer&) = nullptr;      ///< What letting go of the key does; null: nothing.
  bool (*is_on)(const Viewer&) = nullptr;  ///< Whether what it switches is on: menus mark it.
  bool is_everywhere = false;              ///< Acts in dialogs and in fields of text too.
};

/// The table of all actions. Of several with one chord the first that is available acts.
std::span<const WindowAction> window_actions();
/// The action of that id; null when there is none.
const WindowAction* action_named(std::string_view id);

/// Runs what an event asks for; returns whether there was anything. `everywhere_only`: of what acts
/// in dialogs and fields too.
bool run_action(const InputEvent& event, Viewer& viewer, bool everywhere_only = false);
/// Ends what lasts as long as the key is held that `event` lets go of, whatever is held beside it.
void release_action(const InputEvent& event, Viewer& viewer);
/// Ends all that lasts as long as a key is held: the keys go unseen from now on.
void release_all_actions(Viewer& viewer);

/// What the mouse does, for the help page and the README.
struct GestureHelp {
  const char* gesture;
  const char* effect;
};
std::span<const GestureHelp> gesture_help();

}  // namespace bytescope::app
