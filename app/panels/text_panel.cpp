#include "app/panels/text_panel.h"

#include <algorithm>
#include <string>

#include <imgui.h>

#include "app/panels/scrolling.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Face;

constexpr Face face = Face::mono_12;
constexpr float line_px = 18;
constexpr float gap_px = 14;

/// The sizes of a text in its box.
struct Extent {
  float numbers_px = 0;  ///< The column of line numbers with its gap.
  float height_px = 0;
  float width_px = 0;
};

Extent extent_of(const PanelWindow& window, const TextLines& text) {
  const float digit = window.width_of(face, "0");
  const std::size_t digits = std::max<std::size_t>(std::to_string(text.size()).size(), 3);
  return {static_cast<float>(digits) * digit + gap_px, static_cast<float>(text.size()) * line_px,
          static_cast<float>(text.columns() + 1) * digit};
}

void scroll(const Box& box, const Extent& extent, TableView& view) {
  const auto offset = turned_by_wheel({view.scroll_px, view.scroll_x_px}, box, line_px);
  view.scroll_px = limited(offset.y_px, extent.height_px, box.height());
  view.scroll_x_px =
      limited(offset.x_px, extent.width_px, box.width() - extent.numbers_px - scroll_bar_px);
}

}  // namespace

void text_panel(PanelWindow& window, const Box& box, const TextLines& text, TableView& view) {
  if (box.width() <= 0 || box.height() <= 0) return;
  const Extent extent = extent_of(window, text);
  scroll(box, extent, view);
  const render::Theme& theme = window.theme();
  const Box code{box.x0 + extent.numbers_px, box.y0, box.x1 - scroll_bar_px, box.y1};
  const auto first = static_cast<std::size_t>(view.scroll_px / line_px);
  for (std::size_t i = first; i < text.size(); ++i) {
    const float y = box.y0 + static_cast<float>(i) * line_px - view.scroll_px;
    if (y >= box.y1) break;
    const float text_y = y + (line_px - render::size_px(face)) / 2;
    window.set_clip(box);
    window.text_right(code.x0 - gap_px, text_y, face, std::to_string(i + 1), theme.text_3);
    window.set_clip(code);
    window.text(code.x0 - view.scroll_x_px, text_y, face, text.shown(i), theme.text);
  }
  window.set_clip(window.area());
  draw_scroll_bar(window, box, extent.height_px, view.scroll_px);
}

void scroll_lines(TableView& view, int lines) {
  view.scroll_px += static_cast<float>(lines) * line_px;
}

}  // namespace bytescope::app
