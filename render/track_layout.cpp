#include "render/track_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace bytescope::render {
namespace {

using bytepack::TrackKind;
using trace::TrackRole;

constexpr double header_px = 20;
constexpr double folded_unit_px = 22;
constexpr double stack_px = 320;
constexpr double line_px = 40;
constexpr double lane_gap_px = 1;
constexpr double extra_lane_px = 16;
constexpr double track_gap_px = 2;
constexpr double least_row_px = 10;
constexpr double greatest_row_px = 4000;
constexpr double greatest_memory_px = 40;
constexpr double least_memory_px = 26;
constexpr double greatest_kernel_px = 30;
constexpr double least_kernel_px = 22;

/// What the fit rule decides.
struct Fit {
  double memory_px = greatest_memory_px;
  double kernel_px = greatest_kernel_px;
};

/// How the lanes of a role are drawn.
struct LaneForm {
  double first_px;
  double other_px;
  std::uint32_t most_collapsed;  ///< Lanes shown at most while collapsed.
};

LaneForm lane_form(TrackRole role, bool expanded, const Fit& fit) {
  switch (role) {
    case TrackRole::device: return {fit.kernel_px, extra_lane_px, 3};
    case TrackRole::graph: return {15, 15, 1};
    case TrackRole::tiny: return {13, 13, 5};
    case TrackRole::copy_engine:
      if (!expanded) return {10, 10, 1};
      return {extra_lane_px, extra_lane_px, 1};
    default: return {extra_lane_px, extra_lane_px, 3};
  }
}

/// Room below the last row of a unit.
double gap_below_px(GroupKind kind, bool graph) {
  if (kind != GroupKind::family) return 4;
  return graph ? 5 : 6;
}

/// Numbers the units and finds those of tracks.
class UnitFinder {
public:
  explicit UnitFinder(const std::vector<TrackGroup>& groups) {
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const TrackUnit& unit : groups[g].units)
        for (const GroupedTrack& member : unit.tracks) group_of_track_[member.track] = g;
  }
  std::optional<std::size_t> group(std::uint32_t track) const {
    const auto found = group_of_track_.find(track);
    if (found == group_of_track_.end()) return std::nullopt;
    return found->second;
  }

private:
  std::unordered_map<std::uint32_t, std::size_t> group_of_track_;
};

auto unit_with(std::vector<TrackUnit>& units, std::uint32_t track) {
  return std::find_if(units.begin(), units.end(), [track](const TrackUnit& unit) {
    return std::any_of(unit.tracks.begin(), unit.tracks.end(),
                       [track](const GroupedTrack& member) { return member.track == track; });
  });
}

void apply_moves(std::vector<TrackGroup>& groups, const std::vector<TrackMove>& moves) {
  if (moves.empty()) return;
  const UnitFinder finder(groups);
  for (const TrackMove& move : moves) {
    const std::optional<std::size_t> group = finder.group(move.track);
    if (!group || (move.before && finder.group(*move.before) != group)) continue;
    std::vector<TrackUnit>& units = groups[*group].units;
    const auto from = unit_with(units, move.track);
    const auto to = move.before ? unit_with(units, *move.before) : units.end();
    if (from < to) {
      std::rotate(from, from + 1, to);
    } else {
      std::rotate(to, from, from + 1);
    }
  }
}

/// Takes the tracks for which `gone` holds out of their groups; what is empty then goes too.
template <class Predicate>
void remove_tracks(std::vector<TrackGroup>& groups, Predicate gone) {
  for (TrackGroup& group : groups) {
    for (TrackUnit& unit : group.units)
      std::erase_if(unit.tracks, [&](const GroupedTrack& member) { return gone(member.track); });
    std::erase_if(group.units, [](const TrackUnit& unit) { return unit.tracks.empty(); });
  }
  std::erase_if(groups, [](const TrackGroup& group) { return group.units.empty(); });
}

void pull_pinned(std::vector<TrackGroup>& groups, std::span<const LayoutTrack> tracks,
                 const TrackChanges& changes) {
  TrackGroup top = {GroupKind::pinned, "pinned", "PINNED", {}};
  std::set<std::uint32_t> pinned;
  for (const std::uint32_t track : changes.pinned) {
    if (track >= tracks.size() || changes.hidden.contains(track)) continue;
    if (!pinned.insert(track).second) continue;
    const std::string name = tracks[track].name.empty() ? "(no name)" : tracks[track].name;
    top.units.push_back({"pinned " + std::to_string(track), name, {{track, name, 1}}});
  }
  if (pinned.empty()) return;
  remove_tracks(groups, [&](std::uint32_t track) { return pinned.contains(track); });
  groups.insert(groups.begin(), std::move(top));
}

std::vector<TrackGroup> changed_groups(std::span<const LayoutTrack> tracks,
                                       const TrackChanges& changes) {
  std::vector<TrackGroup> groups = group_tracks(tracks);
  apply_moves(groups, changes.moves);
  if (!changes.hidden.empty())
    remove_tracks(groups, [&](std::uint32_t track) { return changes.hidden.contains(track); });
  pull_pinned(groups, tracks, changes);
  return groups;
}

/// Puts groups below each other.
class Placer {
public:
  Placer(std::span<const LayoutTrack> tracks, const TrackChanges& changes, const Fit& fit,
         bool plain)
      : tracks_(tracks), changes_(changes), fit_(fit), plain_(plain) {
    layout_.row_of_track.assign(tracks.size(), TrackRow::none);
    layout_.memory_px = fit.memory_px;
    layout_.kernel_px = fit.kernel_px;
  }

  TrackLayout place(const std::vector<TrackGroup>& groups) {
    for (const TrackGroup& group : groups) place_group(group, groups.size() == 1);
    layout_.height_px = y_px_;
    return std::move(layout_);
  }

private:
  bool is_folded(const std::string& id, bool by_default) const {
    return by_default != (changes_.toggled.contains(id));
  }
  bool is_expanded(std::uint32_t track) const {
    return !plain_ && changes_.expanded.contains(track);
  }
  double dragged_px(std::uint32_t track) const {
    const auto found = changes_.heights.find(track);
    if (plain_ || found == changes_.heights.end()) return 0;
    return is_expanded(track) ? found->second.expanded_px : found->second.collapsed_px;
  }

  void place_group(const TrackGroup& group, bool alone) {
    const bool folded = is_folded(group.id, group.kind == GroupKind::minor && !alone);
    if (folded && !group.title.empty()) {
      place_folded_group(group);
    } else {
      if (!group.title.empty()) place_header(group);
      for (const TrackUnit& unit : group.units) place_unit(unit, group.kind);
    }
    if (layout_.rules_px.empty() || layout_.rules_px.back() < y_px_ - 1) add_rule();
  }

  void place_header(const TrackGroup& group) {
    TrackRow row;
    row.kind = RowKind::header;
    row.label = group.title;
    row.fold_id = group.id;
    row.first_lane_px = header_px;
    push(std::move(row));
  }

  void place_folded_group(const TrackGroup& group) {
    TrackRow row;
    row.kind = RowKind::folded;
    row.label = group.title;
    row.fold_id = group.id;
    row.folded = true;
    row.first_lane_px = header_px;
    for (const TrackUnit& unit : group.units)
      for (const GroupedTrack& member : unit.tracks) row.folded_tracks.push_back(member.track);
    push(std::move(row));
    y_px_ += 1;
  }

  void place_unit(const TrackUnit& unit, GroupKind kind) {
    ++unit_;
    const bool graph = tracks_[unit.tracks.front().track].role == TrackRole::graph;
    if (unit.tracks.size() > 1 && is_folded(unit.id, false)) {
      place_folded_unit(unit);
    } else {
      for (const GroupedTrack& member : unit.tracks) {
        if (&member != &unit.tracks.front()) y_px_ += track_gap_px;
        place_track(member, unit);
      }
    }
    y_px_ += gap_below_px(kind, graph);
    if (kind == GroupKind::family && !graph) add_rule();
  }

  /// A folded device: its kernels as one lane, else a row without a track.
  void place_folded_unit(const TrackUnit& unit) {
    TrackRow row;
    const GroupedTrack& first = unit.tracks.front();
    const bool kernels = tracks_[first.track].kind == TrackKind::spans;
    row.kind = kernels ? RowKind::spans : RowKind::folded;
    row.role = tracks_[first.track].role;
    row.track = kernels ? first.track : TrackRow::none;
    row.label = unit.label;
    row.fold_id = unit.id;
    row.indent = 1;
    row.folded = true;
    row.first_lane_px = folded_unit_px;
    for (const GroupedTrack& member : unit.tracks) row.folded_tracks.push_back(member.track);
    push(std::move(row));
  }

  void place_track(const GroupedTrack& member, const TrackUnit& unit) {
    const LayoutTrack& track = tracks_[member.track];
    TrackRow row;
    row.role = track.role;
    row.track = member.track;
    row.label = member.label;
    row.fold_id = unit.id;
    row.indent = member.indent;
    row.expanded = is_expanded(member.track);
    if (track.kind == TrackKind::spans) {
      set_lanes(row, track);
    } else {
      set_area(row, track);
    }
    push(std::move(row));
  }

  void set_lanes(TrackRow& row, const LayoutTrack& track) const {
    const LaneForm form = lane_form(track.role, row.expanded, fit_);
    const std::uint32_t lanes = std::max(track.lane_count, 1U);
    row.kind = RowKind::spans;
    row.shown_lanes = row.expanded ? lanes : std::min(lanes, form.most_collapsed);
    row.hidden_lanes = lanes - row.shown_lanes;
    row.first_lane_px = form.first_px;
    row.lane_px = form.other_px;
    const double dragged = dragged_px(row.track);
    if (dragged <= 0) return;
    const double others = row.lane_top_px(row.shown_lanes) - row.first_lane_px - lane_gap_px;
    row.first_lane_px = std::clamp(dragged - others, least_row_px, greatest_row_px);
  }

  void set_area(TrackRow& row, const LayoutTrack& track) const {
    const bool memory = track.kind == TrackKind::memory;
    row.kind = memory ? RowKind::memory : RowKind::line;
    row.first_lane_px = memory ? fit_.memory_px : line_px;
    if (row.expanded) row.first_lane_px = memory ? stack_px : 3 * line_px;
    const double dragged = dragged_px(row.track);
    if (dragged > 0) row.first_lane_px = std::clamp(dragged, least_memory_px, greatest_row_px);
  }

  void push(TrackRow row) {
    const auto index = static_cast<std::uint32_t>(layout_.rows.size());
    for (const std::uint32_t track : row.folded_tracks) layout_.row_of_track[track] = index;
    if (row.track != TrackRow::none) layout_.row_of_track[row.track] = index;
    row.unit = unit_;
    row.top_px = y_px_;
    row.height_px = row.lane_top_px(row.shown_lanes) - lane_gap_px;
    y_px_ += row.height_px;
    layout_.rows.push_back(std::move(row));
  }

  void add_rule() { layout_.rules_px.push_back(y_px_ - 1); }

  std::span<const LayoutTrack> tracks_;
  const TrackChanges& changes_;
  Fit fit_;
  bool plain_;
  TrackLayout layout_;
  double y_px_ = 0;
  std::uint32_t unit_ = 0;
};

/// What `count` rows between `least` and `greatest` must be for all to lose `excess`.
double shrunk(double& excess_px, std::size_t count, double least_px, double greatest_px) {
  if (count == 0 || excess_px <= 0) return greatest_px;
  const double each =
      std::min(std::ceil(excess_px / static_cast<double>(count)), greatest_px - least_px);
  excess_px -= each * static_cast<double>(count);
  return greatest_px - each;
}

Fit fit_for(const TrackLayout& full, double height_px) {
  std::size_t memory_rows = 0;
  std::size_t kernel_rows = 0;
  for (const TrackRow& row : full.rows) {
    if (row.kind == RowKind::memory) ++memory_rows;
    if (row.kind == RowKind::spans && row.role == TrackRole::device && !row.folded) ++kernel_rows;
  }
  double excess = full.height_px - height_px;
  Fit fit;
  fit.memory_px = shrunk(excess, memory_rows, least_memory_px, greatest_memory_px);
  fit.kernel_px = shrunk(excess, kernel_rows, least_kernel_px, greatest_kernel_px);
  return fit;
}

}  // namespace

double TrackRow::lane_top_px(std::uint32_t lane) const {
  if (lane == 0) return 0;
  return first_lane_px + lane_gap_px + static_cast<double>(lane - 1) * (lane_px + lane_gap_px);
}

std::optional<std::uint32_t> TrackRow::lane_at(double y_px) const {
  if (!(y_px >= 0) || y_px >= height_px) return std::nullopt;
  if (y_px < first_lane_px) return 0;
  const double below = y_px - first_lane_px - lane_gap_px;
  if (below < 0) return std::nullopt;
  const auto lane = 1 + static_cast<std::uint32_t>(below / (lane_px + lane_gap_px));
  if (y_px >= lane_top_px(lane) + lane_px) return std::nullopt;
  return lane;
}

std::pair<std::size_t, std::size_t> TrackLayout::rows_between(double y0_px, double y1_px) const {
  const auto ends_by = [](const TrackRow& row, double y) { return row.bottom_px() <= y; };
  const auto starts_by = [](const TrackRow& row, double y) { return row.top_px < y; };
  const auto first = std::lower_bound(rows.begin(), rows.end(), y0_px, ends_by);
  const auto last = std::lower_bound(first, rows.end(), y1_px, starts_by);
  return {static_cast<std::size_t>(first - rows.begin()),
          static_cast<std::size_t>(last - rows.begin())};
}

std::optional<std::size_t> TrackLayout::row_at(double y_px) const {
  const std::size_t first = rows_between(y_px, y_px).first;
  if (first == rows.size() || rows[first].top_px > y_px) return std::nullopt;
  return first;
}

TrackLayout layout_tracks(std::span<const LayoutTrack> tracks, const TrackChanges& changes,
                          double height_px) {
  const std::vector<TrackGroup> groups = changed_groups(tracks, changes);
  const TrackLayout full = Placer(tracks, changes, Fit(), /*plain=*/true).place(groups);
  const Fit fit = fit_for(full, height_px);
  return Placer(tracks, changes, fit, /*plain=*/false).place(groups);
}

}  // namespace bytescope::render
