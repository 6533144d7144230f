#pragma once

#include <cstddef>
#include <optional>

#include "app/panels/panel_window.h"
#include "app/table.h"

namespace bytescope::app {

/// What was done with the rows of a table, which are told by their numbers in it.
struct TableAnswer {
  std::optional<std::size_t> clicked;
  std::optional<std::size_t> double_clicked;
  std::optional<render::Box> typed_cell;  ///< Where the field of the row that is typed in goes.
};

/// Draws the rows of a table that are in sight, with a line of titles that sort when clicked. A
/// column that would be cut at the right edge to less than what it tells is left to scrolling.
/// `first_place` is the first of the window's places that it takes. Costs O(rows in sight).
TableAnswer table_panel(PanelWindow& window, const render::Box& box, const Table& table,
                        TableView& view, int first_place);

/// How wide a table is with all of its columns at their least.
float least_width_px(const Table& table);
/// Scrolls sideways by `step` columns or so, where not all of them fit; answers whether it can.
bool scroll_columns(TableView& view, int step);

/// Moves the chosen row by `step` in the order shown and keeps it in sight of a table of that
/// height; answers it.
std::optional<std::size_t> move_chosen(TableView& view, int step, float table_height_px);
/// Scrolls so that a row is in sight.
void reveal_row(TableView& view, std::size_t row, float table_height_px);

}  // namespace bytescope::app
