#include "render/track_changes.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace bytescope::render {
namespace {

using GroupOfTrack = std::unordered_map<std::uint32_t, std::size_t>;

GroupOfTrack group_of_tracks(const std::vector<TrackGroup>& groups) {
  GroupOfTrack group_of_track;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const TrackUnit& unit : groups[g].units)
      for (const GroupedTrack& member : unit.tracks) group_of_track[member.track] = g;
  return group_of_track;
}

auto unit_with(std::vector<TrackUnit>& units, std::uint32_t track) {
  return std::find_if(units.begin(), units.end(), [track](const TrackUnit& unit) {
    return std::any_of(unit.tracks.begin(), unit.tracks.end(),
                       [track](const GroupedTrack& member) { return member.track == track; });
  });
}

void apply_moves(std::vector<TrackGroup>& groups, const std::vector<TrackMove>& moves) {
  if (moves.empty()) return;
  const GroupOfTrack group_of_track = group_of_tracks(groups);
  for (const TrackMove& move : moves) {
    const auto group = group_of_track.find(move.track);
    if (group == group_of_track.end()) continue;
    std::vector<TrackUnit>& units = groups[group->second].units;
    const auto from = unit_with(units, move.track);
    const auto to = move.before ? unit_with(units, *move.before) : units.end();
    if (move.before && to == units.end()) continue;  // in another group
    if (from < to) {
      std::rotate(from, from + 1, to);
    } else {
      std::rotate(to, from, from + 1);
    }
  }
}

/// Without the row of its device above, every row says whose it is.
void name_after_unit(TrackUnit& unit) {
  if (unit.tracks.empty() || unit.tracks.front().indent < 2) return;
  for (GroupedTrack& member : unit.tracks) {
    if (member.indent < 2) continue;
    member.label = unit.label + " " + member.label;
    member.indent = 1;
  }
}

/// Takes the tracks for which `gone` holds out of their groups; what is empty then goes too.
template <class Predicate>
void remove_tracks(std::vector<TrackGroup>& groups, Predicate gone) {
  for (TrackGroup& group : groups) {
    for (TrackUnit& unit : group.units) {
      std::erase_if(unit.tracks, [&](const GroupedTrack& member) { return gone(member.track); });
      name_after_unit(unit);
    }
    std::erase_if(group.units, [](const TrackUnit& unit) { return unit.tracks.empty(); });
  }
  std::erase_if(groups, [](const TrackGroup& group) { return group.units.empty(); });
}

void put_file_in_front(std::string_view file, TrackUnit& unit) {
  if (file.empty()) return;
  for (std::string* label : {&unit.label, &unit.tracks.front().label}) {
    label->insert(0, "/");
    label->insert(0, file);
  }
}

/// What is pinned, as the units of a group of its own, in the order of pinning.
std::vector<TrackUnit> pinned_units(const std::vector<TrackGroup>& groups,
                                    std::span<const LayoutTrack> tracks,
                                    const std::vector<std::uint32_t>& order,
                                    const std::set<std::uint32_t>& pinned) {
  std::unordered_map<std::uint32_t, const TrackUnit*> unit_of_track;
  for (const TrackGroup& group : groups)
    for (const TrackUnit& unit : group.units)
      for (const GroupedTrack& member : unit.tracks) unit_of_track[member.track] = &unit;
  std::vector<TrackUnit> units;
  std::set<std::uint32_t> placed;
  for (const std::uint32_t track : order) {
    if (!pinned.contains(track) || !placed.insert(track).second) continue;
    const TrackUnit& unit = *unit_of_track.at(track);
    const bool is_whole =
        std::all_of(unit.tracks.begin(), unit.tracks.end(),
                    [&](const GroupedTrack& member) { return pinned.contains(member.track); });
    if (is_whole && unit.tracks.size() > 1) {
      put_file_in_front(tracks[track].file(), units.emplace_back(unit));
      for (const GroupedTrack& member : unit.tracks) placed.insert(member.track);
      continue;
    }
    const std::string name = tracks[track].name.empty() ? "(no name)" : tracks[track].name;
    units.push_back({"pinned " + std::to_string(track), name, {{track, name, 1}}});
  }
  return units;
}

void pull_pinned(std::vector<TrackGroup>& groups, std::span<const LayoutTrack> tracks,
                 const TrackChanges& changes) {
  std::set<std::uint32_t> pinned;
  for (const std::uint32_t track : changes.pinned)
    if (track < tracks.size() && !changes.hidden.contains(track)) pinned.insert(track);
  if (pinned.empty()) return;
  TrackGroup top;
  top.kind = GroupKind::pinned;
  top.id = "pinned";
  top.title = "PINNED";
  top.units = pinned_units(groups, tracks, changes.pinned, pinned);
  remove_tracks(groups, [&](std::uint32_t track) { return pinned.contains(track); });
  groups.insert(groups.begin(), std::move(top));
}

}  // namespace

std::vector<TrackGroup> changed_groups(std::span<const LayoutTrack> tracks,
                                       const TrackChanges& changes) {
  std::vector<TrackGroup> groups = group_tracks(tracks);
  apply_moves(groups, changes.moves);
  if (!changes.hidden.empty())
    remove_tracks(groups, [&](std::uint32_t track) { return changes.hidden.contains(track); });
  pull_pinned(groups, tracks, changes);
  return groups;
}

}  // namespace bytescope::render
