#pragma once

#include <chrono>

namespace bytescope::app {

/// Seconds on a clock that never jumps; events and frames count on the same one.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace bytescope::app
