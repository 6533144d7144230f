#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "render/track_changes.h"
#include "render/track_groups.h"

namespace bytescope::render {

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
  std::uint32_t group = 0;  ///< Number of its group.
  std::uint32_t unit = 0;   ///< Number of its unit; every second one has another background.
  bool heads_file = false;  ///< Tells the file, in a merged trace, that the rows below come from.
  bool heads_unit = false;  ///< The first, or the only one shown, of several tracks of a unit.
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
  std::size_t pinned_rows = 0;   ///< The first so many rows stay in sight while others scroll …
  double pinned_px = 0;          ///< … and are so tall together.
  std::size_t hidden_tracks = 0;
  double memory_px = 40;  ///< What collapsed memory rows have got.
  double kernel_px = 30;  ///< The same for kernel lanes.
  /// Of each track the row that shows it or that it is folded into; none for hidden ones.
  std::vector<std::uint32_t> row_of_track;

  /// The number of the row that shows a track or that it is folded into; none for hidden ones and
  /// for numbers of no track. Costs O(1).
  std::optional<std::size_t> row_of(std::uint32_t track) const {
    if (track >= row_of_track.size() || row_of_track[track] >= rows.size()) return std::nullopt;
    return row_of_track[track];
  }
  /// Rows that touch [y0, y1): first and one past the last. Costs O(log n).
  std::pair<std::size_t, std::size_t> rows_between(double y0_px, double y1_px) const;
  /// The row at `y_px`, if it is not in a gap.
  std::optional<std::size_t> row_at(double y_px) const;

  /// The position of a place that is seen `y_px` below the upper edge of the area while the rows
  /// are scrolled by `scroll_px`: what is pinned does not scroll.
  double position_px(double y_px, double scroll_px) const {
    return y_px < pinned_px ? y_px : y_px + scroll_px;
  }
  /// How far below the upper edge of the area the top of a row is seen.
  double seen_top_px(std::size_t row, double scroll_px) const {
    return row < pinned_rows ? rows[row].top_px : rows[row].top_px - scroll_px;
  }
};

/// Lays out the tracks for a window that has `height_px` for them. When they do not fit, memory
/// rows shrink, then kernel lanes, both to their least; then devices fold, from the last one, until
/// what is left fits in `fold_height_px`; the rest is scrolled. Opened and resized rows do not
/// count for that, and neither do devices that somebody opened, so that opening one leaves all
/// others as they are. Costs O(n log n) for n tracks, however many lanes they have.
TrackLayout layout_tracks(std::span<const LayoutTrack> tracks, const TrackChanges& changes,
                          double height_px, double fold_height_px);
inline TrackLayout layout_tracks(std::span<const LayoutTrack> tracks, const TrackChanges& changes,
                                 double height_px) {
  return layout_tracks(tracks, changes, height_px, height_px);
}

}  // namespace bytescope::render
