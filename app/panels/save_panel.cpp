#include "app/panels/save_panel.h"

#include <algorithm>
#include <utility>

#include <imgui.h>

#include "app/panels/imgui_keys.h"
#include "app/panels/text_field.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Face;

constexpr float width_px = 680;
constexpr float height_px = 196;
constexpr float padding_px = 20;
constexpr float title_px = 26;
constexpr float field_px = 28;
constexpr float gap_px = 10;
constexpr float button_px = 28;
constexpr float button_width_px = 120;
// Places beside the formats.
constexpr int cancel_place = -1;
constexpr int save_place = -2;
constexpr int cross_place = -3;

}  // namespace

void SavePanel::open(std::string title, std::string path, std::vector<SaveFormat> formats) {
  title_ = std::move(title);
  form_.begin(std::move(path), std::move(formats));
  is_open_ = true;
  is_fresh_ = true;
  types_ = false;
}

/// What can be written, side by side; the one that the path names stands out.
void SavePanel::draw_formats(PanelWindow& window, const Box& box) {
  const std::size_t count = form_.formats().size();
  if (count < 2) return;
  const float width =
      (box.width() - gap_px * static_cast<float>(count - 1)) / static_cast<float>(count);
  float x = box.x0;
  for (std::size_t i = 0; i < count; ++i, x += width + gap_px) {
    const SaveFormat& format = form_.formats()[i];
    const Box place{x, box.y0, x + width, box.y1};
    const bool is_chosen = form_.format() == i;
    if (window.button(place, static_cast<int>(i), format.ending + "  " + format.text, is_chosen))
      form_.choose(i);
  }
}

/// Answers whether it is to be written; closes the panel when it is not.
bool SavePanel::draw_footer(PanelWindow& window, const Box& box) {
  const Box save{box.x1 - button_width_px, box.y0, box.x1, box.y1};
  const Box cancel{save.x0 - 8 - button_width_px, box.y0, save.x0 - 8, box.y1};
  if (window.button(cancel, cancel_place, "Cancel  Esc")) close();
  const bool saves =
      window.button(save, save_place, form_.replaces() ? "Replace  Enter" : "Save  Enter", true);
  window.text_within(box.x0, box.y0 + 9, cancel.x0 - box.x0 - 16, Face::ui_11, form_.notice(),
                     window.theme().warn);
  return saves;
}

std::optional<std::string> SavePanel::draw(const PanelContext& context) {
  if (!is_open_) return std::nullopt;
  context.fonts.need(form_.text());
  PanelContext inside = context;
  inside.area = context.dialog_box(width_px, height_px, 0.3F);
  const Box& area = inside.area;
  PanelWindow window(inside, "save", PanelWindow::Kind::raised);
  const Box inner{area.x0 + padding_px, area.y0 + padding_px, area.x1 - padding_px,
                  area.y1 - padding_px};
  window.text(inner.x0, inner.y0 - 2, Face::ui_13_medium, title_, context.theme.text);
  if (window.cross(inner.x1 - 5, inner.y0 + 4, cross_place)) close();
  const float field_y = inner.y0 + title_px;
  std::string text = form_.text();
  const bool at_control = context.focus != nullptr && context.focus->is_at_control();
  const bool has_keyboard = at_control || ImGui::IsAnyItemActive();
  const FieldAnswer typed =
      text_field(window, {inner.x0, field_y, inner.x1, field_y + field_px}, "##save", text, "Path",
                 is_fresh_ || !has_keyboard ? TakeKeyboard::go_on : TakeKeyboard::no);
  types_ = typed.active;
  if (typed.changed) form_.set_text(std::move(text));
  const float formats_y = field_y + field_px + gap_px;
  draw_formats(window, {inner.x0, formats_y, inner.x1, formats_y + button_px});
  const bool saves =
      draw_footer(window, {inner.x0, inner.y1 - button_px, inner.x1, inner.y1}) || typed.entered;
  const ImVec2 pointer = ImGui::GetMousePos();
  const bool beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !is_fresh_ &&
                      !area.contains(pointer.x, pointer.y);
  is_fresh_ = false;
  if (beside || key_pressed(ImGuiKey_Escape)) close();
  std::optional<std::string> answer;
  if (is_open_ && saves) answer = form_.confirm();
  if (answer) close();
  return answer;
}

}  // namespace bytescope::app
