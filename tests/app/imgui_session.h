#pragma once

#include <imgui.h>

namespace bytescope::app {

/// An ImGui context for one test.
class ImGuiSession {
public:
  ImGuiSession() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
  }
  ImGuiSession(const ImGuiSession&) = delete;
  ImGuiSession& operator=(const ImGuiSession&) = delete;
  ImGuiSession(ImGuiSession&&) = delete;
  ImGuiSession& operator=(ImGuiSession&&) = delete;
  ~ImGuiSession() { ImGui::DestroyContext(); }
};

}  // namespace bytescope::app
