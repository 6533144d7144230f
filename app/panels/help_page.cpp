#include "app/panels/help_page.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "app/panels/imgui_keys.h"
#include "app/panels/panel_window.h"
#include "app/panels/scrolling.h"
#include "app/panels/text_wrap.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Face;

constexpr float margin_px = 24;
constexpr float padding_px = 24;
constexpr float title_px = 32;
constexpr float bottom_px = 16;
/// The line that tells of the settings.
constexpr float foot_px = 40;
constexpr float scroll_bar_margin_px = 6;
constexpr float column_px = 330;
constexpr float column_gap_px = 36;
constexpr float group_px = 26;
constexpr float group_gap_px = 16;
constexpr float row_px = 20;
constexpr float extra_line_px = 15;
constexpr float most_columns = 4;
constexpr Face title_face = Face::ui_12;
constexpr Face key_face = Face::mono_11;

struct Line {
  const HelpRow* row = nullptr;  ///< None: the heading of the group.
  std::string heading;
  std::vector<std::vector<render::TextPiece>> title;
  float height = 0;
};

/// A group as it stands under its heading.
struct Group {
  std::vector<Line> lines;
  float height = 0;
};

Line line_of(const PanelContext& context, const HelpRow& row) {
  Line line;
  line.row = &row;
  const float keys_px = render::text_width_px(context.fonts, key_face, row.keys);
  line.title = wrapped(context.fonts, title_face, row.title, context.theme.text_2,
                       std::max(column_px - keys_px - 16, 90.0F), 4);
  const auto more = static_cast<float>(line.title.empty() ? 0 : line.title.size() - 1);
  line.height = row_px + more * extra_line_px;
  return line;
}

void add_groups(const PanelContext& context, std::span<const HelpRow> rows,
                std::vector<Group>& groups) {
  const std::string* name = nullptr;
  for (const HelpRow& row : rows) {
    if (name == nullptr || *name != row.group) {
      groups.emplace_back();
      groups.back().lines.push_back({nullptr, row.group, {}, group_px});
      groups.back().height = group_px + group_gap_px;
    }
    name = &row.group;
    groups.back().lines.push_back(line_of(context, row));
    groups.back().height += groups.back().lines.back().height;
  }
}

/// The least height of `columns` columns that hold the groups in order.
float column_height(const std::vector<Group>& groups, int columns) {
  const auto columns_needed = [&groups](float height) {
    int used = 1;
    float y = 0;
    for (const Group& group : groups) {
      if (y > 0 && y + group.height > height) {
        ++used;
        y = 0;
      }
      y += group.height;
    }
    return used;
  };
  float height = 0;
  for (const Group& group : groups) height = std::max(height, group.height);
  while (columns_needed(height) > columns) height += row_px;
  return height;
}

void draw_line(PanelWindow& window, const Line& line, float x, float y) {
  const render::Theme& theme = window.theme();
  if (line.row == nullptr) {
    window.text(x, y + 4, Face::ui_12_semibold, line.heading, theme.text);
    window.fill({x, y + group_px - 5, x + column_px, y + group_px - 4}, theme.border);
    return;
  }
  for (std::size_t i = 0; i < line.title.size(); ++i)
    window.text(x, y + 4 + static_cast<float>(i) * extra_line_px, title_face, line.title[i]);
  window.text_right(x + column_px, y + 5, key_face, line.row->keys, theme.text);
}

void draw_groups(PanelWindow& window, const std::vector<Group>& groups, float x, float top,
                 float height) {
  float y = top;
  for (const Group& group : groups) {
    if (y > top && y + group.height > top + height) {
      y = top;
      x += column_px + column_gap_px;
    }
    float line_y = y;
    for (const Line& line : group.lines) {
      draw_line(window, line, x, line_y);
      line_y += line.height;
    }
    y += group.height;
  }
}

/// Where the page stands: as high as what it tells, as far as the window allows.
Box page_box(const PanelContext& context, int columns, float content_px) {
  const float width =
      static_cast<float>(columns) * (column_px + column_gap_px) - column_gap_px + 2 * padding_px;
  const float height = std::min(padding_px + title_px + content_px + bottom_px + foot_px,
                                context.window_height - 2 * margin_px);
  const float x = std::max((context.window_width - width) / 2, 0.0F);
  const float y = std::max((context.window_height - height) / 2, 0.0F);
  return {x, y, x + width, y + height};
}

/// What stays in place while the rest scrolls; answers whether the cross was clicked.
bool draw_head(PanelWindow& window, std::string_view hint) {
  const Box& area = window.area();
  const render::Theme& theme = window.theme();
  const float x = area.x0 + padding_px;
  const float y = area.y0 + padding_px;
  const float title =
      window.text(x, y - 6, Face::ui_13_medium, "Keys and gestures", theme.text) + 16;
  window.text_within(x + title, y - 5, area.width() - 2 * padding_px - title - 24, title_face, hint,
                     theme.text_3);
  window.fill({area.x0 + 1, y + 20, area.x1 - 1, y + 21}, theme.border);
  return window.cross(area.x1 - padding_px - 4, y, 0);
}

/// Where keys are changed; answers whether that is to be copied.
bool draw_foot(PanelWindow& window, std::string_view settings_path) {
  constexpr float button_width_px = 84;
  constexpr float button_height_px = 22;
  const Box& area = window.area();
  const render::Theme& theme = window.theme();
  const float top = area.y1 - foot_px;
  const float x = area.x0 + padding_px;
  const float text_y = top + (foot_px - 12) / 2;
  window.fill({area.x0 + 1, top, area.x1 - 1, top + 1}, theme.border);
  if (settings_path.empty()) {
    window.text(x, text_y, title_face, "bytescope settings --help tells where keys are changed",
                theme.text_3);
    return false;
  }
  const float button_x = area.x1 - padding_px - button_width_px;
  const std::string text = "Keys are changed in " + std::string(settings_path) +
                           "  \u00B7  bytescope settings prints all of them to start from";
  window.text_within(x, text_y, button_x - x - 16, title_face, text, theme.text_2);
  const float y = top + (foot_px - button_height_px) / 2;
  return window.button({button_x, y, button_x + button_width_px, y + button_height_px}, 1,
                       "Copy path");
}

/// By the wheel and by keys, which nothing else on the page wants.
void scroll(const Box& body, float content_px, float& scroll_px) {
  const float page = body.height() - row_px;
  const struct {
    ImGuiKey key;
    float px;
  } moves[] = {{ImGuiKey_UpArrow, -row_px},  {ImGuiKey_DownArrow, row_px},
               {ImGuiKey_PageUp, -page},     {ImGuiKey_PageDown, page},
               {ImGuiKey_Home, -content_px}, {ImGuiKey_End, content_px}};
  scroll_px = turned_by_wheel({scroll_px}, body, row_px).y_px;
  for (const auto& move : moves)
    if (key_pressed(move.key)) scroll_px += move.px;
  scroll_px = limited(scroll_px, content_px, body.height());
}

bool clicked_beside(const Box& area) {
  const ImVec2 pointer = ImGui::GetMousePos();
  return ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !area.contains(pointer.x, pointer.y);
}

}  // namespace

HelpAnswer help_page(const PanelContext& context, const HelpRows& rows, float& scroll_px) {
  std::vector<Group> groups;
  add_groups(context, rows.actions, groups);
  add_groups(context, rows.gestures, groups);
  const float room = context.window_width - 2 * (margin_px + padding_px) + column_gap_px;
  const int columns =
      static_cast<int>(std::clamp(room / (column_px + column_gap_px), 1.0F, most_columns));
  const float height = column_height(groups, columns);
  const float content = height - group_gap_px;
  PanelContext inside = context;
  inside.area = page_box(context, columns, content);
  PanelWindow window(inside, "help", PanelWindow::Kind::raised);
  const bool crossed = draw_head(window, rows.hint);
  const Box body{inside.area.x0 + padding_px, inside.area.y0 + padding_px + title_px,
                 inside.area.x1 - scroll_bar_margin_px, inside.area.y1 - bottom_px - foot_px};
  scroll(body, content, scroll_px);
  window.set_clip(body);
  draw_groups(window, groups, body.x0, body.y0 - scroll_px, height);
  draw_scroll_bar(window, body, content, scroll_px);
  window.set_clip(inside.area);
  if (draw_foot(window, rows.settings_path)) return HelpAnswer::copy_path;
  return crossed || clicked_beside(inside.area) ? HelpAnswer::close : HelpAnswer::none;
}

}  // namespace bytescope::app
