#pragma once

#include "app/fonts.h"
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
};

}  // namespace bytescope::app
