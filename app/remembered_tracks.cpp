#include "app/remembered_tracks.h"

#include <unordered_map>

namespace bytescope::app {
namespace {

using TracksByName = std::unordered_map<std::string, std::vector<std::uint32_t>>;

/// The tracks of a name; none for one that is not there.
const std::vector<std::uint32_t>& named(const TracksByName& tracks, const std::string& name) {
  static const std::vector<std::uint32_t> none;
  const auto found = tracks.find(name);
  return found == tracks.end() ? none : found->second;
}

void recall_moves(const RememberedTracks& remembered, const TracksByName& tracks,
                  render::TrackChanges& changes) {
  for (const RememberedTracks::Move& move : remembered.moves) {
    const auto& moved = named(tracks, move.track);
    if (moved.empty()) continue;
    if (!move.before) {
      changes.moves.push_back({moved.front(), std::nullopt});
      continue;
    }
    const auto& before = named(tracks, *move.before);
    if (!before.empty()) changes.moves.push_back({moved.front(), before.front()});
  }
}

}  // namespace

RememberedTracks remembered_tracks(const render::TrackChanges& changes, const trace::Trace& trace) {
  RememberedTracks remembered;
  const auto& tracks = trace.tracks;
  const auto add = [&](std::uint32_t track, std::vector<std::string>& names) {
    if (track < tracks.size()) names.push_back(tracks[track].head.name);
  };
  for (const std::uint32_t track : changes.expanded) add(track, remembered.expanded);
  for (const std::uint32_t track : changes.hidden) add(track, remembered.hidden);
  for (const std::uint32_t track : changes.pinned) add(track, remembered.pinned);
  remembered.folds = changes.folds;
  for (const auto& [track, heights] : changes.heights)
    if (track < tracks.size()) remembered.heights.push_back({tracks[track].head.name, heights});
  for (const render::TrackMove& move : changes.moves) {
    if (move.track >= tracks.size() || (move.before && *move.before >= tracks.size())) continue;
    RememberedTracks::Move named{tracks[move.track].head.name, std::nullopt};
    if (move.before) named.before = tracks[*move.before].head.name;
    remembered.moves.push_back(std::move(named));
  }
  return remembered;
}

render::TrackChanges changes_from(const RememberedTracks& remembered, const trace::Trace& trace) {
  TracksByName tracks;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i)
    tracks[trace.tracks[i].head.name].push_back(i);
  render::TrackChanges changes;
  for (const std::string& name : remembered.expanded)
    for (const std::uint32_t track : named(tracks, name)) changes.expanded.insert(track);
  for (const std::string& name : remembered.hidden)
    for (const std::uint32_t track : named(tracks, name)) changes.hidden.insert(track);
  for (const std::string& name : remembered.pinned)
    for (const std::uint32_t track : named(tracks, name)) changes.pinned.push_back(track);
  changes.folds = remembered.folds;
  for (const RememberedTracks::Height& height : remembered.heights)
    for (const std::uint32_t track : named(tracks, height.track))
      changes.heights[track] = height.px;
  recall_moves(remembered, tracks, changes);
  return changes;
}

render::TrackChanges renumbered(const render::TrackChanges& changes,
                                const std::vector<std::optional<std::uint32_t>>& numbers) {
  const auto number = [&](std::uint32_t track) {
    return track < numbers.size() ? numbers[track] : std::nullopt;
  };
  render::TrackChanges now;
  now.folds = changes.folds;
  const auto insert_known = [&](const auto& tracks, auto& into) {
    for (const std::uint32_t track : tracks)
      if (const auto known = number(track)) into.insert(into.end(), *known);
  };
  insert_known(changes.expanded, now.expanded);
  insert_known(changes.hidden, now.hidden);
  insert_known(changes.pinned, now.pinned);
  for (const auto& [track, heights] : changes.heights)
    if (const auto known = number(track)) now.heights[*known] = heights;
  for (const render::TrackMove& move : changes.moves) {
    const auto track = number(move.track);
    const auto before = move.before ? number(*move.before) : std::nullopt;
    if (track && (before || !move.before)) now.moves.push_back({*track, before});
  }
  return now;
}

}  // namespace bytescope::app
