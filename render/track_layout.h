#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
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
  /// Ids of groups and units that are not as they are by default (PYTHON, DISK, GC folded where
  /// there is anything else, all others open).
  std::set<std::string> toggled;
  std::map<std::uint32_t, RowHeights> heights;
  std::set<std::uint32_t> hidden;
  std::vector<std::uint32_t> pinned;  ///< On top, in this order.
  std::vector<TrackMove> moves;       ///< Applied one after another.
  bool operator==(const TrackChanges&) const = default;
};

enum class RowKind : std::uint8_t {
  header,  ///< A group's title; its track is none.
  folded,  ///< Stands for several tracks; its track is none.
  spans,
  memory,
  line,
};

/// A row of the window. Positions count from the top of all rows, in logical pixels.
struct TrackRow {
  static constexpr std::uint32_t none = UINT32_MAX;

  RowKind kind = RowKind::spans;
  trace::TrackRole role = trace::TrackRole::device;
  std::uint32_t track = none;
  double top_px = 0;
  double height_px = 0;
  std::string label;
  std::string fold_id;  ///< What a click on a header or folded row toggles; else the row's unit.
  std::uint32_t indent = 0;
  std::uint32_t unit = 0;  ///< Number of its unit; every second one has another background.
  bool expanded = false;
  bool folded = false;                       ///< Its group or unit shows nothing but this row.
  std::vector<std::uint32_t> folded_tracks;  ///< What a folded row stands for.
  std::uint32_t shown_lanes = 1;
  std::uint32_t hidden_lanes = 0;  ///< Shown as `+n`.
  double first_lane_px = 0;
  double lane_px = 0;  ///< Of the lanes after the first.

  double bottom_px() const { return top_px + height_px; }
  /// Top of lane `lane`, counted from the row's.
  double lane_top_px(std::uint32_t lane) const;
  double lane_height_px(std::uint32_t lane) const { return lane == 0 ? first_lane_px : lane_px; }
  /// The lane at `y_px` from the row's top, if it is not in a gap between lanes.
  std::optional<std::uint32_t> lane_at(double y_px) const;
};

/// Rows from top to bottom, none overlapping another.
struct TrackLayout {
  std::vector<TrackRow> rows;
  std::vector<double> rules_px;  ///< Tops of the 1 px rules between units, ascending.
  double height_px = 0;          ///< Of everything.
  double memory_px = 40;         ///< What collapsed memory rows have got.
  double kernel_px = 30;         ///< The same for kernel lanes.
  /// Of each track the row that shows it or that it is folded into; none for hidden ones.
  std::vector<std::uint32_t> row_of_track;

  /// Rows that touch [y0, y1): first and one past the last. Costs O(log n).
  std::pair<std::size_t, std::size_t> rows_between(double y0_px, double y1_px) const;
  /// The row at `y_px`, if it is not in a gap.
  std::optional<std::size_t> row_at(double y_px) const;
};

/// Lays out the tracks for a window that has `height_px` for them. When they do not fit, memory
/// rows shrink, then kernel lanes, both to their least; what then does not fit is scrolled. Opened
/// and resized rows do not count for that, so that opening one leaves all others as they are. Costs
/// O(n log n) for n tracks, however many lanes they have.
TrackLayout layout_tracks(std::span<const LayoutTrack> tracks, const TrackChanges& changes,
                          double height_px);

}  // namespace bytescope::render
