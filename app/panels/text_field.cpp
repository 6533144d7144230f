#include "app/panels/text_field.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <imgui.h>

#include "app/panels/imgui_keys.h"

namespace bytescope::app {
namespace {

using render::Face;

constexpr float padding_px = 8;
constexpr float rounding_px = 4;
constexpr std::size_t most_bytes = 4096;

int select_all(ImGuiInputTextCallbackData* field) {
  field->SelectAll();
  return 0;
}

}  // namespace

FieldAnswer text_field(PanelWindow& window, const render::Box& box, const char* id,
                       std::string& text, const char* hint, TakeKeyboard take) {
  std::array<char, most_bytes + 1> buffer{};
  std::memcpy(buffer.data(), text.data(), std::min(text.size(), most_bytes));
  const render::Theme& theme = window.theme();
  window.fill(box, theme.canvas, rounding_px);
  ImGui::SetCursorScreenPos({box.x0, box.y0});
  ImGui::PushFont(window.font(Face::mono_12));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {padding_px, (box.height() - ImGui::GetFontSize()) / 2});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
  ImGui::SetNextItemWidth(box.width());
  ControlFocus* focus = window.focus();
  const ImGuiID field_id = ImGui::GetID(id);
  if (focus != nullptr && focus->awaits(field_id)) take = TakeKeyboard::select;
  if (take != TakeKeyboard::no) ImGui::SetKeyboardFocusHere();
  // A field that has no keyboard yet has it, and something to select, a frame later.
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID selects_later = field_id;
  const bool selects = take == TakeKeyboard::select || storage.GetBool(selects_later);
  ImGui::InputText(id, buffer.data(), buffer.size(),
                   selects ? ImGuiInputTextFlags_CallbackAlways : ImGuiInputTextFlags_None,
                   selects ? select_all : nullptr);
  FieldAnswer answer;
  answer.active = ImGui::IsItemActive();
  if (focus != nullptr) focus->list_field(field_id, answer.active);
  // Without a window that has the keyboard no field has it either.
  if (focus != nullptr && answer.active && focus->has_left_field(field_id))
    ImGui::SetWindowFocus(nullptr);
  storage.SetBool(selects_later, take == TakeKeyboard::select && !answer.active);
  const bool left = ImGui::IsItemDeactivated();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
  window.outline(box, answer.active ? theme.accent : theme.border, rounding_px);
  if (buffer[0] == 0 && text.empty())
    window.text_within(box.x0 + padding_px, (box.y0 + box.y1 - 12) / 2,
                       box.width() - 2 * padding_px, Face::ui_12, hint, theme.text_3);
  answer.entered = (answer.active || left) && enter_pressed();
  // ImGui's field goes back to what it held before when it is left by Escape.
  if (left && key_pressed(ImGuiKey_Escape)) return answer;
  if (text != buffer.data()) {
    text = buffer.data();
    answer.changed = true;
  }
  return answer;
}

}  // namespace bytescope::app
