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

/// The same for Enter, of the keypad too, but once however long it is held: what it confirms may
/// open a form that it would confirm as well.
inline bool enter_pressed() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(ImGuiKey_Enter, /*repeat=*/false) ||
         ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, /*repeat=*/false);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), /*repeat=*/false) ||
         ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_KeyPadEnter), /*repeat=*/false);
#endif
}

}  // namespace bytescope::app
