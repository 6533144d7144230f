#include "app/desktop_theme.h"

namespace bytescope::app {

DesktopWishes desktop_wishes() { return {}; }

}  // namespace bytescope::app
