#include "app/keys_glfw.h"

#include <array>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace bytescope::app {
namespace {

struct GlfwKeyRow {
  int glfw_key;
  Key key;
};

// What is not a run of consecutive keys in both.
// clang-format off
constexpr GlfwKeyRow glfw_key_rows[] = {
    {GLFW_KEY_SPACE, Key::space},                 {GLFW_KEY_APOSTROPHE, Key::apostrophe},
    {GLFW_KEY_COMMA, Key::comma},                 {GLFW_KEY_MINUS, Key::minus},
    {GLFW_KEY_PERIOD, Key::period},               {GLFW_KEY_SLASH, Key::slash},
    {GLFW_KEY_SEMICOLON, Key::semicolon},         {GLFW_KEY_EQUAL, Key::equal},
    {GLFW_KEY_LEFT_BRACKET, Key::left_bracket},   {GLFW_KEY_BACKSLASH, Key::backslash},
    {GLFW_KEY_RIGHT_BRACKET, Key::right_bracket}, {GLFW_KEY_GRAVE_ACCENT, Key::grave_accent},
    {GLFW_KEY_ESCAPE, Key::escape},               {GLFW_KEY_ENTER, Key::enter},
    {GLFW_KEY_TAB, Key::tab},                     {GLFW_KEY_BACKSPACE, Key::backspace},
    {GLFW_KEY_INSERT, Key::insert},               {GLFW_KEY_DELETE, Key::delete_forward},
    {GLFW_KEY_LEFT, Key::left},                   {GLFW_KEY_RIGHT, Key::right},
    {GLFW_KEY_UP, Key::up},                       {GLFW_KEY_DOWN, Key::down},
    {GLFW_KEY_PAGE_UP, Key::page_up},             {GLFW_KEY_PAGE_DOWN, Key::page_down},
    {GLFW_KEY_HOME, Key::home},                   {GLFW_KEY_END, Key::end},
    {GLFW_KEY_CAPS_LOCK, Key::caps_lock},         {GLFW_KEY_SCROLL_LOCK, Key::scroll_lock},
    {GLFW_KEY_NUM_LOCK, Key::num_lock},           {GLFW_KEY_PRINT_SCREEN, Key::print_screen},
    {GLFW_KEY_PAUSE, Key::pause},                 {GLFW_KEY_MENU, Key::menu},
    {GLFW_KEY_KP_DECIMAL, Key::keypad_decimal},   {GLFW_KEY_KP_DIVIDE, Key::keypad_divide},
    {GLFW_KEY_KP_MULTIPLY, Key::keypad_multiply}, {GLFW_KEY_KP_SUBTRACT, Key::keypad_subtract},
    {GLFW_KEY_KP_ADD, Key::keypad_add},           {GLFW_KEY_KP_ENTER, Key::keypad_enter},
    {GLFW_KEY_KP_EQUAL, Key::keypad_equal},
    {GLFW_KEY_LEFT_SHIFT, Key::left_shift},       {GLFW_KEY_RIGHT_SHIFT, Key::right_shift},
    {GLFW_KEY_LEFT_CONTROL, Key::left_control},   {GLFW_KEY_RIGHT_CONTROL, Key::right_control},
    {GLFW_KEY_LEFT_ALT, Key::left_alt},           {GLFW_KEY_RIGHT_ALT, Key::right_alt},
    {GLFW_KEY_LEFT_SUPER, Key::left_super},       {GLFW_KEY_RIGHT_SUPER, Key::right_super},
};
// clang-format on

struct KeyRun {
  int first;
  int last;
  Key key;
};

constexpr KeyRun key_runs[] = {{GLFW_KEY_A, GLFW_KEY_Z, Key::a},
                               {GLFW_KEY_0, GLFW_KEY_9, Key::digit_0},
                               {GLFW_KEY_F1, GLFW_KEY_F12, Key::f1},
                               {GLFW_KEY_KP_0, GLFW_KEY_KP_9, Key::keypad_0}};

#ifdef __APPLE__
constexpr int command_bit = GLFW_MOD_SUPER;
constexpr int other_bit = GLFW_MOD_CONTROL;
#else
constexpr int command_bit = GLFW_MOD_CONTROL;
constexpr int other_bit = GLFW_MOD_SUPER;
#endif

}  // namespace

Key key_from_glfw(int glfw_key) {
  for (const KeyRun& run : key_runs)
    if (run.first <= glfw_key && glfw_key <= run.last)
      return static_cast<Key>(static_cast<int>(run.key) + glfw_key - run.first);
  for (const GlfwKeyRow& row : glfw_key_rows)
    if (row.glfw_key == glfw_key) return row.key;
  return Key::none;
}

Modifiers modifiers_from_glfw(int bits) {
  return {.shift = (bits & GLFW_MOD_SHIFT) != 0,
          .command = (bits & command_bit) != 0,
          .alt = (bits & GLFW_MOD_ALT) != 0,
          .other = (bits & other_bit) != 0};
}

Modifiers held_modifiers(GLFWwindow* window) {
  const auto held = [window](int left, int right, int bit) {
    const bool down =
        glfwGetKey(window, left) == GLFW_PRESS || glfwGetKey(window, right) == GLFW_PRESS;
    return down ? bit : 0;
  };
  return modifiers_from_glfw(held(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT, GLFW_MOD_SHIFT) |
                             held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL, GLFW_MOD_CONTROL) |
                             held(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT, GLFW_MOD_ALT) |
                             held(GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER, GLFW_MOD_SUPER));
}

Modifiers modifiers_with(GLFWwindow* window, int glfw_key, int bits) {
  const bool is_modifier = GLFW_KEY_LEFT_SHIFT <= glfw_key && glfw_key <= GLFW_KEY_RIGHT_SUPER;
  return is_modifier ? held_modifiers(window) : modifiers_from_glfw(bits);
}

}  // namespace bytescope::app
