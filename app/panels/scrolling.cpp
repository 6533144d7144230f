#include "app/panels/scrolling.h"

#include <algorithm>

#include <imgui.h>

namespace bytescope::app {
namespace {

constexpr float lines_per_notch = 3;
constexpr float px_per_sideways_notch = 60;
constexpr float least_thumb_px = 24;
constexpr float thumb_radius_px = 3;

}  // namespace

ScrollOffset turned_by_wheel(ScrollOffset offset, const render::Box& box, float line_px) {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 pointer = ImGui::GetMousePos();
  if (!box.contains(pointer.x, pointer.y)) return offset;
  const float sideways = io.KeyShift ? io.MouseWheel : -io.MouseWheelH;
  if (!io.KeyShift) offset.y_px -= io.MouseWheel * lines_per_notch * line_px;
  offset.x_px -= sideways * px_per_sideways_notch;
  return offset;
}

float limited(float offset_px, float content_px, float room_px) {
  return std::clamp(offset_px, 0.0F, std::max(content_px - room_px, 0.0F));
}

float revealing(float offset_px, std::size_t line, float line_px, float room_px) {
  const float top_px = static_cast<float>(line) * line_px;
  return std::max(std::min(offset_px, top_px), top_px + line_px - room_px);
}

float drag_sideways_bar(PanelWindow& window, const render::Box& box, float content_px,
                        float offset_px, int place) {
  const float hidden_px = content_px - box.width();
  if (hidden_px <= 0 || box.width() < least_thumb_px) return offset_px;
  const float size = std::max(box.width() * box.width() / content_px, least_thumb_px);
  const float way_px = box.width() - size;
  window.place(box, place, PanelWindow::Reach::pointer);
  const bool is_held = ImGui::IsItemActive();
  if (is_held)
    offset_px =
        std::clamp((ImGui::GetMousePos().x - box.x0 - size / 2) / way_px, 0.0F, 1.0F) * hidden_px;
  const float at = box.x0 + offset_px / hidden_px * way_px;
  const render::Theme& theme = window.theme();
  window.fill({at, box.y0, at + size, box.y1},
              is_held || ImGui::IsItemHovered() ? theme.text_3 : theme.border, thumb_radius_px);
  return offset_px;
}

void draw_scroll_bar(PanelWindow& window, const render::Box& box, float content_px,
                     float offset_px) {
  if (content_px <= box.height() || box.height() < least_thumb_px) return;
  const float size = std::max(box.height() * box.height() / content_px, least_thumb_px);
  const float at = box.y0 + offset_px / (content_px - box.height()) * (box.height() - size);
  window.fill({box.x1 - scroll_bar_px, at, box.x1, at + size}, window.theme().border,
              thumb_radius_px);
}

}  // namespace bytescope::app
