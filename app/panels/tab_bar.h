#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "app/panels/panel_context.h"
#include "core/session/session.h"

namespace bytescope::app {

/// What the tab of a document shows.
struct Tab {
  std::uint64_t id = 0;
  std::string title;              ///< trace_title().
  std::string path;               ///< Told when the pointer rests on the tab.
  std::optional<float> progress;  ///< 0 to 1 while it loads.
  std::uint64_t warnings = 0;     ///< How many things are wrong with the trace.
  bool failed = false;            ///< It could not be opened, or read again.
};

/// The tab of a document as it stands.
Tab tab_of(const session::Document& document);

/// What was clicked.
struct TabBarAnswer {
  std::optional<std::uint64_t> activate;
  std::optional<std::uint64_t> close;  ///< Its cross, or a middle click.
  std::optional<std::uint64_t> menu;   ///< A right click.
  bool open_menu = false;              ///< The button of the window's menu.
  bool open_chooser = false;
  bool open_help = false;
};

/// Where the window's menu hangs from its button.
struct MenuPlace {
  float x = 0;
  float y = 0;
};
MenuPlace menu_place_in(const render::Box& tabs);

/// The button of the menu, then one tab a document, `active` with an accent line on top; where they
/// do not fit they get narrower. Draws no background.
TabBarAnswer tab_bar(const PanelContext& context, std::span<const Tab> tabs, std::uint64_t active);

}  // namespace bytescope::app
