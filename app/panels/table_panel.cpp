#include "app/panels/table_panel.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <imgui.h>

#include "app/panels/scrolling.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Color;
using render::Face;

constexpr float title_px = 24;
constexpr float row_px = 20;
constexpr float padding_px = 8;
constexpr float least_first_column_px = 180;
constexpr float wide_text_px = 200;
/// Less of a column of text tells nothing.
constexpr float least_text_px = 56;
constexpr float sideways_bar_px = 8;
constexpr float px_per_column_step = 90;
constexpr Face face = Face::mono_11;
constexpr Face title_face = Face::ui_11;

struct Edges {
  float x0 = 0;
  float x1 = 0;
};

/// What room is left goes to the first column, up to its most, and wide ones of text, in equal
/// parts; the first one stays where it is, the others move sideways beneath it.
std::vector<Edges> column_edges(const Table& table, const Box& box, float scroll_x_px) {
  const auto takes_room = [&](std::size_t i) {
    return i == 0 || (!table.columns[i].is_number && table.columns[i].width_px >= wide_text_px);
  };
  float others = 0;
  float parts = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) others += table.columns[i].width_px;
    if (takes_room(i)) parts += 1;
  }
  const float least_first = std::min(least_first_column_px, box.width() / 2);
  const float room = std::max(box.width() - scroll_bar_px - others - least_first, 0.0F);
  const float first_part = std::clamp(table.most_first_px - least_first, 0.0F, room / parts);
  const float left = parts > 1 ? (room - first_part) / (parts - 1) : 0;
  std::vector<Edges> edges{{box.x0, box.x0 + least_first + first_part}};
  float x = edges[0].x1 - scroll_x_px;
  for (std::size_t i = 1; i < table.columns.size(); ++i) {
    edges.push_back({x, x + table.columns[i].width_px + (takes_room(i) ? left : 0)});
    x = edges.back().x1;
  }
  return edges;
}

/// What to show of a number that ends at `right`: it, or an ellipsis where not all of it would be
/// seen, for part of a number is another number.
std::string whole_or_none(const PanelWindow& window, const Box& seen, float right, Face of,
                          const std::string& number) {
  const bool is_whole = right - window.width_of(of, number) >= seen.x0 && right <= seen.x1;
  return is_whole || number.empty() ? number : "\u2026";
}

float content_px(const TableView& view) { return static_cast<float>(view.order().size()) * row_px; }

void scroll(const Box& box, const Box& rows, TableView& view, float content_width_px) {
  const auto offset = turned_by_wheel({view.scroll_px, view.scroll_x_px}, box, row_px);
  view.scroll_px = limited(offset.y_px, content_px(view), rows.height());
  view.scroll_x_px = limited(offset.x_px, content_width_px, box.width() - scroll_bar_px);
}

/// Whether what is seen of a column at the right edge is of use: all of a number, some of a text.
bool is_usable(const TableColumn& column, const Edges& edges, float right) {
  const float least = column.is_number ? edges.x1 - edges.x0 - padding_px
                                       : std::min(least_text_px, edges.x1 - edges.x0);
  return right - edges.x0 >= least;
}

/// The part of a column that is not under the first one, between two heights; none where it is cut
/// to what tells nothing.
Box column_box(const Table& table, const std::vector<Edges>& edges, std::size_t column,
               const Box& box, float y0, float y1) {
  if (column > 0 && !is_usable(table.columns[column], edges[column], box.x1 - scroll_bar_px))
    return {};
  const float x0 = column == 0 ? edges[0].x0 : std::max(edges[column].x0, edges[0].x1);
  const float right = box.x1 - scroll_bar_px;
  return {std::min(x0, right), y0, std::min(edges[column].x1, right), y1};
}

void draw_titles(PanelWindow& window, const Box& box, const Table& table, TableView& view,
                 const std::vector<Edges>& edges, int first_place) {
  const render::Theme& theme = window.theme();
  window.fill({box.x0, box.y0 + title_px - 1, box.x1, box.y0 + title_px}, theme.border);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Box place = column_box(table, edges, i, box, box.y0, box.y0 + title_px);
    if (place.width() < 4) continue;
    const auto over = window.place(place, first_place + static_cast<int>(i));
    if (over.clicked) view.sort_by(table, i);
    const bool sorts = view.sort_column() == i;
    const char* arrow = view.descending() ? "\u25BC " : "\u25B2 ";
    const std::string title = (sorts ? arrow : "") + table.columns[i].title;
    const Color color = sorts || over.hovered ? theme.text : theme.text_2;
    window.set_clip(place);
    const float y = box.y0 + (title_px - 12) / 2;
    if (i > 0 && table.columns[i].is_number) {
      const float right = edges[i].x1 - padding_px;
      window.text_right(std::min(right, place.x1), y, title_face,
                        whole_or_none(window, place, right, title_face, title), color);
    } else {
      window.text_within(edges[i].x0 + padding_px, y, edges[i].x1 - edges[i].x0 - padding_px,
                         title_face, title, color);
    }
  }
}

void draw_cells(PanelWindow& window, const Box& box, const Table& table, std::size_t row,
                const std::vector<Edges>& edges, float y) {
  const render::Theme& theme = window.theme();
  const float text_y = y + (row_px - 11) / 2;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Box place =
        column_box(table, edges, i, box, std::max(y, box.y0), std::min(y + row_px, box.y1));
    if (place.width() < 4) continue;
    window.set_clip(place);
    if (i == 0 && table.share) {
      const auto share = static_cast<float>(std::clamp(table.share(row), 0.0, 1.0));
      window.fill({place.x0, y + 2, place.x0 + place.width() * share, y + row_px - 2},
                  mix(theme.panel, theme.accent, 0.16F), 2);
    }
    const std::string text = table.text(row, i);
    if (i > 0 && table.columns[i].is_number) {
      const float right = edges[i].x1 - padding_px;
      window.text_right(std::min(right, place.x1), text_y, face,
                        whole_or_none(window, place, right, face, text), theme.text);
    } else {
      window.text_within(edges[i].x0 + padding_px, text_y, edges[i].x1 - edges[i].x0 - padding_px,
                         face, colored_pieces(theme, text, i == 0 ? theme.text : theme.text_2));
    }
  }
}

void scroll_to(TableView& view, std::size_t place, float height_px) {
  const float bar_px = view.most_scroll_x_px > 0 ? sideways_bar_px : 0;
  view.scroll_px =
      revealing(view.scroll_px, place, row_px, std::max(height_px - title_px - bar_px, row_px));
}

}  // namespace

TableAnswer table_panel(PanelWindow& window, const Box& box, const Table& table, TableView& view,
                        int first_place) {
  TableAnswer answer;
  if (table.columns.empty() || box.height() < title_px) return answer;
  const float content_width_px = column_edges(table, box, 0).back().x1 - box.x0;
  const Box bar{box.x0, box.y1 - sideways_bar_px + 2, box.x1 - scroll_bar_px, box.y1};
  view.most_scroll_x_px = std::max(content_width_px - bar.width(), 0.0F);
  const float bar_px = view.most_scroll_x_px > 0 ? sideways_bar_px : 0;
  const Box rows{box.x0, box.y0 + title_px, box.x1, box.y1 - bar_px};
  scroll(box, rows, view, content_width_px);
  view.scroll_x_px =
      drag_sideways_bar(window, bar, content_width_px, view.scroll_x_px, first_place);
  const std::vector<Edges> edges = column_edges(table, box, view.scroll_x_px);
  draw_titles(window, box, table, view, edges, first_place + 1);
  const int first_row_place = first_place + 1 + static_cast<int>(table.columns.size());
  const render::Theme& theme = window.theme();
  const auto first = static_cast<std::size_t>(view.scroll_px / row_px);
  for (std::size_t i = first; i < view.order().size(); ++i) {
    const float y = rows.y0 + static_cast<float>(i) * row_px - view.scroll_px;
    if (y >= rows.y1) break;
    const std::size_t row = view.order()[i];
    window.set_clip(rows);
    const Box place{rows.x0, std::max(y, rows.y0), rows.x1 - scroll_bar_px,
                    std::min(y + row_px, rows.y1)};
    const bool is_typed = view.typed == row;
    const auto over = is_typed ? PanelWindow::Pointing()
                               : window.place(place, first_row_place + static_cast<int>(i - first),
                                              PanelWindow::Reach::pointer);
    if (is_typed)
      answer.typed_cell = column_box(table, edges, table.typed_column, rows, y, y + row_px);
    if (over.clicked) answer.clicked = row;
    if (over.double_clicked) answer.double_clicked = row;
    if (view.chosen == row) {
      window.fill(place, mix(theme.panel, theme.accent, 0.22F), 3);
    } else if (over.hovered) {
      window.fill(place, mix(theme.panel, theme.raised, 0.9F), 3);
    }
    draw_cells(window, rows, table, row, edges, y);
  }
  window.set_clip(window.area());
  draw_scroll_bar(window, rows, content_px(view), view.scroll_px);
  if (answer.clicked) view.chosen = *answer.clicked;
  return answer;
}

float least_width_px(const Table& table) {
  float width = least_first_column_px + scroll_bar_px;
  for (std::size_t i = 1; i < table.columns.size(); ++i) width += table.columns[i].width_px;
  return width;
}

bool scroll_columns(TableView& view, int step) {
  if (view.most_scroll_x_px <= 0) return false;
  view.scroll_x_px = std::clamp(view.scroll_x_px + static_cast<float>(step) * px_per_column_step,
                                0.0F, view.most_scroll_x_px);
  return true;
}

std::optional<std::size_t> move_chosen(TableView& view, int step, float height_px) {
  const std::vector<std::uint32_t>& order = view.order();
  if (order.empty()) return std::nullopt;
  const auto at = std::find(order.begin(), order.end(), view.chosen);
  const std::int64_t last = static_cast<std::int64_t>(order.size()) - 1;
  const std::int64_t place = at == order.end()
                                 ? (step > 0 ? 0 : last)
                                 : std::clamp<std::int64_t>(at - order.begin() + step, 0, last);
  view.chosen = order[static_cast<std::size_t>(place)];
  scroll_to(view, static_cast<std::size_t>(place), height_px);
  return view.chosen;
}

void reveal_row(TableView& view, std::size_t row, float height_px) {
  const auto at = std::find(view.order().begin(), view.order().end(), row);
  if (at != view.order().end())
    scroll_to(view, static_cast<std::size_t>(at - view.order().begin()), height_px);
}

}  // namespace bytescope::app
