#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/answers/answer.h"
#include "app/dock_state.h"
#include "app/panels/panel_context.h"
#include "core/query/statistics.h"

namespace bytescope::app {

/// What was done in the bottom panel.
struct DockAnswer {
  std::optional<AnswerKind> open;  ///< Another tab.
  bool close = false;
  std::optional<std::size_t> row;          ///< A row was clicked: it leads somewhere.
  bool with_command = false;               ///< … with Ctrl held: compare.
  std::optional<std::size_t> zoom_to_row;  ///< A row was double clicked.
  bool copy = false;                       ///< The table as TSV.
  bool entered = false;                    ///< Enter in the search field.
  std::optional<std::string> named;        ///< A new name for the row being named.
  std::optional<DurationPick> durations;   ///< A bar of the histogram, or a percentile.
  std::optional<std::int64_t> instant_ns;  ///< A moment of the curves was clicked.
  bool typing = false;                     ///< A field has the keyboard.
  bool awaits_row = false;                 ///< The row that gets a field is not told yet.
  std::optional<float> height_px;          ///< Its upper edge is dragged.
};

/// The histogram beside the statistics: of which row, and what it is if known.
struct DockHistogram {
  std::optional<std::size_t> row;
  std::shared_ptr<const query::DurationHistogram> histogram;
};

/// How high the table of the open tab is in a panel of that height.
float dock_table_height_px(const DockState& state, float dock_height_px);

/// The panel at the bottom: a line of tabs, the choices of the open one, and its table. Changes
/// nothing but what `state` holds for it. Draws no background.
DockAnswer dock_panel(const PanelContext& context, const TabMenus& menus, DockState& state,
                      const DockHistogram& histogram, bool busy);

}  // namespace bytescope::app
