#pragma once

#include <algorithm>

#include "app/fonts.h"
#include "app/panels/control_focus.h"
#include "render/scene.h"
#include "render/theme.h"

namespace bytescope::app {

/// What every panel draws with. A panel is a function: it draws into `area` with ImGui (logical
/// pixels), and answers what was clicked; it changes nothing.
struct PanelContext {
  const render::Theme& theme;
  Fonts& fonts;
  render::Box area;
  float window_width = 0;
  float window_height = 0;
  ControlFocus* focus = nullptr;  ///< Null: no control can be reached by keys.

  /// Where a dialog of that size stands: in the middle, `share_above` of what is left over it;
  /// never larger than the window.
  render::Box dialog_box(float width_px, float height_px, float share_above) const {
    const float width = std::min(width_px, window_width - 16);
    const float height = std::min(height_px, window_height - 16);
    const float x = (window_width - width) / 2;
    const float y = std::max((window_height - height) * share_above, 0.0F);
    return {x, y, x + width, y + height};
  }
};

}  // namespace bytescope::app
