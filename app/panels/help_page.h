#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/panels/panel_context.h"

namespace bytescope::app {

/// A key or a gesture and what it does.
struct HelpRow {
  std::string group;  ///< Rows of one group follow each other.
  std::string title;
  std::string keys;  ///< Empty: it has none.
};

/// All that the page lists.
struct HelpRows {
  std::span<const HelpRow> actions;
  std::span<const HelpRow> gestures;
  std::string_view hint;  ///< Beside the title: how to reach what has no key.
};

/// Lists keys and gestures in columns on a panel over the window, under a head that stays when they
/// scroll: by `scroll_px`, which the wheel, arrows, Page Up and Down, Home and End change. Answers
/// whether it should be closed (its cross, or a click beside it).
bool help_page(const PanelContext& context, const HelpRows& rows, float& scroll_px);

}  // namespace bytescope::app
