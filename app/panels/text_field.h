#pragma once

#include <string>

#include "app/panels/panel_window.h"

namespace bytescope::app {

/// What happened in a field during a frame.
struct FieldAnswer {
  bool active = false;   ///< It has the keyboard.
  bool changed = false;  ///< Its text is another than before.
  bool entered = false;  ///< Enter was pressed.
};

/// A line of text that can be edited, at most 4096 bytes; `id` tells it from others of the window.
/// `hint` stands in an empty field. `take_keyboard` gives it the keyboard, its text selected.
/// Escape leaves the text as it is.
FieldAnswer text_field(PanelWindow& window, const render::Box& box, const char* id,
                       std::string& text, const char* hint, bool take_keyboard);

}  // namespace bytescope::app
