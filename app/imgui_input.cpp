#include "app/imgui_input.h"

#include <algorithm>
#include <cfloat>
#include <optional>

#include <imgui.h>

namespace bytescope::app {
namespace {

using Kind = InputEvent::Kind;

struct ImGuiKeyRow {
  Key key;
  ImGuiKey imgui_key;
};

// What ImGui's text fields, lists and menus react to.
// clang-format off
constexpr ImGuiKeyRow imgui_key_rows[] = {
    {Key::tab, ImGuiKey_Tab},                   {Key::left, ImGuiKey_LeftArrow},
    {Key::right, ImGuiKey_RightArrow},          {Key::up, ImGuiKey_UpArrow},
    {Key::down, ImGuiKey_DownArrow},            {Key::page_up, ImGuiKey_PageUp},
    {Key::page_down, ImGuiKey_PageDown},        {Key::home, ImGuiKey_Home},
    {Key::end, ImGuiKey_End},                   {Key::insert, ImGuiKey_Insert},
    {Key::delete_forward, ImGuiKey_Delete},     {Key::backspace, ImGuiKey_Backspace},
    {Key::space, ImGuiKey_Space},               {Key::enter, ImGuiKey_Enter},
    {Key::escape, ImGuiKey_Escape},
    {Key::a, ImGuiKey_A},                       {Key::c, ImGuiKey_C},
    {Key::v, ImGuiKey_V},                       {Key::x, ImGuiKey_X},
    {Key::y, ImGuiKey_Y},                       {Key::z, ImGuiKey_Z},
#if IMGUI_VERSION_NUM >= 18700
    {Key::keypad_enter, ImGuiKey_KeypadEnter},
#else
    {Key::keypad_enter, ImGuiKey_KeyPadEnter},
#endif
};
// clang-format on

std::optional<ImGuiKey> imgui_key(Key key) {
  for (const ImGuiKeyRow& row : imgui_key_rows)
    if (row.key == key) return row.imgui_key;
  return std::nullopt;
}

/// Whether a key does something in a text field, other than by the character that comes with it.
bool edits(const InputEvent& event) {
  const bool types = (Key::a <= event.key && event.key <= Key::z) || event.key == Key::space;
  return imgui_key(event.key) && (!types || event.modifiers.command);
}

// Both generations of ImGui's input: until 1.86 a state to be written, from 1.87 on events.
#if IMGUI_VERSION_NUM >= 18700

void set_key(Key key, bool down) {
  if (const auto known = imgui_key(key)) ImGui::GetIO().AddKeyEvent(*known, down);
}

void set_modifiers(bool shift, bool alt, bool control, bool super) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18900
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  io.AddKeyEvent(ImGuiMod_Alt, alt);
  io.AddKeyEvent(ImGuiMod_Ctrl, control);
  io.AddKeyEvent(ImGuiMod_Super, super);
#else
  io.AddKeyEvent(ImGuiKey_ModShift, shift);
  io.AddKeyEvent(ImGuiKey_ModAlt, alt);
  io.AddKeyEvent(ImGuiKey_ModCtrl, control);
  io.AddKeyEvent(ImGuiKey_ModSuper, super);
#endif
}

void set_mouse(float x, float y) { ImGui::GetIO().AddMousePosEvent(x, y); }
void set_button(MouseButton button, bool down) {
  ImGui::GetIO().AddMouseButtonEvent(static_cast<int>(button), down);
}
void turn_wheel(float x, float y) { ImGui::GetIO().AddMouseWheelEvent(x, y); }

// Which events wait for the next frame is decided here, not by ImGui's queue.
void set_up_keys() { ImGui::GetIO().ConfigInputTrickleEventQueue = false; }

#else

void set_key(Key key, bool down) { ImGui::GetIO().KeysDown[static_cast<std::size_t>(key)] = down; }

void set_modifiers(bool shift, bool alt, bool control, bool super) {
  ImGuiIO& io = ImGui::GetIO();
  io.KeyShift = shift;
  io.KeyAlt = alt;
  io.KeyCtrl = control;
  io.KeySuper = super;
}

void set_mouse(float x, float y) { ImGui::GetIO().MousePos = {x, y}; }
void set_button(MouseButton button, bool down) {
  ImGui::GetIO().MouseDown[static_cast<std::size_t>(button)] = down;
}
void turn_wheel(float x, float y) {
  ImGui::GetIO().MouseWheelH += x;
  ImGui::GetIO().MouseWheel += y;
}

void set_up_keys() {
  ImGuiIO& io = ImGui::GetIO();
  std::fill(std::begin(io.KeyMap), std::end(io.KeyMap), -1);
  for (const ImGuiKeyRow& row : imgui_key_rows)
    io.KeyMap[row.imgui_key] = static_cast<int>(row.key);
}

#endif

void set_modifiers(Modifiers held) {
  // ImGui calls the command key Super on a Mac, until it swaps them by itself from 1.91.2 on.
  const bool swap = ImGui::GetIO().ConfigMacOSXBehaviors && IMGUI_VERSION_NUM < 19120;
  set_modifiers(held.shift, held.alt, swap ? held.other : held.command,
                swap ? held.command : held.other);
}

// Whoever gets the focus also gets the releases.
void release_all() {
  for (const ImGuiKeyRow& row : imgui_key_rows) set_key(row.key, false);
  for (std::size_t i = 0; i < mouse_button_count; ++i)
    set_button(static_cast<MouseButton>(i), false);
  set_modifiers({});
}

}  // namespace

ImGuiInput::ImGuiInput(Clipboard& clipboard) : clipboard_(clipboard) {
  set_up_keys();
#if IMGUI_VERSION_NUM >= 19110
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_ClipboardUserData = this;
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) {
    return clipboard_text(ImGui::GetPlatformIO().Platform_ClipboardUserData);
  };
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
    set_clipboard_text(ImGui::GetPlatformIO().Platform_ClipboardUserData, text);
  };
#else
  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = this;
  io.GetClipboardTextFn = clipboard_text;
  io.SetClipboardTextFn = set_clipboard_text;
#endif
}

// ImGui wants a text that outlives the call.
const char* ImGuiInput::clipboard_text(void* self) {
  auto& input = *static_cast<ImGuiInput*>(self);
  input.clipboard_copy_ = input.clipboard_.clipboard_text();
  return input.clipboard_copy_.c_str();
}

void ImGuiInput::set_clipboard_text(void* self, const char* text) {
  static_cast<ImGuiInput*>(self)->clipboard_.set_clipboard_text(text);
}

void ImGuiInput::begin_frame(std::span<const InputEvent> events, render::gl::PixelSize framebuffer,
                             float scale, double delta_s) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(framebuffer.width) / scale,
                    static_cast<float>(framebuffer.height) / scale};
  io.DisplayFramebufferScale = {scale, scale};
  io.DeltaTime = std::max(static_cast<float>(delta_s), 1e-6F);
  waiting_.insert(waiting_.end(), events.begin(), events.end());
  told_ = {};
  while (!waiting_.empty() && !must_wait(waiting_.front())) {
    feed(waiting_.front());
    waiting_.pop_front();
  }
}

bool ImGuiInput::must_wait(const InputEvent& event) const {
  switch (event.kind) {
    case Kind::key:
      return told_.keys.test(static_cast<std::size_t>(event.key)) ||
             (told_.keys.any() && event.modifiers != told_.modifiers) ||
             (told_.character && event.down && edits(event));
    case Kind::character: return told_.editing_key;
    case Kind::mouse_move:
    case Kind::mouse_leave: return told_.buttons.any();
    case Kind::mouse_button: return told_.buttons.test(static_cast<std::size_t>(event.button));
    default: return false;
  }
}

void ImGuiInput::feed(const InputEvent& event) {
  switch (event.kind) {
    case Kind::key:
      set_modifiers(event.modifiers);
      if (event.repeat || !imgui_key(event.key)) break;
      set_key(event.key, event.down);
      told_.keys.set(static_cast<std::size_t>(event.key));
      told_.modifiers = event.modifiers;
      told_.editing_key = told_.editing_key || (event.down && edits(event));
      break;
    case Kind::character:
      ImGui::GetIO().AddInputCharacter(event.character);
      told_.character = true;
      break;
    case Kind::mouse_move: set_mouse(event.x, event.y); break;
    case Kind::mouse_leave: set_mouse(-FLT_MAX, -FLT_MAX); break;
    case Kind::mouse_button:
      set_modifiers(event.modifiers);
      set_mouse(event.x, event.y);
      set_button(event.button, event.down);
      told_.buttons.set(static_cast<std::size_t>(event.button));
      break;
    case Kind::scroll: turn_wheel(-event.scroll_x, event.scroll_y); break;
    case Kind::focus:
      ImGui::GetIO().AddFocusEvent(event.down);
      if (!event.down) release_all();
      break;
    default: break;
  }
}

}  // namespace bytescope::app
