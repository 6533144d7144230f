#include "app/view_motion.h"

#include <algorithm>
#include <cmath>

namespace bytescope::app {
namespace {

/// The first frame of a glide is as far as if it had begun a frame ago: it answers at once.
constexpr double head_start_s = 1.0 / 60;
/// Lengths that differ by less are the same: the way is a pan.
constexpr double same_length = 1e-6;
/// A zoom about a time that is farther out than so many windows is rather a pan.
constexpr double farthest_anchor = 2;

/// How much of a pan over `distance` windows is left after a share of its time. Even steps are
/// multiples of what is left: from far away most of the way is over at once, and the last window is
/// seen to come in.
double left_of_pan(double distance, double share) {
  if (distance < same_length) return 1 - share;
  return (std::pow(1 + distance, 1 - share) - 1) / distance;
}

/// How much of the straight way between two windows is left after a share of its time. Zooms take
/// even steps in the logarithm of the length. A time that is at the same pixel in both windows
/// stays there, whatever the answer is.
double left_of_way(const render::Viewport& from, const render::Viewport& to, double share) {
  const double from_ns = from.length_ns();
  const double to_ns = to.length_ns();
  const auto shift_ns = static_cast<double>(to.window().begin_ns - from.window().begin_ns);
  const double difference_ns = from_ns - to_ns;
  const bool zooms = std::abs(difference_ns) > same_length * to_ns;
  const double anchor = zooms ? shift_ns / difference_ns : 0;  // in windows from the left edge
  if (!zooms || std::abs(anchor - 0.5) > farthest_anchor)
    return left_of_pan(std::abs(shift_ns) / std::max(from_ns, to_ns), share);
  return (std::pow(from_ns / to_ns, 1 - share) - 1) * to_ns / difference_ns;
}

}  // namespace

void ViewMotion::rest_at(const ViewPlace& place) {
  way_ = Way::none;
  shown_ = wanted_ = place;
}

void ViewMotion::coast(const DragSpeed& speed, double now_s) {
  from_ = wanted_ = shown_;
  speed_ = speed;
  begin_s_ = last_s_ = now_s;
  way_ = Way::coast;
}

void ViewMotion::stop_coasting() {
  if (is_coasting()) way_ = Way::none;
}

ViewPlace ViewMotion::advance(const ViewPlace& wanted, double most_scroll_px, double now_s) {
  if (!(wanted == wanted_)) {
    from_ = shown_;
    wanted_ = wanted;
    begin_s_ = now_s - head_start_s;
    way_ = Way::glide;
  }
  if (way_ == Way::glide) glide(now_s);
  if (way_ == Way::coast) roll(most_scroll_px, now_s);
  shown_.scroll_px = std::clamp(shown_.scroll_px, 0.0, std::max(most_scroll_px, 0.0));
  return wanted_;
}

void ViewMotion::glide(double now_s) {
  const double time = std::clamp((now_s - begin_s_) / glide_s, 0.0, 1.0);
  if (time >= 1) return rest_at(wanted_);
  const double share = 1 - std::pow(1 - time, 3);
  shown_.viewport = wanted_.viewport.on_way_from(
      from_.viewport, left_of_way(from_.viewport, wanted_.viewport, share));
  shown_.scroll_px = wanted_.scroll_px + (from_.scroll_px - wanted_.scroll_px) * (1 - share);
}

/// The speed falls with the square of the time left, so that the end is smooth.
void ViewMotion::roll(double most_scroll_px, double now_s) {
  const double time = std::clamp((now_s - begin_s_) / coast_s, 0.0, 1.0);
  const double seconds = coast_s / 3 * (1 - std::pow(1 - time, 3));  // at the first speed
  const ViewPlace before = shown_;
  shown_.viewport = from_.viewport.panned(-speed_.x * seconds);
  shown_.scroll_px =
      std::clamp(from_.scroll_px - speed_.y * seconds, 0.0, std::max(most_scroll_px, 0.0));
  wanted_ = shown_;
  const bool is_at_ends = now_s > last_s_ && shown_ == before;
  last_s_ = now_s;
  if (time >= 1 || is_at_ends) way_ = Way::none;
}

}  // namespace bytescope::app
