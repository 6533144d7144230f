#pragma once

#include <optional>
#include <string>

#include "app/fact_sheet.h"
#include "app/panels/panel_context.h"

namespace bytescope::app {

/// What was clicked.
struct SelectionAnswer {
  std::optional<Selection> link;    ///< Of a row that leads somewhere.
  std::optional<std::string> copy;  ///< What any other row has to copy.
  bool close = false;               ///< The cross beside the heading.
};

/// The right panel with all that is known of the selection, or of the measured range; scrolls where
/// it is too small. Draws no background.
SelectionAnswer selection_panel(const PanelContext& context, const char* heading,
                                const FactSheet& sheet);

}  // namespace bytescope::app
