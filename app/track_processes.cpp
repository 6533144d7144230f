#include "app/track_processes.h"

#include <utility>

#include "core/trace/ansi.h"
#include "render/track_groups.h"

namespace bytescope::app {
namespace {

std::vector<render::LayoutTrack> layout_tracks(const trace::Trace& trace) {
  std::vector<render::LayoutTrack> tracks;
  tracks.reserve(trace.tracks.size());
  for (const trace::Track& track : trace.tracks)
    tracks.push_back({track.head.name, track.head.kind, track.role, 1, track.prefix_bytes});
  return tracks;
}

void add_tracks(const render::TrackUnit& unit, exporting::TrackProcess& process) {
  for (const render::GroupedTrack& track : unit.tracks)
    process.tracks.push_back({track.track, trace::single_line(track.label)});
}

/// `a.bin/AMD:1`, in a merged trace.
std::string name_in(const std::string& file, const std::string& name) {
  return trace::single_line(file.empty() ? name : file + "/" + name);
}

}  // namespace

std::vector<exporting::TrackProcess> track_processes(const trace::Trace& trace) {
  std::vector<exporting::TrackProcess> processes;
  for (const render::TrackGroup& group : render::group_tracks(layout_tracks(trace))) {
    // Units of a family are told apart by their names, those of other groups by their tracks'.
    if (group.kind == render::GroupKind::family || group.title.empty()) {
      for (const render::TrackUnit& unit : group.units) {
        const bool single = unit.tracks.size() == 1;
        const std::string name =
            single ? trace::single_line(trace.tracks[unit.tracks.front().track].head.name)
                   : name_in(group.file, unit.label);
        add_tracks(unit, processes.emplace_back(exporting::TrackProcess{name, {}}));
      }
    } else {
      exporting::TrackProcess& process =
          processes.emplace_back(exporting::TrackProcess{name_in(group.file, group.title), {}});
      for (const render::TrackUnit& unit : group.units) add_tracks(unit, process);
    }
  }
  return processes;
}

}  // namespace bytescope::app
