#pragma once

#include <span>
#include <string>

#include "app/panels/panel_context.h"

namespace bytescope::app {

/// A key or a gesture and what it does.
struct HelpRow {
  std::string group;  ///< Rows of one group follow each other.
  std::string title;
  std::string keys;
};

/// Lists keys and gestures in columns on a panel over the window. Answers whether it should be
/// closed (its cross, or a click beside it).
bool help_page(const PanelContext& context, std::span<const HelpRow> actions,
               std::span<const HelpRow> gestures);

}  // namespace bytescope::app
