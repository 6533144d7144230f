#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "render/track_groups.h"

namespace bytescope::render {

/// Heights that somebody dragged a row to, in pixels; 0 for none.
struct RowHeights {
  double collapsed_px = 0;
  double expanded_px = 0;
  bool operator==(const RowHeights&) const = default;
};

/// Moves the unit of `track` before that of `before`, within their group; without `before` to the
/// group's end.
struct TrackMove {
  std::uint32_t track = 0;
  std::optional<std::uint32_t> before;
  bool operator==(const TrackMove&) const = default;
};

/// What a viewer changed about the tracks: a plain value, part of the view state.
struct TrackChanges {
  std::set<std::uint32_t> expanded;  ///< Tracks that show all lanes, or their stack.
  /// Groups and units that somebody folded (true) or opened, by id. All others are as by default:
  /// PYTHON, DISK, GC folded where there is anything else, devices where they do not fit.
  std::map<std::string, bool> folds;
  std::map<std::uint32_t, RowHeights> heights;
  std::set<std::uint32_t> hidden;
  std::vector<std::uint32_t> pinned;  ///< On top, in this order.
  std::vector<TrackMove> moves;       ///< Applied one after another.
  bool operator==(const TrackChanges&) const = default;
};

/// The groups of the tracks as `changes` has them: moved, without what is hidden, what is pinned in
/// a group of its own on top. A device whose tracks are all pinned stays together there. Costs
/// O(n log n), and O(n) for each move.
std::vector<TrackGroup> changed_groups(std::span<const LayoutTrack> tracks,
                                       const TrackChanges& changes);

}  // namespace bytescope::render
