#pragma once

#include <set>
#include <string>

#include "render/track_layout.h"

namespace bytescope::render {

/// Heights that rows have where there is room, and the least that they shrink to.
constexpr double greatest_memory_px = 40;
constexpr double least_memory_px = 26;
constexpr double greatest_kernel_px = 30;
constexpr double least_kernel_px = 22;
constexpr double copies_px = 10;
/// Engines of one device stand close: their names need room.
constexpr double greatest_close_copies_px = 14;

/// What the fit rule decides.
struct Fit {
  double memory_px = greatest_memory_px;
  double kernel_px = greatest_kernel_px;
  double close_copies_px = greatest_close_copies_px;  ///< Of several copy engines of one device.
  std::set<std::string> folded;                       ///< Ids of units that have to fold.
};

/// Heights with which a layout of full height gets as low as `height_px`, as far as they can.
Fit fit_for(const TrackLayout& full, double height_px);

}  // namespace bytescope::render
