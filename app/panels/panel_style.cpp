#include "app/panels/panel_style.h"

#include <imgui.h>

namespace bytescope::app {
namespace {

using render::Color;

ImVec4 vector(Color color) {
  return ImGui::ColorConvertU32ToFloat4(IM_COL32(color.r, color.g, color.b, color.a));
}

void set_colors(const render::Theme& theme, ImGuiStyle& style) {
  const struct {
    ImGuiCol role = 0;
    Color color;
  } rows[] = {
      {ImGuiCol_Text, theme.text},
      {ImGuiCol_TextDisabled, theme.text_3},
      {ImGuiCol_WindowBg, theme.panel},
      {ImGuiCol_ChildBg, faded(theme.panel, 0)},
      {ImGuiCol_PopupBg, theme.raised},
      {ImGuiCol_Border, theme.border},
      {ImGuiCol_FrameBg, theme.canvas},
      {ImGuiCol_FrameBgHovered, theme.canvas},
      {ImGuiCol_FrameBgActive, theme.canvas},
      {ImGuiCol_ScrollbarBg, faded(theme.panel, 0)},
      {ImGuiCol_ScrollbarGrab, theme.border},
      {ImGuiCol_ScrollbarGrabHovered, theme.text_3},
      {ImGuiCol_ScrollbarGrabActive, theme.text_3},
      {ImGuiCol_Button, theme.raised},
      {ImGuiCol_ButtonHovered, theme.border},
      {ImGuiCol_ButtonActive, theme.border},
      {ImGuiCol_Header, theme.border},
      {ImGuiCol_HeaderHovered, theme.border},
      {ImGuiCol_HeaderActive, theme.border},
      {ImGuiCol_Separator, theme.border},
      {ImGuiCol_TextSelectedBg, faded(theme.accent, 0.35F)},
      {ImGuiCol_NavHighlight, theme.accent},
  };
  for (const auto& row : rows) style.Colors[row.role] = vector(row.color);
}

}  // namespace

void apply_panel_style(const render::Theme& theme, const Fonts& fonts) {
  ImGuiIO& io = ImGui::GetIO();
  io.FontDefault = fonts.font(render::Face::ui_12);
  // The atlas is rasterised in device pixels, ImGui lays out in logical ones.
  io.FontGlobalScale = 1 / fonts.scale();
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowRounding = 4;
  style.ChildRounding = 4;
  style.FrameRounding = 4;
  style.PopupRounding = 4;
  style.GrabRounding = 4;
  style.ScrollbarRounding = 4;
  style.ScrollbarSize = 8;
  style.WindowPadding = {16, 16};
  style.FramePadding = {8, 6};
  style.ItemSpacing = {8, 4};
  style.ItemInnerSpacing = {4, 4};
  style.WindowBorderSize = 0;
  style.FrameBorderSize = 1;
  style.AntiAliasedLinesUseTex = false;
  set_colors(theme, style);
}

}  // namespace bytescope::app
