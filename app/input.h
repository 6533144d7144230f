#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bytescope::app {

/// Keys by their position on the keyboard, named after what a US layout prints on them: `w` is the
/// key left of `e` on any layout.
enum class Key : std::uint8_t {
  // clang-format off
  none,
  a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z,
  digit_0, digit_1, digit_2, digit_3, digit_4, digit_5, digit_6, digit_7, digit_8, digit_9,
  space, apostrophe, comma, minus, period, slash, semicolon, equal,
  left_bracket, backslash, right_bracket, grave_accent,
  escape, enter, tab, backspace, insert, delete_forward,
  left, right, up, down, page_up, page_down, home, end,
  caps_lock, scroll_lock, num_lock, print_screen, pause, menu,
  f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12,
  keypad_0, keypad_1, keypad_2, keypad_3, keypad_4,
  keypad_5, keypad_6, keypad_7, keypad_8, keypad_9,
  keypad_decimal, keypad_divide, keypad_multiply, keypad_subtract, keypad_add, keypad_enter,
  keypad_equal,
  left_shift, left_control, left_alt, left_super, right_shift, right_control, right_alt, right_super,
  // clang-format on
};
constexpr std::size_t key_count = static_cast<std::size_t>(Key::right_super) + 1;

/// How a key is written in menus and in the action table: "W", "Escape", "Left", "[", "F3".
std::string_view name(Key key);
/// The key of such a name in any case; Key::none when there is none.
Key key_from_name(std::string_view key_name);

/// What is held while something else is pressed.
struct Modifiers {
  bool shift = false;
  bool command = false;  ///< Ctrl; Cmd on a Mac.
  bool alt = false;
  bool other = false;  ///< Super or Windows; Control on a Mac.
  bool none() const { return !shift && !command && !alt && !other; }
  bool operator==(const Modifiers&) const = default;
};

/// Buttons of a mouse; back and forward are the fourth and fifth.
enum class MouseButton : std::uint8_t { left, right, middle, back, forward };
constexpr std::size_t mouse_button_count = 5;

/// Something that happened to the window. Which fields count depends on the kind.
struct InputEvent {
  enum class Kind : std::uint8_t {
    key,           ///< key, down, repeat, modifiers
    character,     ///< character: a text was typed, on whatever layout
    mouse_move,    ///< x, y
    mouse_leave,   ///< the pointer left the window
    mouse_button,  ///< button, down, x, y, modifiers
    scroll,        ///< scroll_x, scroll_y in notches (fractions on a trackpad), x, y, modifiers
    drop,          ///< paths of files dropped at x, y
    focus,         ///< down: whether the window has the keyboard now
    resize,        ///< the framebuffer has another size
    scale,         ///< the display scale changed
    close,         ///< the user wants the window gone
    refresh,       ///< the window has to be drawn again
  };

  Kind kind = Kind::key;
  Key key = Key::none;
  bool down = false;
  bool repeat = false;
  Modifiers modifiers = {};
  MouseButton button = MouseButton::left;
  char32_t character = 0;
  float x = 0;  ///< Logical pixels from the left edge; y from the top.
  float y = 0;
  float scroll_x = 0;  ///< Positive to the right (the content moves left).
  float scroll_y = 0;  ///< Positive away from the user (up).
  double time_s = 0;   ///< When it was seen, on a clock that never jumps.
  std::vector<std::string> paths = {};
};

/// The system's clipboard, or what stands for it in a test.
class Clipboard {
public:
  Clipboard() = default;
  virtual ~Clipboard() = default;
  Clipboard(const Clipboard&) = delete;
  Clipboard& operator=(const Clipboard&) = delete;
  Clipboard(Clipboard&&) = delete;
  Clipboard& operator=(Clipboard&&) = delete;

  /// UTF-8; empty when it holds no text.
  virtual std::string clipboard_text() = 0;
  virtual void set_clipboard_text(const std::string& text) = 0;
};

/// A clipboard of our own, for programs without a window.
class MemoryClipboard final : public Clipboard {
public:
  std::string clipboard_text() override { return text_; }
  void set_clipboard_text(const std::string& text) override { text_ = text; }

private:
  std::string text_;
};

}  // namespace bytescope::app
