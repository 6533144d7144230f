#pragma once

#include <cstdint>
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
  std::string_view hint;           ///< Beside the title: how to reach what has no key.
  std::string_view settings_path;  ///< Where keys are changed; empty: unknown.
};

/// What was done on the page.
enum class HelpAnswer : std::uint8_t {
  none,
  close,      ///< By its cross, or a click beside it.
  copy_path,  ///< That of the settings.
};

/// Lists keys and gestures in columns on a panel over the window, under a head that stays when they
/// scroll: by `scroll_px`, which the wheel, arrows, Page Up and Down, Home and End change. The last
/// line tells where keys are changed.
HelpAnswer help_page(const PanelContext& context, const HelpRows& rows, float& scroll_px);

}  // namespace bytescope::app
