#include "render/track_units.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bytescope::render {
namespace {

/// The rows of a unit: first and one past the last.
struct UnitRows {
  std::size_t first = 0;
  std::size_t last = 0;
};

bool is_of_a_unit(const TrackRow& row) { return row.track != TrackRow::none; }

/// The units of the group that a row is of, from the top.
std::vector<UnitRows> units_beside(const TrackLayout& layout, std::size_t row) {
  std::vector<UnitRows> units;
  for (std::size_t i = 0; i < layout.rows.size(); ++i) {
    const TrackRow& at = layout.rows[i];
    if (at.group != layout.rows[row].group || !is_of_a_unit(at)) continue;
    if (units.empty() || layout.rows[units.back().first].unit != at.unit) units.push_back({i, i});
    units.back().last = i + 1;
  }
  return units;
}

std::size_t place_of_unit(const TrackLayout& layout, const std::vector<UnitRows>& units,
                          std::size_t row) {
  const auto found = std::find_if(units.begin(), units.end(), [&](const UnitRows& unit) {
    return layout.rows[unit.first].unit == layout.rows[row].unit;
  });
  return static_cast<std::size_t>(found - units.begin());
}

/// The place before unit `to` of `units`, or behind the last.
DropPlace place_before(const TrackLayout& layout, const std::vector<UnitRows>& units,
                       std::size_t from, std::size_t to) {
  DropPlace place;
  place.stays = to == from || to == from + 1;
  if (to < units.size()) {
    place.line_px = layout.rows[units[to].first].top_px;
    place.before = layout.rows[units[to].first].track;
  } else {
    place.line_px = layout.rows[units.back().last - 1].bottom_px();
  }
  return place;
}

void append_tracks(const TrackRow& row, std::vector<std::uint32_t>& tracks) {
  if (row.folded) {
    tracks.insert(tracks.end(), row.folded_tracks.begin(), row.folded_tracks.end());
  } else if (is_of_a_unit(row)) {
    tracks.push_back(row.track);
  }
}

}  // namespace

std::vector<std::uint32_t> tracks_of_row(const TrackLayout& layout, std::size_t row) {
  std::vector<std::uint32_t> tracks;
  const TrackRow& of = layout.rows[row];
  if (of.heads_file && !of.folded) {
    for (std::size_t i = row + 1; i < layout.rows.size() && !layout.rows[i].heads_file; ++i)
      append_tracks(layout.rows[i], tracks);
    return tracks;
  }
  const bool whole_group = of.kind == RowKind::header;
  const bool whole_unit = of.heads_unit && !of.folded;
  if (!whole_group && !whole_unit) {
    append_tracks(of, tracks);
    return tracks;
  }
  for (const TrackRow& other : layout.rows) {
    const bool belongs =
        whole_group ? other.group == of.group : is_of_a_unit(other) && other.unit == of.unit;
    if (belongs) append_tracks(other, tracks);
  }
  return tracks;
}

std::optional<DropPlace> drop_place(const TrackLayout& layout, std::size_t row, double y_px) {
  if (!is_of_a_unit(layout.rows[row])) return std::nullopt;
  const std::vector<UnitRows> units = units_beside(layout, row);
  const std::size_t from = place_of_unit(layout, units, row);
  DropPlace best = place_before(layout, units, from, 0);
  for (std::size_t to = 1; to <= units.size(); ++to) {
    const DropPlace place = place_before(layout, units, from, to);
    if (std::abs(place.line_px - y_px) < std::abs(best.line_px - y_px)) best = place;
  }
  return best;
}

std::optional<DropPlace> next_place(const TrackLayout& layout, std::size_t row, int step) {
  if (!is_of_a_unit(layout.rows[row])) return std::nullopt;
  const std::vector<UnitRows> units = units_beside(layout, row);
  const std::size_t from = place_of_unit(layout, units, row);
  if (step < 0 ? from == 0 : from + 1 >= units.size()) return std::nullopt;
  return place_before(layout, units, from, step < 0 ? from - 1 : from + 2);
}

TrackChanges with_fold_switched(TrackChanges changes, const TrackRow& row) {
  if (!row.fold_id.empty()) changes.folds[row.fold_id] = !row.folded;
  return changes;
}

TrackChanges with_expansion_switched(TrackChanges changes, const TrackRow& row) {
  if (is_of_a_unit(row) && changes.expanded.erase(row.track) == 0)
    changes.expanded.insert(row.track);
  return changes;
}

TrackChanges with_unit_moved(TrackChanges changes, const TrackLayout& layout, std::size_t row,
                             const DropPlace& place) {
  if (place.stays) return changes;
  const TrackRow& of = layout.rows[row];
  std::vector<std::uint32_t>& pinned = changes.pinned;
  if (std::find(pinned.begin(), pinned.end(), of.track) == pinned.end()) {
    changes.moves.push_back({of.track, place.before});
    return changes;
  }
  std::vector<std::uint32_t> moved;
  for (const TrackRow& other : layout.rows)
    if (is_of_a_unit(other) && other.unit == of.unit) append_tracks(other, moved);
  std::erase_if(pinned, [&](std::uint32_t track) {
    return std::find(moved.begin(), moved.end(), track) != moved.end();
  });
  const auto at =
      place.before ? std::find(pinned.begin(), pinned.end(), *place.before) : pinned.end();
  pinned.insert(at, moved.begin(), moved.end());
  return changes;
}

}  // namespace bytescope::render
