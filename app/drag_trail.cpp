#include "app/drag_trail.h"

#include <algorithm>
#include <cmath>

namespace bytescope::app {
namespace {

/// Older places tell nothing of the speed at the end.
constexpr double memory_s = 0.1;
/// A pointer that was still for so long rests.
constexpr double rest_s = 0.05;
/// Places that were seen together have their time from when they were seen.
constexpr double same_time_s = 0.001;
constexpr double least_speed = 250;
constexpr double most_speed = 8000;

}  // namespace

void DragTrail::note(float x, float y, double now_s) {
  std::erase_if(points_, [now_s](const Point& point) { return now_s - point.time_s > memory_s; });
  if (!points_.empty() && now_s - points_.back().time_s < same_time_s) points_.pop_back();
  points_.push_back({static_cast<double>(x), static_cast<double>(y), now_s});
}

std::optional<DragSpeed> DragTrail::speed(double now_s) const {
  if (points_.size() < 2 || now_s - points_.back().time_s > rest_s) return std::nullopt;
  const Point& first = points_.front();
  const Point& last = points_.back();
  const double seconds = last.time_s - first.time_s;
  if (seconds < same_time_s) return std::nullopt;
  DragSpeed speed{(last.x - first.x) / seconds, (last.y - first.y) / seconds};
  const double all = std::hypot(speed.x, speed.y);
  if (all < least_speed) return std::nullopt;
  const double factor = std::min(most_speed / all, 1.0);
  return DragSpeed{speed.x * factor, speed.y * factor};
}

}  // namespace bytescope::app
