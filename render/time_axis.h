#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/trace/trace.h"
#include "render/viewport.h"

namespace bytescope::render {

/// A line on the time axis.
struct Tick {
  double px = 0;  ///< From the view's left edge.
  std::int64_t time_ns = 0;
  std::string label;   ///< UTF-8; an offset from the anchor begins with `+`.
  std::string real;    ///< Real time since the clock's first point; empty where it is not known.
  bool major = false;  ///< Also a tick of the next coarser axis.
};

/// What the time axis shows.
struct TimeAxis {
  static constexpr double least_spacing_px = 110;
  static constexpr double least_clock_spacing_px = 180;  ///< Where there is room for two times.
  std::string anchor;         ///< What the labels' offsets count from; empty where they are times.
  std::int64_t step_ns = 10;  ///< Between neighbouring ticks; never less than 10 ns.
  std::vector<Tick> ticks;    ///< Ascending; from time 0 on.
};

/// Ticks at round times, at least 110 px apart: steps of 1, 2 and 5 from a hundredth of a
/// microsecond to seconds, then of minutes (in shader traces of clock cycles). All labels differ
/// and are exact, and they stay where they are while the view is panned. With a clock ticks are at
/// least 180 px apart and tell the real time too. Costs O(ticks).
TimeAxis time_axis(const Viewport& view, trace::Unit unit, const trace::LineIndex* clock = nullptr);

}  // namespace bytescope::render
