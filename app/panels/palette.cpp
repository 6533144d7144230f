#include "app/panels/palette.h"

#include <algorithm>
#include <cstdint>
#include <sstream>

#include <imgui.h>

#include "app/panels/imgui_keys.h"
#include "app/panels/text_field.h"
#include "core/query/fold_case.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Face;

constexpr float width_px = 560;
constexpr float row_px = 26;
constexpr float field_px = 30;
constexpr float padding_px = 12;
constexpr std::size_t most_rows = 12;

Box box_in(const PanelContext& context, std::size_t rows) {
  const float width = std::min(width_px, context.window_width - 16);
  const float height =
      3 * padding_px + field_px + static_cast<float>(std::max<std::size_t>(rows, 1)) * row_px;
  const float x = (context.window_width - width) / 2;
  const float y = std::min(80.0F, std::max(context.window_height - height, 0.0F));
  return {x, y, x + width, y + height};
}

}  // namespace

std::vector<std::size_t> palette_matches(std::span<const PaletteRow> rows,
                                         const std::string& text) {
  std::istringstream words(query::folded(text));
  std::vector<std::string> wanted;
  for (std::string word; words >> word;) wanted.push_back(word);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string all = query::folded(rows[i].title + " " + rows[i].group);
    const bool fits = rows[i].fits_always ||
                      std::all_of(wanted.begin(), wanted.end(), [&](const std::string& word) {
                        return all.find(word) != std::string::npos;
                      });
    if (fits) found.push_back(i);
  }
  return found;
}

void Palette::open() {
  is_open_ = true;
  is_fresh_ = true;
  types_ = false;
  text_.clear();
  chosen_ = 0;
}

std::optional<std::size_t> Palette::draw_rows(PanelWindow& window, const Box& box,
                                              std::span<const PaletteRow> rows,
                                              std::span<const std::size_t> found) const {
  const render::Theme& theme = window.theme();
  std::optional<std::size_t> clicked;
  // The chosen row stays in sight.
  const std::size_t first = chosen_ >= most_rows ? chosen_ - most_rows + 1 : 0;
  float y = box.y0;
  for (std::size_t i = first; i < std::min(found.size(), first + most_rows); ++i, y += row_px) {
    const PaletteRow& row = rows[found[i]];
    const Box place{box.x0, y, box.x1, y + row_px};
    const auto over = window.place(place, static_cast<int>(i), PanelWindow::Reach::pointer);
    if (over.clicked) clicked = found[i];
    if (i == chosen_ || over.hovered)
      window.fill(place, mix(theme.raised, i == chosen_ ? theme.accent : theme.border, 0.3F), 4);
    const float text_y = y + (row_px - 12) / 2;
    window.text_right(box.x1 - 10, text_y, Face::mono_11, row.keys, theme.text_3);
    const float room = box.width() - 30 - window.width_of(Face::mono_11, row.keys);
    window.text_within(box.x0 + 10, text_y, room, Face::ui_12, row.title, theme.text);
  }
  if (found.empty()) {
    window.text(box.x0 + 10, y + 6, Face::ui_12,
                "Nothing of that name can be done now; a time such as 1.5 ms leads there",
                theme.text_3);
  }
  return clicked;
}

std::optional<std::size_t> Palette::draw(const PanelContext& context,
                                         std::span<const PaletteRow> rows) {
  if (!is_open_) return std::nullopt;
  const std::vector<std::size_t> found = palette_matches(rows, text_);
  PanelContext inside = context;
  inside.area = box_in(context, std::min(found.size(), most_rows));
  const Box& area = inside.area;
  PanelWindow window(inside, "palette", PanelWindow::Kind::raised);
  const Box field{area.x0 + padding_px, area.y0 + padding_px, area.x1 - padding_px,
                  area.y0 + padding_px + field_px};
  const FieldAnswer typed =
      text_field(window, field, "##palette", text_, "What to do",
                 is_fresh_ || !ImGui::IsAnyItemActive() ? TakeKeyboard::select : TakeKeyboard::no);
  types_ = typed.active;
  if (typed.changed) chosen_ = 0;
  const std::size_t last = found.empty() ? 0 : found.size() - 1;
  if (key_pressed(ImGuiKey_DownArrow)) chosen_ = std::min(chosen_ + 1, last);
  if (key_pressed(ImGuiKey_UpArrow) && chosen_ > 0) --chosen_;
  chosen_ = std::min(chosen_, last);
  std::optional<std::size_t> answer = draw_rows(
      window, {field.x0, field.y1 + padding_px, field.x1, area.y1 - padding_px}, rows, found);
  if (typed.entered && !found.empty()) answer = found[chosen_];
  const ImVec2 pointer = ImGui::GetMousePos();
  const bool beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !is_fresh_ &&
                      !area.contains(pointer.x, pointer.y);
  is_fresh_ = false;
  if (answer || beside || key_pressed(ImGuiKey_Escape)) close();
  return answer;
}

}  // namespace bytescope::app
