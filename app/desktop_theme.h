#pragma once

#include <optional>

namespace bytescope::app {

/// What the desktop is set to.
struct DesktopWishes {
  std::optional<bool> light;  ///< A light look or a dark one; none where it has no opinion.
  bool less_motion = false;   ///< Nothing that moves should, beyond need.
};

/// Asks the desktop; where there is nobody to ask it wishes nothing. Takes some milliseconds, at
/// most two fifths of a second.
DesktopWishes desktop_wishes();

}  // namespace bytescope::app
