#pragma once

#include "app/fact_sheet.h"
#include "app/panels/panel_context.h"

namespace bytescope::app {

/// Facts beside the pointer, 14 px off; flips at the window's edges (the context's window size, not
/// its area). Takes no input.
void tooltip(const PanelContext& context, const FactSheet& sheet, float pointer_x, float pointer_y);

}  // namespace bytescope::app
