#pragma once

#include <cstdint>

#include "core/query/time_range.h"

namespace bytescope::render {

/// The stretch of time on screen, and all arithmetic of zooming. A value: every change answers a
/// new viewport, going back is assignment. Its begin is a whole nanosecond plus a fraction, so that
/// positions are exact at the end of the longest trace and zooming in and out again does not drift.
class Viewport {
public:
  /// The closest zoom: hundredths of a microsecond stand apart on the axis.
  static constexpr double least_length_ns = 100;
  /// A trace shorter than this is shown as if it were that long.
  static constexpr std::int64_t least_trace_ns = 1000;

  Viewport() = default;
  /// Shows the whole of `trace` in `width_px` pixels (at least one).
  Viewport(query::TimeRange trace, double width_px);

  /// What is on screen in whole nanoseconds, rounded outwards; begin < end always.
  query::TimeRange window() const;
  double width_px() const { return width_px_; }
  double length_ns() const { return length_ns_; }
  double ns_per_px() const { return length_ns_ / width_px_; }

  /// Position of a time relative to the left edge; may lie outside the window.
  double px_from_ns(std::int64_t ns) const {
    return (static_cast<double>(ns - begin_ns_) - fraction_ns_) / ns_per_px();
  }
  /// The same for `ns` and a part of a nanosecond more, as ends of spans need it.
  double px_from_ns(std::int64_t ns, double more_ns) const {
    return (static_cast<double>(ns - begin_ns_) - fraction_ns_ + more_ns) / ns_per_px();
  }
  /// The whole nanosecond at or before a position; positions far outside are cut to 2^53 ns from
  /// the window.
  std::int64_t ns_from_px(double px) const;
  /// The pixel columns of the window for queries. Column c is drawn from columns_px() + c on.
  query::Columns columns() const;
  /// Where column 0 begins: 0 or less than a nanosecond left of the edge.
  double columns_px() const { return -fraction_ns_ / ns_per_px(); }

  /// Closer by `factor` (below 1: farther), the time under `anchor_px` staying where it is unless
  /// an end of the trace or a limit of zooming is in the way. Factors that are no positive number
  /// change nothing.
  Viewport zoomed(double factor, double anchor_px) const;
  /// Later by `px` pixels (negative: earlier), at most until half of the view lies beyond the
  /// trace.
  Viewport panned(double px) const;
  /// Shows `window`, widened or moved as the limits need.
  Viewport showing(query::TimeRange window) const;
  /// Moves as little as needed to bring `range` in view, with a tenth of the view beside it; a
  /// range longer than the view is shown from its begin.
  Viewport revealing(query::TimeRange range) const;
  /// The whole trace.
  Viewport fitted() const { return {trace_, width_px_}; }
  /// The window of `other`, a view of another trace, `shift_ns` later: as far as the limits of this
  /// trace allow.
  Viewport beside(const Viewport& other, std::int64_t shift_ns) const;
  /// The same whatever the limits: it may show more than there is, and times before the first.
  Viewport level_with(const Viewport& other, std::int64_t shift_ns) const;
  /// On the straight way from `from` (of the same trace and width) to this view, where `left` of it
  /// is left: 1 is its begin, 0 this view exactly. Both edges move evenly.
  Viewport on_way_from(const Viewport& from, double left) const;
  /// The same window in another width.
  Viewport resized(double width_px) const;

  bool operator==(const Viewport&) const = default;

private:
  Viewport placed(std::int64_t origin_ns, double offset_ns, double length_ns) const;
  double margin_ns(double length_ns) const;
  double longest_ns() const;

  query::TimeRange trace_ = {0, least_trace_ns};
  std::int64_t begin_ns_ = 0;
  double fraction_ns_ = 0;  // 0 up to 1
  double length_ns_ = static_cast<double>(least_trace_ns);
  double width_px_ = 1;
};

}  // namespace bytescope::render
