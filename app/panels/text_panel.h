#pragma once

#include "app/panels/panel_window.h"
#include "app/table.h"
#include "app/text_lines.h"

namespace bytescope::app {

/// Draws the lines of a text that are in sight, in a monospaced face, with their numbers; scrolls
/// both ways as a table does. Costs O(lines in sight).
void text_panel(PanelWindow& window, const render::Box& box, const TextLines& text,
                TableView& view);

/// Scrolls by so many lines.
void scroll_lines(TableView& view, int lines);

}  // namespace bytescope::app
