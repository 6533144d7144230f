#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/track_layout.h"

namespace bytescope::render {

/// The tracks that are hidden, pinned or shown alone when that is asked of a row: all of the group
/// for a header, all of the device for its first row, else the one that the row shows. In the order
/// of the rows. Costs O(rows).
std::vector<std::uint32_t> tracks_of_row(const TrackLayout& layout, std::size_t row);

/// Where a unit goes that is dragged.
struct DropPlace {
  double line_px = 0;  ///< Position of the line that shows it, in the rows.
  /// A track of the unit that it comes before; none for the end of the group.
  std::optional<std::uint32_t> before;
  bool stays = false;  ///< It is there already.
};

/// Where the unit of a row goes that is dragged to `y_px` of the rows: the closest place between
/// two units of its group, or at an end of it. None for rows that cannot be moved: headers, and
/// what stands for a group. Costs O(rows).
std::optional<DropPlace> drop_place(const TrackLayout& layout, std::size_t row, double y_px);

/// The place one unit further up (`step` −1) or down (1); none at the end of the group.
std::optional<DropPlace> next_place(const TrackLayout& layout, std::size_t row, int step);

/// The changes with the group or device that a row stands for folded or opened: the other way round
/// than the row shows it.
TrackChanges with_fold_switched(TrackChanges changes, const TrackRow& row);

/// The changes with the track of a row opened or closed; a row without a track changes nothing.
TrackChanges with_expansion_switched(TrackChanges changes, const TrackRow& row);

/// The changes with the unit of `row` moved there: among the pinned ones, or by one more move.
/// `layout` is that of `changes`.
TrackChanges with_unit_moved(TrackChanges changes, const TrackLayout& layout, std::size_t row,
                             const DropPlace& place);

}  // namespace bytescope::render
