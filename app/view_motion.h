#pragma once

#include <cstdint>

#include "render/viewport.h"

namespace bytescope::app {

/// Where a view is: which stretch of time it shows, and how far down it is scrolled.
struct ViewPlace {
  render::Viewport viewport;
  double scroll_px = 0;
  bool operator==(const ViewPlace&) const = default;
};

/// How fast something is dragged, in logical pixels a second.
struct DragSpeed {
  double x = 0;
  double y = 0;
};

/// The way from what is shown to what is wanted: a glide after a jump or a step of zooming, a coast
/// after a drag that was let go of in motion. What is wanted may change at any time; the way then
/// leads there from what is shown. Knows no clock: times are told, and may not run backwards.
class ViewMotion {
public:
  static constexpr double glide_s = 0.15;
  static constexpr double coast_s = 0.5;

  /// What is on screen.
  const ViewPlace& shown() const { return shown_; }
  bool is_moving() const { return way_ != Way::none; }
  bool is_coasting() const { return way_ == Way::coast; }
  /// Shows a place without a way there.
  void rest_at(const ViewPlace& place);
  /// Goes on from what is shown at the speed that the content had, and slows down until it rests,
  /// or is at the ends of the trace and of the rows.
  void coast(const DragSpeed& speed, double now_s);
  /// Rests where it is, if it coasts.
  void stop_coasting();
  /// Shows what belongs to that moment. Answers what is wanted from then on: `wanted`, or where it
  /// has come to by coasting. The rows can be scrolled by `most_scroll_px`. After glide_s without a
  /// change what is shown is exactly what is wanted.
  ViewPlace advance(const ViewPlace& wanted, double most_scroll_px, double now_s);

private:
  enum class Way : std::uint8_t { none, glide, coast };
  void glide(double now_s);
  void roll(double most_scroll_px, double now_s);

  Way way_ = Way::none;
  ViewPlace shown_;
  ViewPlace wanted_;
  ViewPlace from_;  // where the way began
  DragSpeed speed_;
  double begin_s_ = 0;
  double last_s_ = 0;
};

}  // namespace bytescope::app
