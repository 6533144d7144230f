#include "app/panels/tab_bar.h"

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/panels/panel_window.h"
#include "app/panels/status_bar.h"
#include "app/trace_title.h"
#include "core/io/utf8.h"
#include "core/trace/ansi.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Color;
using render::Face;

constexpr float menu_px = 30;
constexpr float left_px = 36;
constexpr float gap_px = 2;
constexpr float top_px = 4;
constexpr float padding_px = 12;
constexpr float cross_room_px = 26;
constexpr float cross_reach_px = 9;
constexpr float widest_px = 260;
constexpr float narrowest_px = 84;
// Narrower tabs have a cross only while they are active or under the pointer.
constexpr float cross_from_px = 128;
constexpr float accent_line_px = 2;
constexpr float plus_px = 32;
constexpr Face face = Face::ui_13_medium;
constexpr Face small_face = Face::ui_11;

// Places of one tab.
constexpr int places_per_tab = 2;
constexpr int plus_place = -1;
constexpr int help_place = -2;
constexpr int menu_place = -3;

std::string warning_text(const Tab& tab) {
  return tab.warnings > 0 ? fmt::format("\u25B2 {}", tab.warnings) : std::string();
}

float wish_px(const PanelWindow& window, const Tab& tab) {
  const std::string warnings = warning_text(tab);
  const float sign = warnings.empty() ? 0 : window.width_of(small_face, warnings) + 8;
  return std::clamp(2 * padding_px + window.width_of(face, tab.title) + sign + cross_room_px - 8,
                    cross_from_px, widest_px);
}

/// Left and right edges of the tabs; the active one is in sight.
std::vector<Box> tab_boxes(const PanelWindow& window, std::span<const Tab> tabs,
                           std::uint64_t active, float room_px) {
  std::vector<float> widths;
  float sum = 0;
  for (const Tab& tab : tabs) {
    widths.push_back(wish_px(window, tab));
    sum += widths.back() + gap_px;
  }
  const float shrink = sum > room_px ? room_px / sum : 1;
  const Box& area = window.area();
  std::vector<Box> boxes;
  float x = area.x0 + left_px;
  float shift = 0;
  for (std::size_t i = 0; i < tabs.size(); ++i) {
    const float width = std::max(widths[i] * shrink - (shrink < 1 ? gap_px : 0), narrowest_px);
    boxes.push_back({x, area.y0 + top_px, x + width, area.y1});
    if (tabs[i].id == active)
      shift = std::max(boxes.back().x1 - (area.x0 + left_px + room_px), 0.0F);
    x += width + gap_px;
  }
  for (Box& box : boxes) {
    box.x0 -= shift;
    box.x1 -= shift;
  }
  return boxes;
}

void draw_progress(PanelWindow& window, const Box& box, float progress) {
  const float y = box.y1 - 3;
  window.fill({box.x0 + 1, y, box.x1 - 1, box.y1 - 1}, window.theme().border);
  window.fill({box.x0 + 1, y, box.x0 + 1 + (box.width() - 2) * progress, box.y1 - 1},
              window.theme().accent);
}

/// How a tab stands among the others.
struct TabState {
  bool is_active = false;
  bool is_hovered = false;
  bool has_cross = true;
};

void draw_tab(PanelWindow& window, const Tab& tab, const Box& box, TabState state) {
  const render::Theme& theme = window.theme();
  if (state.is_active || state.is_hovered)
    window.fill(box, state.is_active ? theme.canvas : mix(theme.panel, theme.raised, 0.7F));
  if (state.is_active) window.fill({box.x0, box.y0, box.x1, box.y0 + accent_line_px}, theme.accent);
  Color color = state.is_active ? theme.text : theme.text_2;
  if (tab.failed) color = theme.error;
  const float text_y = (box.y0 + box.y1 - render::size_px(face)) / 2 + 1;
  const std::string warnings = warning_text(tab);
  const float sign_px = warnings.empty() ? 0 : window.width_of(small_face, warnings) + 8;
  const float room =
      box.width() - 2 * padding_px - sign_px - (state.has_cross ? cross_room_px - 8 : 0);
  const float width =
      window.text_within(box.x0 + padding_px, text_y, std::max(room, 0.0F), face, tab.title, color);
  if (!warnings.empty() && room > 0)
    window.text(box.x0 + padding_px + width + 8, text_y + 1, small_face, warnings, theme.warn);
  if (tab.progress) draw_progress(window, box, *tab.progress);
}

void tell_path(PanelWindow& window, const PanelContext& context, const Tab& tab, const Box& box) {
  constexpr Face path_face = Face::ui_11;
  std::string told = tab.path;
  if (tab.warnings > 0)
    told +=
        fmt::format("  \u00B7  {} {}", tab.warnings, tab.warnings == 1 ? "warning" : "warnings");
  told = io::printable_utf8(trace::single_line(told));
  const float width = std::min(window.width_of(path_face, told) + 17, context.window_width - 16);
  const float x = std::max(std::min(box.x0, context.window_width - width - 8), 8.0F);
  PanelContext bubble = context;
  bubble.area = {x, box.y1 + 6, x + width, box.y1 + 30};
  PanelWindow lines(bubble, "", PanelWindow::Kind::bubble);
  lines.text_within(x + 8, bubble.area.y0 + 7, width - 16, path_face, told, context.theme.text_2);
}

/// Three lines, as everywhere.
void draw_menu_button(PanelWindow& window, TabBarAnswer& answer) {
  const Box& area = window.area();
  const Box box{area.x0 + 4, area.y0 + 2, area.x0 + 4 + menu_px, area.y1 - 2};
  const auto over = window.place(box, menu_place);
  answer.open_menu = over.clicked;
  if (over.hovered) window.fill(box, mix(window.theme().panel, window.theme().raised, 0.7F), 4);
  const Color color = over.hovered ? window.theme().text : window.theme().text_2;
  const float x = (box.x0 + box.x1) / 2;
  const float y = (box.y0 + box.y1) / 2;
  for (const float line : {-4.0F, 0.0F, 4.0F})
    window.fill({x - 6, y + line - 0.5F, x + 6, y + line + 0.5F}, color);
}

/// The button behind the tabs, and the hint on the right.
void draw_right_side(PanelWindow& window, float plus_x, TabBarAnswer& answer) {
  const Box& area = window.area();
  const render::Theme& theme = window.theme();
  const Box help{area.x1 - 16 - window.width_of(Face::ui_12, "? keys"), area.y0, area.x1 - 12,
                 area.y1};
  const auto over_help = window.place(help, help_place);
  answer.open_help = over_help.clicked;
  const float text_y = (area.y0 + area.y1 - 12) / 2 + 1;
  window.text(help.x0, text_y, Face::ui_12, "? keys",
              over_help.hovered ? theme.text : theme.text_3);
  const Box plus{plus_x, area.y0 + top_px, plus_x + plus_px, area.y1};
  const auto over_plus = window.place(plus, plus_place);
  answer.open_chooser = over_plus.clicked;
  const Color color = over_plus.hovered ? theme.text : theme.text_3;
  const float x = (plus.x0 + plus.x1) / 2;
  const float y = (plus.y0 + plus.y1) / 2;
  window.fill({x - 5, y - 0.5F, x + 5, y + 0.5F}, color);
  window.fill({x - 0.5F, y - 5, x + 0.5F, y + 5}, color);
}

}  // namespace

Tab tab_of(const session::Document& document) {
  Tab tab;
  tab.id = document.id;
  tab.path = shown_path(document.path);
  tab.title = trace_title(document.path);
  if (document.loading && document.progress) tab.progress = fraction_done(*document.progress);
  if (document.trace)
    tab.warnings = document.trace->warnings.list().size() + document.trace->warnings.dropped();
  tab.failed = document.error.has_value();
  return tab;
}

MenuPlace menu_place_in(const Box& tabs) { return {tabs.x0 + 4, tabs.y1}; }

TabBarAnswer tab_bar(const PanelContext& context, std::span<const Tab> tabs, std::uint64_t active) {
  TabBarAnswer answer;
  PanelWindow window(context, "tabs", PanelWindow::Kind::part);
  const float hint_px = window.width_of(Face::ui_12, "? keys") + 32;
  const float room = std::max(context.area.width() - left_px - plus_px - hint_px, narrowest_px);
  const std::vector<Box> boxes = tab_boxes(window, tabs, active, room);
  const Box strip{context.area.x0, context.area.y0, context.area.x0 + left_px + room,
                  context.area.y1};
  window.set_clip(strip);
  for (std::size_t i = 0; i < tabs.size(); ++i) {
    const Box& box = boxes[i];
    if (box.x0 >= strip.x1 || box.x1 <= strip.x0) continue;
    const int number = static_cast<int>(i) * places_per_tab;
    TabState state;
    state.is_active = tabs[i].id == active;
    const ImVec2 pointer = ImGui::GetMousePos();
    state.has_cross =
        box.width() >= cross_from_px || state.is_active || box.contains(pointer.x, pointer.y);
    const float cross_x = box.x1 - cross_room_px / 2;
    const float end = state.has_cross ? cross_x - cross_reach_px : box.x1;
    const auto over = window.place({box.x0, box.y0, end, box.y1}, number);
    state.is_hovered = over.hovered;
    if (over.clicked) answer.activate = tabs[i].id;
    if (over.middle_clicked) answer.close = tabs[i].id;
    if (over.right_clicked) answer.menu = tabs[i].id;
    draw_tab(window, tabs[i], box, state);
    if (state.has_cross && window.cross(cross_x, (box.y0 + box.y1) / 2 + 1, number + 1))
      answer.close = tabs[i].id;
    if (over.hovered) tell_path(window, context, tabs[i], box);
  }
  window.set_clip(context.area);
  const float end = boxes.empty() ? strip.x0 + left_px : std::min(boxes.back().x1, strip.x1);
  draw_menu_button(window, answer);
  draw_right_side(window, end + gap_px, answer);
  return answer;
}

}  // namespace bytescope::app
