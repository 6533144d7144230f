#include "app/track_history.h"

#include <utility>

namespace bytescope::app {

void TrackHistory::note(render::TrackChanges before) {
  future_.clear();
  if (past_.size() == capacity) past_.erase(past_.begin());
  past_.push_back(std::move(before));
}

std::optional<render::TrackChanges> TrackHistory::undo(const render::TrackChanges& current) {
  if (past_.empty()) return std::nullopt;
  future_.push_back(current);
  render::TrackChanges before = std::move(past_.back());
  past_.pop_back();
  return before;
}

std::optional<render::TrackChanges> TrackHistory::redo(const render::TrackChanges& current) {
  if (future_.empty()) return std::nullopt;
  past_.push_back(current);
  render::TrackChanges after = std::move(future_.back());
  future_.pop_back();
  return after;
}

void TrackHistory::clear() {
  past_.clear();
  future_.clear();
}

}  // namespace bytescope::app
