#include "render/track_fit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bytescope::render {
namespace {

/// What `count` rows between `least` and `greatest` must be for all to lose `excess`.
double shrunk(double& excess_px, std::size_t count, double least_px, double greatest_px) {
  if (count == 0 || excess_px <= 0) return greatest_px;
  const double each =
      std::min(std::ceil(excess_px / static_cast<double>(count)), greatest_px - least_px);
  excess_px -= each * static_cast<double>(count);
  return greatest_px - each;
}

}  // namespace

Fit fit_for(const TrackLayout& full, double height_px) {
  std::size_t memory_rows = 0;
  std::size_t kernel_rows = 0;
  std::size_t close_rows = 0;
  for (const TrackRow& row : full.rows) {
    if (row.folded) continue;
    if (row.kind == RowKind::memory) ++memory_rows;
    if (row.kind == RowKind::spans && row.role == trace::TrackRole::device) ++kernel_rows;
    if (row.role == trace::TrackRole::copy_engine && row.first_lane_px == greatest_close_copies_px)
      ++close_rows;
  }
  double excess = full.height_px - height_px;
  Fit fit;
  fit.memory_px = shrunk(excess, memory_rows, least_memory_px, greatest_memory_px);
  fit.kernel_px = shrunk(excess, kernel_rows, least_kernel_px, greatest_kernel_px);
  fit.close_copies_px = shrunk(excess, close_rows, copies_px, greatest_close_copies_px);
  return fit;
}

}  // namespace bytescope::render
