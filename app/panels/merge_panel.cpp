#include "app/panels/merge_panel.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/panels/imgui_keys.h"
#include "app/panels/text_field.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Face;

constexpr float width_px = 640;
constexpr float padding_px = 20;
constexpr float title_px = 30;
constexpr float row_px = 34;
constexpr float field_px = 26;
constexpr float field_width_px = 150;
constexpr float heading_px = 24;
constexpr float heading_gap_px = 6;
constexpr float button_px = 28;
constexpr float button_width_px = 130;
constexpr float gap_px = 12;
/// More of them scroll.
constexpr std::size_t most_rows = 8;
constexpr std::size_t most_others = 5;
// Places beside the others.
constexpr int cancel_place = -1;
constexpr int apply_place = -2;
constexpr int cross_place = -3;

}  // namespace

void MergePanel::open(const std::vector<std::string>& names,
                      const std::vector<std::int64_t>& offsets_us,
                      std::vector<std::string> others) {
  form_.begin(names, offsets_us);
  others_ = std::move(others);
  first_row_ = first_other_ = 0;
  is_open_ = true;
  is_fresh_ = true;
}

std::size_t MergePanel::shown_rows() const { return std::min(form_.rows().size(), most_rows); }

std::size_t MergePanel::shown_others() const { return std::min(others_.size(), most_others); }

/// The wheel over a list that does not fit.
void MergePanel::scroll(const Box& box, std::size_t& first, std::size_t shown,
                        std::size_t count) const {
  const ImVec2 pointer = ImGui::GetMousePos();
  if (!box.contains(pointer.x, pointer.y)) return;
  const float wheel = ImGui::GetIO().MouseWheel;
  if (wheel > 0 && first > 0) --first;
  if (wheel < 0 && first + shown < count) ++first;
}

/// The files, each with a field for its offset; answers whether Enter was pressed in one.
bool MergePanel::draw_rows(PanelWindow& window, const Box& box) {
  const render::Theme& theme = window.theme();
  const bool has_offsets = form_.rows().size() > 1;
  bool entered = false;
  scroll(box, first_row_, shown_rows(), form_.rows().size());
  for (std::size_t i = 0; i < shown_rows(); ++i) {
    const std::size_t number = first_row_ + i;
    const MergeForm::Row& row = form_.rows()[number];
    const float y = box.y0 + static_cast<float>(i) * row_px;
    const float room = box.width() - field_width_px - gap_px;
    window.text_within(box.x0, y + 7, room, Face::ui_13_medium, row.name, theme.text);
    if (!has_offsets) continue;
    const Box field{box.x1 - field_width_px, y, box.x1, y + field_px};
    std::string text = row.text;
    const bool takes = is_fresh_ && i == 0;
    const FieldAnswer typed =
        text_field(window, field, fmt::format("##offset{}", number).c_str(), text, "0 us",
                   takes ? TakeKeyboard::select : TakeKeyboard::no);
    if (row.is_wrong) window.outline(field, theme.warn, 4);
    if (typed.changed) form_.set_text(number, std::move(text));
    entered = entered || typed.entered;
  }
  return entered;
}

/// The other open traces; answers the one that was clicked.
std::optional<std::size_t> MergePanel::draw_others(PanelWindow& window, const Box& box) {
  std::optional<std::size_t> chosen;
  if (others_.empty()) return chosen;
  const bool is_set = form_.rows().size() > 1;
  window.text(box.x0, box.y0 + heading_gap_px, Face::ui_12_semibold,
              is_set ? "Add another open trace" : "Show it together with another open trace",
              window.theme().text_2);
  scroll(box, first_other_, shown_others(), others_.size());
  for (std::size_t i = 0; i < shown_others(); ++i) {
    const std::size_t number = first_other_ + i;
    const float y = box.y0 + heading_gap_px + heading_px + static_cast<float>(i) * row_px;
    const std::string name = render::text_cut_to(window.metrics(), Face::ui_12, others_[number],
                                                 box.width() - 2 * padding_px);
    if (window.button({box.x0, y, box.x1, y + button_px}, static_cast<int>(number), name))
      chosen = number;
  }
  return chosen;
}

/// Answers whether the offsets shall hold; closes the panel where it is left.
bool MergePanel::draw_footer(PanelWindow& window, const Box& box) {
  const bool has_offsets = form_.rows().size() > 1;
  const Box apply{box.x1 - button_width_px, box.y0, box.x1, box.y1};
  const Box cancel =
      has_offsets ? Box{apply.x0 - 8 - button_width_px, box.y0, apply.x0 - 8, box.y1} : apply;
  if (window.button(cancel, cancel_place, "Cancel  Esc")) close();
  const bool applies = has_offsets && window.button(apply, apply_place, "Apply  Enter", true);
  const std::string notice = form_.notice();
  const std::string hint = has_offsets ? "Alt + drag on a track does the same" : "";
  window.text_within(box.x0, box.y0 + 9, cancel.x0 - box.x0 - 16, Face::ui_11,
                     notice.empty() ? hint : notice,
                     notice.empty() ? window.theme().text_3 : window.theme().warn);
  return applies;
}

std::optional<MergePanel::Answer> MergePanel::draw(const PanelContext& context) {
  if (!is_open_) return std::nullopt;
  for (const MergeForm::Row& row : form_.rows()) context.fonts.need(row.name + row.text);
  for (const std::string& other : others_) context.fonts.need(other);
  const float rows_px = static_cast<float>(shown_rows()) * row_px;
  const float others_px =
      others_.empty() ? 0 : heading_px + static_cast<float>(shown_others()) * row_px + gap_px;
  PanelContext inside = context;
  inside.area = context.dialog_box(
      width_px, 2 * padding_px + title_px + rows_px + others_px + gap_px + button_px, 0.3F);
  const Box& area = inside.area;
  PanelWindow window(inside, "together", PanelWindow::Kind::raised);
  const Box inner{area.x0 + padding_px, area.y0 + padding_px, area.x1 - padding_px,
                  area.y1 - padding_px};
  const bool is_set = form_.rows().size() > 1;
  window.text(
      inner.x0, inner.y0 - 2, Face::ui_13_medium,
      is_set ? "Files shown as one trace, and how much later each happened" : "Show as one trace",
      context.theme.text);
  if (window.cross(inner.x1 - 5, inner.y0 + 4, cross_place)) close();
  const float rows_y = inner.y0 + title_px;
  const bool entered = draw_rows(window, {inner.x0, rows_y, inner.x1, rows_y + rows_px});
  Answer answer;
  answer.added = draw_others(window, {inner.x0, rows_y + rows_px, inner.x1, inner.y1});
  const bool applies =
      draw_footer(window, {inner.x0, inner.y1 - button_px, inner.x1, inner.y1}) || entered;
  const ImVec2 pointer = ImGui::GetMousePos();
  const bool beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !is_fresh_ &&
                      !area.contains(pointer.x, pointer.y);
  is_fresh_ = false;
  if (beside || key_pressed(ImGuiKey_Escape)) close();
  if (is_open_ && applies && is_set) answer.offsets_us = form_.offsets_us();
  if (!is_open_ || (!answer.offsets_us && !answer.added)) return std::nullopt;
  close();
  return answer;
}

}  // namespace bytescope::app
