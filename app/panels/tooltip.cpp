#include "app/panels/tooltip.h"

#include <algorithm>

#include "app/panels/fact_rows.h"

namespace bytescope::app {
namespace {

constexpr float off_pointer_px = 14;
constexpr float padding_px = 12;
constexpr float widest_px = 420;
constexpr float narrowest_px = 160;

/// Where something of that size goes: right of and below the pointer, on the other side where there
/// is no room, inside in any case.
float beside(float pointer, float size, float room) {
  float at = pointer + off_pointer_px;
  if (at + size > room) at = pointer - off_pointer_px - size;
  return std::max(at, 0.0F);
}

}  // namespace

void tooltip(const PanelContext& context, const FactSheet& sheet, float pointer_x,
             float pointer_y) {
  if (sheet.raw_title.empty() && sheet.sections.empty()) return;
  FactLook look;
  look.most_text_lines = 6;
  look.most_title_lines = 4;
  look.width =
      std::clamp(natural_width(context.fonts, sheet), narrowest_px, widest_px - 2 * padding_px);
  const FactRows rows = fact_rows(context.theme, context.fonts, sheet, look);
  PanelContext inside = context;
  const float width = look.width + 2 * padding_px;
  const float height = std::min(rows.height + 2 * padding_px - 4, context.window_height);
  inside.area.x0 = beside(pointer_x, width, context.window_width);
  inside.area.y0 = beside(pointer_y, height, context.window_height);
  inside.area.x1 = inside.area.x0 + width;
  inside.area.y1 = inside.area.y0 + height;
  PanelWindow window(inside, "tooltip", PanelWindow::Kind::bubble);
  draw_fact_rows(window, rows, inside.area.x0 + padding_px, inside.area.y0 + padding_px - 2,
                 /*clickable=*/false);
}

}  // namespace bytescope::app
