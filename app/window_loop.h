#pragma once

#include <string>
#include <vector>

#include "core/error.h"

namespace bytescope::app {

/// Opens the window with a tab for each file, or with one tab that shows all of them `together`,
/// and runs until it is closed. Sleeps while nothing changes.
Expected<void> run_window(const std::vector<std::string>& files, bool together);

}  // namespace bytescope::app
