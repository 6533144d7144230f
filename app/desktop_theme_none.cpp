#include "app/desktop_theme.h"

namespace bytescope::app {

DesktopWishes portal_wishes() { return {}; }

}  // namespace bytescope::app
