#pragma once

#include <algorithm>

namespace bytescope::app {

/// How long to wait, in seconds, before a frame that only tells how something goes on (a load, a
/// search), when the last frame took `frame_s`: where drawing is slow, such frames shall not take
/// the processors away from what they tell of.
constexpr double waiting_pace_s(double frame_s) {
  constexpr double quickest_s = 0.05;
  constexpr double slowest_s = 0.25;
  constexpr double frames_waited = 8;
  return std::clamp(frames_waited * frame_s, quickest_s, slowest_s);
}

/// The same while something moves: as often as a quick display shows a picture, less what drawing,
/// with its wait for the display, has taken already.
constexpr double moving_pace_s(double frame_s) {
  constexpr double shown_for_s = 1.0 / 120;
  return std::clamp(shown_for_s - frame_s, 0.0, shown_for_s);
}

}  // namespace bytescope::app
