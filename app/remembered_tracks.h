#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/trace/trace.h"
#include "render/track_changes.h"

namespace bytescope::app {

/// What was changed about the tracks of a file, with names in place of numbers, since numbers
/// change with the file.
struct RememberedTracks {
  struct Height {
    std::string track;
    render::RowHeights px;
    bool operator==(const Height&) const = default;
  };
  struct Move {
    std::string track;
    std::optional<std::string> before;
    bool operator==(const Move&) const = default;
  };
  std::vector<std::string> expanded;
  std::map<std::string, bool> folds;
  std::vector<Height> heights;
  std::vector<std::string> hidden;
  std::vector<std::string> pinned;
  std::vector<Move> moves;
  bool operator==(const RememberedTracks&) const = default;
};

/// The changes as they are remembered. Costs what was changed.
RememberedTracks remembered_tracks(const render::TrackChanges& changes, const trace::Trace& trace);

/// The changes for a trace; tracks that it lacks are left out, of tracks with one name all are
/// meant. Costs O((tracks + what is remembered) × log).
render::TrackChanges changes_from(const RememberedTracks& remembered, const trace::Trace& trace);

/// The changes for a trace in which track i has the number numbers[i]; those without one are left
/// out.
render::TrackChanges renumbered(const render::TrackChanges& changes,
                                const std::vector<std::optional<std::uint32_t>>& numbers);

}  // namespace bytescope::app
