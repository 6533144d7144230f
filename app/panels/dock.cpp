#include "app/panels/dock.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "app/panels/curves_panel.h"
#include "app/panels/histogram_panel.h"
#include "app/panels/panel_window.h"
#include "app/panels/table_panel.h"
#include "app/panels/text_field.h"
#include "app/panels/text_panel.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Face;

constexpr float grip_px = 4;
constexpr float tabs_px = 30;
constexpr float options_px = 32;
constexpr float notice_px = 20;
constexpr float padding_px = 12;
constexpr float gap_px = 14;
constexpr float field_px = 220;
constexpr float search_field_px = 420;
constexpr float control_px = 22;
/// What the histogram takes: as much as the table leaves, within these.
constexpr float least_histogram_px = 240;
constexpr float most_histogram_px = 320;
constexpr float least_table_px = 420;
constexpr float least_curves_px = 280;
/// Room that the table of compared memory needs beside its curves, and what it wants.
constexpr float least_compared_px = 600;
constexpr float compared_px = 800;
/// A menu shows of its choice what fits in that.
constexpr float most_menu_px = 220;
constexpr float right_side_px = 110;
/// More alternatives than that stand in a menu.
constexpr std::size_t most_segments = 4;

// Places of the window; the table's come last.
constexpr int grip_place = 1;
constexpr int cross_place = 2;
constexpr int copy_place = 3;
constexpr int first_tab_place = 10;
constexpr int first_choice_place = 100;
constexpr int places_per_group = 32;
constexpr int histogram_place = 500;
constexpr int curves_place = 600;
constexpr int table_place = 1000;

float above_table_px(const DockState& state) {
  const bool has_toolbar = state.open && answer_tab(*state.open).has_toolbar;
  return grip_px + tabs_px + (has_toolbar ? options_px : 0);
}

/// Draws the parts of the panel.
class DockWriter {
public:
  DockWriter(PanelWindow& window, const TabMenus& menus, DockState& state, DockAnswer& answer)
      : window_(window), theme_(window.theme()), menus_(menus), state_(state), answer_(answer) {}

  void grip();
  void tabs();
  void options(bool busy);
  void table(const DockHistogram& histogram, bool busy);

private:
  DockTab& tab() { return state_.tab(*state_.open); }
  float text_y(float y) const { return y + 1 + (control_px - 11) / 2; }
  void right_side(float y);
  void curves(const MemoryCharts& charts, Box& box);
  void field(const AnswerTab& kind);
  void show_filtered_out(const Answer& answer);
  void find_typed_row(bool busy, float table_height_px);
  void typed_field(const Box& cell);
  const char* typed_hint() const;
  void choice_group(const AnswerTab& kind, std::size_t group);
  void segments(const std::vector<std::string>& options, std::size_t group);
  void menu(const std::vector<std::string>& options, std::size_t group);
  void choose(std::size_t group, std::size_t option);
  void told(bool busy);

  PanelWindow& window_;
  const render::Theme& theme_;
  const TabMenus& menus_;
  DockState& state_;
  DockAnswer& answer_;
  float x_ = 0;  // where the next control goes
  float y_ = 0;
};

void DockWriter::grip() {
  const Box& area = window_.area();
  window_.place({area.x0, area.y0, area.x1, area.y0 + grip_px}, grip_place,
                PanelWindow::Reach::pointer);
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  if (ImGui::IsItemActive()) answer_.height_px = area.y1 - ImGui::GetMousePos().y;
}

void DockWriter::tabs() {
  const Box& area = window_.area();
  const float y0 = area.y0 + grip_px;
  float x = area.x0 + padding_px;
  int number = first_tab_place;
  for (const AnswerTab& kind : answer_tabs()) {
    ++number;
    if (!menus_[static_cast<std::size_t>(kind.kind)].makes_sense) continue;
    const float width = window_.width_of(Face::ui_12, kind.title) + 20;
    if (x + width > area.x1 - right_side_px) break;
    const auto over = window_.place({x, y0, x + width, y0 + tabs_px}, number);
    if (over.clicked) answer_.open = kind.kind;
    const bool is_open = state_.open == kind.kind;
    window_.text(x + 10, y0 + (tabs_px - 12) / 2, Face::ui_12, kind.title,
                 is_open || over.hovered ? theme_.text : theme_.text_2);
    if (is_open)
      window_.fill({x + 8, y0 + tabs_px - 3, x + width - 8, y0 + tabs_px - 1}, theme_.accent);
    x += width;
  }
  window_.fill({area.x0, y0 + tabs_px - 1, area.x1, y0 + tabs_px}, theme_.border);
  right_side(y0);
}

void DockWriter::right_side(float y) {
  const float x1 = window_.area().x1;
  answer_.close = window_.cross(x1 - 18, y + tabs_px / 2 - 1, cross_place);
  const Box copy{x1 - 102, y + 3, x1 - 34, y + tabs_px - 4};
  const auto over = window_.place(copy, copy_place);
  answer_.copy = over.clicked;
  const bool is_text = tab().answer && tab().answer->lines;
  window_.text(copy.x0 + 6, y + (tabs_px - 12) / 2, Face::ui_11,
               is_text ? "Copy text" : "Copy table", over.hovered ? theme_.text : theme_.text_3);
}

void DockWriter::field(const AnswerTab& kind) {
  const bool searches = kind.kind == AnswerKind::search;
  if (!searches && kind.filter_hint == nullptr) return;
  const float width = searches ? search_field_px : field_px;
  std::string& text = searches ? state_.search_line : tab().view.filter;
  const char* hint = searches ? "Search names, infos and markers" : kind.filter_hint;
  const Box box{x_, y_, std::min(x_ + width, window_.area().x1 - padding_px), y_ + control_px + 2};
  const TakeKeyboard take = state_.renamed ? TakeKeyboard::no : state_.wants_keyboard;
  const FieldAnswer field =
      text_field(window_, box, searches ? "##search" : "##filter", text, hint, take);
  // It has the keyboard with the next frame; what is typed until then is meant for it.
  answer_.typing = field.active || take != TakeKeyboard::no;
  if (searches && field.entered) answer_.entered = true;
  x_ += width + gap_px;
}

/// A filter must not hide the row that is typed in.
void DockWriter::show_filtered_out(const Answer& answer) {
  TableView& view = tab().view;
  const bool is_shown =
      std::any_of(view.order().begin(), view.order().end(),
                  [&](std::uint32_t row) { return answer.note_of_row(row) == state_.renamed; });
  if (is_shown || view.filter.empty()) return;
  view.filter.clear();
  view.follow(answer.table, answer.version);
}

/// Which row of the table stands for what is typed anew; it is brought in sight first. A list that
/// is being told anew may have it elsewhere.
void DockWriter::find_typed_row(bool busy, float table_height_px) {
  TableView& view = tab().view;
  const Answer& answer = *tab().answer;
  view.typed = TableView::unsorted;
  if (!state_.renamed || !answer.note_of_row) return;
  const bool is_new = state_.wants_keyboard != TakeKeyboard::no;
  answer_.awaits_row = is_new && busy;
  if (answer_.awaits_row) return;
  if (is_new) show_filtered_out(answer);
  for (const std::uint32_t row : view.order())
    if (answer.note_of_row(row) == state_.renamed) view.typed = row;
  if (is_new && view.typed != TableView::unsorted) reveal_row(view, view.typed, table_height_px);
}

const char* DockWriter::typed_hint() const {
  if (state_.open != AnswerKind::cards) return "Name";
  const Answer& answer = *state_.tab(AnswerKind::cards).answer;
  return card_rows(*answer.request.trace)[state_.tab(AnswerKind::cards).view.typed]
      .quantity->example;
}

/// Where the name or number of a row is typed anew.
void DockWriter::typed_field(const Box& cell) {
  const Box box{cell.x0, cell.y0, std::min(cell.x1, cell.x0 + field_px), cell.y1};
  const FieldAnswer field =
      text_field(window_, box, "##name", state_.new_name, typed_hint(), state_.wants_keyboard);
  answer_.typing = answer_.typing || field.active || state_.wants_keyboard != TakeKeyboard::no;
  if (field.entered) answer_.named = state_.new_name;
}

void DockWriter::choose(std::size_t group, std::size_t option) {
  tab().choices[group] = static_cast<std::uint8_t>(option);
  tab().view.scroll_px = 0;
}

void DockWriter::segments(const std::vector<std::string>& options, std::size_t group) {
  const float begin = x_;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const float width = window_.width_of(Face::ui_11, options[i]) + 16;
    const Box box{x_, y_ + 1, x_ + width, y_ + 1 + control_px};
    const int number = first_choice_place + static_cast<int>(group) * places_per_group;
    const auto over = window_.place(box, number + static_cast<int>(i));
    if (over.clicked) choose(group, i);
    const bool chosen = tab().choices[group] == i;
    if (chosen || over.hovered)
      window_.fill(box, mix(theme_.raised, chosen ? theme_.accent : theme_.border, 0.3F), 4);
    window_.text(x_ + 8, text_y(y_), Face::ui_11, options[i], chosen ? theme_.text : theme_.text_2);
    x_ += width;
  }
  window_.outline({begin, y_ + 1, x_, y_ + 1 + control_px}, theme_.border, 4);
  x_ += gap_px;
}

void DockWriter::menu(const std::vector<std::string>& options, std::size_t group) {
  const std::size_t chosen = std::min<std::size_t>(tab().choices[group], options.size() - 1);
  const std::string shown = options[chosen] + "  \u25BE";
  const float width = std::min(window_.width_of(Face::ui_11, shown) + 16, most_menu_px);
  const Box box{x_, y_ + 1, x_ + width, y_ + 1 + control_px};
  const auto over =
      window_.place(box, first_choice_place + static_cast<int>(group) * places_per_group);
  window_.outline(box, over.hovered ? theme_.accent : theme_.border, 4);
  window_.text_within(x_ + 8, text_y(y_), width - 12, Face::ui_11, shown, theme_.text);
  ImGui::PushID(static_cast<int>(group));
  if (over.by_key) {
    choose(group, (chosen + 1) % options.size());
  } else if (over.clicked) {
    ImGui::OpenPopup("##choice");
  }
  if (ImGui::BeginPopup("##choice")) {
    for (std::size_t i = 0; i < options.size(); ++i)
      if (ImGui::MenuItem(options[i].c_str(), nullptr, i == chosen)) choose(group, i);
    ImGui::EndPopup();
  }
  ImGui::PopID();
  x_ += width + gap_px;
}

void DockWriter::choice_group(const AnswerTab& kind, std::size_t group) {
  const std::vector<std::string>& options =
      menus_[static_cast<std::size_t>(kind.kind)].options[group];
  if (options.empty()) return;
  const std::string_view label = kind.choices[group].label;
  if (!label.empty()) x_ += window_.text(x_, text_y(y_), Face::ui_11, label, theme_.text_3) + 6;
  if (options.size() <= most_segments) {
    segments(options, group);
  } else {
    menu(options, group);
  }
}

/// What the answer says in all, or that it is being worked on.
void DockWriter::told(bool busy) {
  const auto& answer = tab().answer;
  const bool failed = answer && !answer->error.empty();
  std::string text = !answer ? std::string() : (failed ? answer->error : answer->headline);
  if (busy) text += text.empty() ? "working\u2026" : "  \u00B7  working\u2026";
  window_.text_within(x_, text_y(y_), window_.area().x1 - x_ - padding_px, Face::ui_11, text,
                      failed ? theme_.error : theme_.text_2);
}

void DockWriter::options(bool busy) {
  if (!answer_tab(*state_.open).has_toolbar) return;
  x_ = window_.area().x0 + padding_px;
  y_ = window_.area().y0 + grip_px + tabs_px + (options_px - control_px) / 2 - 1;
  const AnswerTab& kind = answer_tab(*state_.open);
  field(kind);
  for (std::size_t group = 0; group < kind.choices.size(); ++group) choice_group(kind, group);
  told(busy);
}

/// The curves of the chosen row's track, else of what changed most, right of the table.
void DockWriter::curves(const MemoryCharts& charts, Box& box) {
  const float width = std::max(box.width() - compared_px, least_curves_px);
  if (box.width() - width < least_compared_px || charts.charts.empty()) return;
  const Box side{box.x1 - width, box.y0, box.x1, box.y1};
  const std::size_t row = tab().view.chosen;
  const std::size_t chart = row < charts.chart_of_row.size() ? charts.chart_of_row[row] : 0;
  answer_.instant_ns =
      curves_panel(window_, side, {charts, charts.charts[chart], state_.compared_placing},
                   state_.curve_moment, curves_place);
  box.x1 = side.x0 - 8;
}

void DockWriter::table(const DockHistogram& histogram, bool busy) {
  const std::shared_ptr<const Answer> answer = tab().answer;
  answer_.awaits_row = state_.renamed && !answer;
  if (!answer) return;
  const Box& area = window_.area();
  Box box{area.x0 + padding_px - 8, area.y0 + above_table_px(state_), area.x1 - 4,
          area.y1 - notice_px};
  // Where there is no table, what to do to have one stands in its place.
  const bool is_empty = answer->table.columns.empty() && !answer->lines;
  const float notice_y = is_empty ? box.y0 + gap_px : box.y1 + (notice_px - 11) / 2;
  const bool fails = !answer->error.empty() && !answer_tab(*state_.open).has_toolbar;
  window_.text_within(area.x0 + padding_px, notice_y, area.width() - 2 * padding_px,
                      is_empty ? Face::ui_12 : Face::ui_11, fails ? answer->error : answer->notice,
                      fails ? theme_.error : (is_empty ? theme_.text_2 : theme_.text_3));
  if (answer->lines) return text_panel(window_, box, *answer->lines, tab().view);
  if (histogram.row && box.width() >= least_table_px + least_histogram_px) {
    const float left = box.width() - least_width_px(answer->table);
    const Box side{box.x1 - std::clamp(left, least_histogram_px, most_histogram_px), box.y0, box.x1,
                   box.y1};
    answer_.durations =
        histogram_panel(window_, side, {*answer, *histogram.row, histogram.histogram.get()},
                        state_.histogram_bar, histogram_place);
    box.x1 = side.x0 - 8;
  }
  if (answer->charts) curves(*answer->charts, box);
  tab().view.follow(answer->table, answer->version);
  find_typed_row(busy, box.height());
  const TableAnswer clicked = table_panel(window_, box, answer->table, tab().view, table_place);
  answer_.row = clicked.clicked;
  answer_.zoom_to_row = clicked.double_clicked;
  const ImGuiIO& io = ImGui::GetIO();
  answer_.with_command = io.KeyCtrl || io.KeySuper;
  if (clicked.typed_cell) typed_field(*clicked.typed_cell);
}

}  // namespace

float dock_table_height_px(const DockState& state, float dock_height_px) {
  return dock_height_px - above_table_px(state) - notice_px;
}

DockAnswer dock_panel(const PanelContext& context, const TabMenus& menus, DockState& state,
                      const DockHistogram& histogram, bool busy) {
  DockAnswer answer;
  if (!state.open || context.area.height() < DockState::least_height_px) return answer;
  PanelWindow window(context, "dock", PanelWindow::Kind::part);
  // What is being edited in one document or tab does not go on in another.
  ImGui::PushID(&state);
  ImGui::PushID(static_cast<int>(*state.open));
  DockWriter writer(window, menus, state, answer);
  writer.tabs();
  writer.options(busy);
  writer.table(histogram, busy);
  writer.grip();
  ImGui::PopID();
  ImGui::PopID();
  return answer;
}

}  // namespace bytescope::app
