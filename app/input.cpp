#include "app/input.h"

#include <algorithm>
#include <array>

namespace bytescope::app {
namespace {

// In the order of the enum.
// clang-format off
constexpr std::array<std::string_view, key_count> names{
  "",
  "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z",
  "0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
  "Space", "'", ",", "-", ".", "/", ";", "=",
  "[", "\\", "]", "`",
  "Escape", "Enter", "Tab", "Backspace", "Insert", "Delete",
  "Left", "Right", "Up", "Down", "PageUp", "PageDown", "Home", "End",
  "CapsLock", "ScrollLock", "NumLock", "PrintScreen", "Pause", "Menu",
  "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12",
  "Keypad0", "Keypad1", "Keypad2", "Keypad3", "Keypad4",
  "Keypad5", "Keypad6", "Keypad7", "Keypad8", "Keypad9",
  "Keypad.", "Keypad/", "Keypad*", "Keypad-", "Keypad+", "KeypadEnter",
  "Keypad=",
  "LeftShift", "LeftCtrl", "LeftAlt", "LeftSuper", "RightShift", "RightCtrl", "RightAlt", "RightSuper",
};
// clang-format on
static_assert(names.back() == "RightSuper", "a name for each key");

}  // namespace

std::string_view name(Key key) {
  const auto at = static_cast<std::size_t>(key);
  return at < names.size() ? names[at] : std::string_view();
}

Key key_from_name(std::string_view key_name) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  const auto same = [&](char a, char b) { return lower(a) == lower(b); };
  for (std::size_t i = 1; i < names.size(); ++i)
    if (std::equal(names[i].begin(), names[i].end(), key_name.begin(), key_name.end(), same))
      return static_cast<Key>(i);
  return Key::none;
}

}  // namespace bytescope::app
