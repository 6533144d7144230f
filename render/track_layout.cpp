#include "render/track_layout.h"

#include <algorithm>
#include <set>
#include <utility>

#include "render/track_fit.h"

namespace bytescope::render {
namespace {

using bytepack::TrackKind;
using trace::TrackRole;

constexpr double header_px = 20;
constexpr double file_px = 24;
constexpr double folded_unit_px = 22;
constexpr double stack_px = 320;
constexpr double line_px = 40;
constexpr double lane_gap_px = 1;
constexpr double extra_lane_px = 16;
constexpr double track_gap_px = 2;
constexpr double least_row_px = 10;
constexpr double greatest_row_px = 4000;

/// Pinned rows take at most that much of the window; more of them scroll with the rest.
constexpr double most_pinned_share = 0.6;

/// How the lanes of a role are drawn.
struct LaneForm {
  double first_px;
  double other_px;
  std::uint32_t most_collapsed;  ///< Lanes shown at most while collapsed.
};

LaneForm lane_form(TrackRole role, bool expanded, bool close, const Fit& fit) {
  switch (role) {
    case TrackRole::device: return {fit.kernel_px, extra_lane_px, 3};
    case TrackRole::graph: return {15, 15, 1};
    case TrackRole::tiny: return {13, 13, 5};
    case TrackRole::copy_engine:
      if (expanded) return {extra_lane_px, extra_lane_px, 1};
      return {close ? fit.close_copies_px : copies_px, copies_px, 1};
    default: return {extra_lane_px, extra_lane_px, 3};
  }
}

/// Room below the last row of a unit.
double gap_below_px(GroupKind kind, bool graph, bool folded) {
  if (kind != GroupKind::family) return 4;
  if (folded) return 2;
  return graph ? 5 : 6;
}

std::string file_fold_id(const std::string& file) { return "file " + file; }

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
    for (const TrackGroup& group : groups) {
      if (place_file(groups)) place_group(group, groups.size() == 1);
      if (group.kind == GroupKind::pinned) layout_.pinned_px = y_px_;
      ++group_;
    }
    layout_.height_px = y_px_;
    return std::move(layout_);
  }

private:
  bool is_folded(const std::string& id, bool by_default) const {
    const auto wanted = changes_.folds.find(id);
    return wanted == changes_.folds.end() ? by_default : wanted->second;
  }
  /// What somebody opened a track of does not fold by itself, and a device that somebody opened
  /// does not either: but the fit rule counts as if both were as they are by default.
  bool is_folded(const TrackUnit& unit) const {
    if (unit.tracks.size() < 2) return false;
    const bool has_to = fit_.folded.contains(unit.id);
    if (plain_) return has_to || is_folded(unit.id, false);
    const bool is_used = std::any_of(
        unit.tracks.begin(), unit.tracks.end(),
        [&](const GroupedTrack& member) { return changes_.expanded.contains(member.track); });
    return is_folded(unit.id, has_to && !is_used);
  }
  bool is_expanded(std::uint32_t track) const {
    return !plain_ && changes_.expanded.contains(track);
  }
  double dragged_px(std::uint32_t track) const {
    const auto found = changes_.heights.find(track);
    if (plain_ || found == changes_.heights.end()) return 0;
    return is_expanded(track) ? found->second.expanded_px : found->second.collapsed_px;
  }

  /// In front of the first group of a file in a merged trace: its name. False where its tracks are
  /// folded into that row.
  bool place_file(const std::vector<TrackGroup>& groups) {
    const TrackGroup& group = groups[group_];
    if (group.file.empty()) return true;
    const std::string id = file_fold_id(group.file);
    const bool folded = is_folded(id, false);
    if (group_ != 0 && groups[group_ - 1].file == group.file) return !folded;
    TrackRow row;
    row.kind = folded ? RowKind::folded : RowKind::header;
    row.label = group.file;
    row.fold_id = id;
    row.heads_file = true;
    row.folded = folded;
    row.first_lane_px = file_px;
    for (const TrackGroup& other : groups)
      if (folded && other.file == group.file) append_tracks(other, row.folded_tracks);
    push(std::move(row));
    add_rule();
    return !folded;
  }

  static void append_tracks(const TrackGroup& group, std::vector<std::uint32_t>& tracks) {
    for (const TrackUnit& unit : group.units)
      for (const GroupedTrack& member : unit.tracks) tracks.push_back(member.track);
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
    append_tracks(group, row.folded_tracks);
    push(std::move(row));
    y_px_ += 1;
  }

  void place_unit(const TrackUnit& unit, GroupKind kind) {
    ++unit_;
    const bool graph = tracks_[unit.tracks.front().track].role == TrackRole::graph;
    const bool folded = is_folded(unit);
    if (folded) {
      place_folded_unit(unit);
    } else {
      for (const GroupedTrack& member : unit.tracks) {
        if (&member != &unit.tracks.front()) y_px_ += track_gap_px;
        place_track(member, unit);
      }
    }
    y_px_ += gap_below_px(kind, graph, folded);
    if (kind == GroupKind::family && !graph) add_rule();
  }

  /// A folded device: a row that shows its first track, the kernels where it has any.
  void place_folded_unit(const TrackUnit& unit) {
    TrackRow row;
    const LayoutTrack& first = tracks_[unit.tracks.front().track];
    row.kind = first.kind == TrackKind::spans    ? RowKind::spans
               : first.kind == TrackKind::memory ? RowKind::memory
                                                 : RowKind::line;
    row.role = first.role;
    row.track = unit.tracks.front().track;
    row.label = unit.label;
    row.fold_id = unit.id;
    row.indent = 1;
    row.folded = true;
    row.heads_unit = true;
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
    row.heads_unit = unit.tracks.size() > 1 && &member == &unit.tracks.front();
    if (track.kind == TrackKind::spans) {
      set_lanes(row, track, has_several_engines(unit));
    } else {
      set_area(row, track);
    }
    push(std::move(row));
  }

  bool has_several_engines(const TrackUnit& unit) const {
    return std::count_if(unit.tracks.begin(), unit.tracks.end(), [&](const GroupedTrack& member) {
             return tracks_[member.track].role == TrackRole::copy_engine;
           }) > 1;
  }

  /// `close`: another row of its kind may stand beside it.
  void set_lanes(TrackRow& row, const LayoutTrack& track, bool close) const {
    const LaneForm form = lane_form(track.role, row.expanded, close, fit_);
    const std::uint32_t lanes = std::max(track.lane_count, 1U);
    row.kind = RowKind::spans;
    row.shown_lanes = row.expanded ? lanes : std::min(lanes, form.most_collapsed);
    row.hidden_lanes = lanes - row.shown_lanes;
    row.first_lane_px = form.first_px;
    row.lane_px = form.other_px;
    const double dragged = dragged_px(row.track);
    if (dragged <= 0) return;
    // All lanes of a row grow and shrink alike.
    const double gaps = lane_gap_px * (row.shown_lanes - 1);
    const double factor =
        (dragged - gaps) / (row.lane_top_px(row.shown_lanes) - lane_gap_px - gaps);
    const double greatest = greatest_row_px / row.shown_lanes;
    row.first_lane_px = std::clamp(row.first_lane_px * factor, least_row_px, greatest);
    row.lane_px = std::clamp(row.lane_px * factor, least_row_px, greatest);
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
    row.group = group_;
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
  std::uint32_t group_ = 0;
  std::uint32_t unit_ = 0;
};

/// The devices, from the last, that fold for the others to fit into `height_px`.
std::set<std::string> folded_to_fit(const TrackLayout& least, const std::vector<TrackGroup>& groups,
                                    double height_px) {
  std::set<std::string> folded;
  double excess = least.height_px - height_px;
  for (std::size_t end = least.rows.size(); end > 0 && excess > 0;) {
    // Headers and folded groups have the number of the unit before them.
    const auto belongs = [&](const TrackRow& row) {
      return row.track != TrackRow::none && row.unit == least.rows[end - 1].unit;
    };
    std::size_t begin = end - 1;
    while (begin > 0 && belongs(least.rows[end - 1]) && belongs(least.rows[begin - 1])) --begin;
    const TrackRow& first = least.rows[begin];
    if (first.heads_unit && !first.folded && groups[first.group].kind == GroupKind::family) {
      excess -= least.rows[end - 1].bottom_px() - first.top_px - folded_unit_px +
                gap_below_px(GroupKind::family, false, false) -
                gap_below_px(GroupKind::family, false, true);
      folded.insert(first.fold_id);
    }
    end = begin;
  }
  return folded;
}

/// The pinned rows that stay in sight: whole ones, with what is below the last.
void set_pinned(TrackLayout& layout, double height_px) {
  const double most_px = most_pinned_share * height_px;
  const double all_px = std::exchange(layout.pinned_px, 0);
  while (layout.pinned_rows < layout.rows.size()) {
    const TrackRow& row = layout.rows[layout.pinned_rows];
    if (row.top_px >= all_px || row.bottom_px() > most_px) return;
    ++layout.pinned_rows;
    const bool is_last = layout.pinned_rows == layout.rows.size() ||
                         layout.rows[layout.pinned_rows].top_px >= all_px;
    layout.pinned_px = is_last ? all_px : layout.rows[layout.pinned_rows].top_px;
  }
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
                          double height_px, double fold_height_px) {
  const std::vector<TrackGroup> groups = changed_groups(tracks, changes);
  const auto placed = [&](const Fit& fit, bool plain) {
    return Placer(tracks, changes, fit, plain).place(groups);
  };
  std::set<std::string> folded;
  const TrackLayout least =
      placed({least_memory_px, least_kernel_px, copies_px, {}}, /*plain=*/true);
  if (least.height_px > fold_height_px) folded = folded_to_fit(least, groups, fold_height_px);
  const Fit greatest = {greatest_memory_px, greatest_kernel_px, greatest_close_copies_px, folded};
  Fit fit = fit_for(placed(greatest, /*plain=*/true), height_px);
  fit.folded = std::move(folded);
  TrackLayout layout = placed(fit, /*plain=*/false);
  set_pinned(layout, height_px);
  layout.hidden_tracks = static_cast<std::size_t>(
      std::count_if(changes.hidden.begin(), changes.hidden.end(),
                    [&](std::uint32_t track) { return track < tracks.size(); }));
  return layout;
}

}  // namespace bytescope::render
