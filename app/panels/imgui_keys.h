#pragma once

#include <imgui.h>

namespace bytescope::app {

/// Whether a key went down in this frame (or repeats), for panels that read text: actions have
/// their own list of events (app/actions.h). The names of keys differ between versions of ImGui.
inline bool key_pressed(ImGuiKey key) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(key);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key));
#endif
}

/// The same for Enter, of the keypad too.
inline bool enter_pressed() {
#if IMGUI_VERSION_NUM >= 18700
  return key_pressed(ImGuiKey_Enter) || key_pressed(ImGuiKey_KeypadEnter);
#else
  return key_pressed(ImGuiKey_Enter) || key_pressed(ImGuiKey_KeyPadEnter);
#endif
}

}  // namespace bytescope::app
