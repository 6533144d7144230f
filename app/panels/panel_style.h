#pragma once

#include "app/fonts.h"
#include "render/theme.h"

namespace bytescope::app {

/// Gives ImGui's own widgets (fields, scroll bars) the colours of the theme and our spacing, and
/// makes the fonts' interface face the default. Cheap; to be called between frames, after the
/// fonts were rebuilt or the theme changed.
void apply_panel_style(const render::Theme& theme, const Fonts& fonts);

}  // namespace bytescope::app
