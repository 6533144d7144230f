#include "app/actions.h"
#include "app/viewer.h"

// Which part of the window a key is meant for.

namespace bytescope::app {
namespace {

/// What the help page scrolls by.
bool scrolls_page(const InputEvent& event) {
  return event.kind == InputEvent::Kind::key && event.modifiers.none() &&
         (event.key == Key::up || event.key == Key::down || event.key == Key::page_up ||
          event.key == Key::page_down || event.key == Key::home || event.key == Key::end);
}

}  // namespace

/// What a text does not need itself: function keys, and chords but those that edit it.
bool Viewer::acts_while_typing(const InputEvent& event) const {
  if (event.kind != InputEvent::Kind::key) return false;
  if (event.key >= Key::f1 && event.key <= Key::f12) return true;
  const bool edits = event.key == Key::a || event.key == Key::c || event.key == Key::v ||
                     event.key == Key::x || event.key == Key::z || event.key == Key::left ||
                     event.key == Key::right;
  return event.modifiers.command && !edits;
}

bool Viewer::act_on_key(const InputEvent& event) {
  if (event.kind == InputEvent::Kind::key && !event.down) {
    release_action(event, *this);
    return false;
  }
  // These two have uses of their own for Tab and arrows, and no control without a key.
  if (chooser_.is_open() || palette_.is_open()) return false;
  if (run_action(event, *this, /*everywhere_only=*/true)) return true;
  if (is_dialog_open() || (help_.is_open && scrolls_page(event))) return false;
  const DocumentView* view = active();
  const bool types =
      typing_ || focus_.is_at_field() ||
      (view != nullptr && view->dock.open && view->dock.wants_keyboard != TakeKeyboard::no);
  if (types && !acts_while_typing(event)) return false;
  if (event.kind == InputEvent::Kind::key && event.modifiers.none() && move_in_table(event.key))
    return true;
  return run_action(event, *this);
}

}  // namespace bytescope::app
