#pragma once

#include <optional>
#include <vector>

#include "render/track_changes.h"

namespace bytescope::app {

/// What was changed about the tracks, to be taken back step by step; apart from the history of
/// views.
class TrackHistory {
public:
  /// A change was made to what was `before`; what had been taken back is forgotten.
  void note(render::TrackChanges before);
  /// How the tracks were before the last change, if there is one; `current` can be had again then.
  std::optional<render::TrackChanges> undo(const render::TrackChanges& current);
  /// How they were before the last undo.
  std::optional<render::TrackChanges> redo(const render::TrackChanges& current);
  bool can_undo() const { return !past_.empty(); }
  bool can_redo() const { return !future_.empty(); }
  /// Forgets everything, when the numbers of tracks mean others.
  void clear();

private:
  static constexpr std::size_t capacity = 100;
  std::vector<render::TrackChanges> past_;
  std::vector<render::TrackChanges> future_;
};

}  // namespace bytescope::app
