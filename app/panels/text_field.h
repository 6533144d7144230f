#pragma once

#include <cstdint>
#include <string>

#include "app/panels/panel_window.h"

namespace bytescope::app {

/// What happened in a field during a frame.
struct FieldAnswer {
  bool active = false;   ///< It has the keyboard.
  bool changed = false;  ///< Its text is another than before.
  bool entered = false;  ///< Enter was pressed.
};

/// Whether a field gets the keyboard (with the next frame).
enum class TakeKeyboard : std::uint8_t {
  no,
  select,  ///< Yes, and all of its text is selected: what is typed replaces it.
  go_on,   ///< Yes, with the cursor where it was: what is typed adds to it.
};

/// A line of text that can be edited, at most 4096 bytes; `id` tells it from others of the window.
/// `hint` stands in an empty field. Escape leaves the text as it is.
FieldAnswer text_field(PanelWindow& window, const render::Box& box, const char* id,
                       std::string& text, const char* hint, TakeKeyboard take);

}  // namespace bytescope::app
