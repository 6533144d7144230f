#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "render/scene.h"
#include "render/track_layout.h"
#include "render/window_areas.h"

namespace bytescope::app {

/// A file of a merged trace that is moved in time.
struct FileShift {
  std::string file;           ///< As its tracks are called.
  std::int64_t later_us = 0;  ///< By how much.
};

/// Which rows of the window move, by whole pixels of its picture, and where they lie.
struct ShiftedRows {
  const render::TrackLayout& layout;
  const render::WindowAreas& areas;
  double scroll_px = 0;
  float dx_px = 0;
};

/// Moves what a scene shows of the tracks for which `moves(track)` holds; what leaves the area of
/// the tracks is cut. Outlines and what stays over the rows are left as they are. Costs what the
/// scene holds.
void shift_rows(render::Scene& scene, const ShiftedRows& rows,
                const std::function<bool(std::uint32_t track)>& moves);

}  // namespace bytescope::app
