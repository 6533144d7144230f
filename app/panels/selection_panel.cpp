#include "app/panels/selection_panel.h"

#include "app/panels/fact_rows.h"

namespace bytescope::app {
namespace {

constexpr float padding_px = 16;
constexpr float heading_px = 28;
constexpr int close_place = -1;

}  // namespace

SelectionAnswer selection_panel(const PanelContext& context, const char* heading,
                                const FactSheet& sheet) {
  SelectionAnswer answer;
  PanelWindow window(context, heading, PanelWindow::Kind::scrolling);
  const render::Theme& theme = context.theme;
  const float x = context.area.x0 + padding_px;
  const float top = context.area.y0 + padding_px - window.scrolled();
  window.text(x, top, render::Face::ui_12_semibold, heading, theme.text);
  answer.close = window.cross(window.right() - padding_px - 4, top + 6, close_place);
  FactLook look;
  look.width = window.right() - x - padding_px;
  const FactRows rows = fact_rows(theme, window.metrics(), sheet, look);
  const FactClick click = draw_fact_rows(window, rows, x, top + heading_px, /*clickable=*/true);
  if (click.row != nullptr && click.row->link) answer.link = click.row->link;
  if (click.row != nullptr && !click.row->link)
    answer.copy = click.row->copied.empty() ? click.row->value : click.row->copied;
  window.set_content_height(padding_px + heading_px + rows.height + padding_px);
  return answer;
}

}  // namespace bytescope::app
