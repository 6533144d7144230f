#pragma once

#include <cstddef>

#include "app/panels/panel_window.h"

namespace bytescope::app {

/// Room at the right edge that a scroll bar takes.
constexpr float scroll_bar_px = 6;

/// How far lines have moved up and to the left.
struct ScrollOffset {
  float y_px = 0;
  float x_px = 0;
};

/// The offset after this frame's turns of the wheel, if the pointer is in `box`: three lines a
/// notch, sideways with Shift or the other wheel. Not limited; see limited().
ScrollOffset turned_by_wheel(ScrollOffset offset, const render::Box& box, float line_px);
/// An offset that leaves no room empty: `content_px` is as large as all of it, `room_px` as what is
/// in sight.
float limited(float offset_px, float content_px, float room_px);
/// The offset nearest to `offset_px` that has a line in sight.
float revealing(float offset_px, std::size_t line, float line_px, float room_px);
/// Draws a bar at the lower edge of `box` when it has no room for all columns, and answers the
/// offset, changed where the bar is dragged; `place` tells it from others of the window.
float drag_sideways_bar(PanelWindow& window, const render::Box& box, float content_px,
                        float offset_px, int place);
/// Draws a bar at the right edge of `box` when it has no room for everything.
void draw_scroll_bar(PanelWindow& window, const render::Box& box, float content_px,
                     float offset_px);

}  // namespace bytescope::app
