#pragma once

#include <optional>
#include <vector>

#include "app/view_motion.h"

namespace bytescope::app {

/// Where the pointer was during the last moments of a drag.
class DragTrail {
public:
  /// Notes where it is.
  void note(float x, float y, double now_s);
  /// How fast it was when it was let go of; none when it was slow, or rested before.
  std::optional<DragSpeed> speed(double now_s) const;

private:
  struct Point {
    double x = 0;
    double y = 0;
    double time_s = 0;
  };
  std::vector<Point> points_;  // few
};

}  // namespace bytescope::app
