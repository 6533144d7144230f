#pragma once

// How far the mouse goes, the same wherever it is: on the tracks, the axis and the overview.

namespace bytescope::app {

constexpr double zoom_per_notch = 1.25;
constexpr double pan_px_per_notch = 80;
/// A press that moves less is a click.
constexpr float drag_threshold_px = 4;
/// A second click within that time makes a double click.
constexpr double double_click_s = 0.4;

}  // namespace bytescope::app
