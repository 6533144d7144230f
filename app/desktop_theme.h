#pragma once

#include <optional>
#include <string_view>

namespace bytescope::app {

/// What the desktop is set to.
struct DesktopWishes {
  std::optional<bool> light;        ///< A light look or a dark one; none where it has no opinion.
  std::optional<bool> less_motion;  ///< Nothing that moves should, beyond need.

  bool is_complete() const { return light && less_motion; }
  /// Takes over what is wished here and not there yet.
  void fill_from(const DesktopWishes& other) {
    if (!light) light = other.light;
    if (!less_motion) less_motion = other.less_motion;
  }
};

/// What the desktop's portal says; nothing where there is none. Takes some milliseconds, at most
/// three fifths of a second.
DesktopWishes portal_wishes();

/// What a settings file of GTK (settings.ini) or KDE (kdeglobals) says.
DesktopWishes wishes_from_ini(std::string_view text);

/// Asks the portal, and looks up in the settings of GTK and KDE below $XDG_CONFIG_HOME what that
/// does not tell.
DesktopWishes desktop_wishes();

}  // namespace bytescope::app
