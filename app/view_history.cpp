#include "app/view_history.h"

#include <utility>

namespace bytescope::app {
namespace {

ViewState with_changes(ViewState state, render::TrackChanges changes) {
  state.changes = std::move(changes);
  return state;
}

/// As it is kept.
ViewState without_changes(const ViewState& state) { return with_changes(state, {}); }

}  // namespace

void ViewHistory::leave(const ViewState& left) {
  ahead_.clear();
  ViewState kept = without_changes(left);
  if (!behind_.empty() && behind_.back() == kept) return;
  if (behind_.size() == capacity) behind_.erase(behind_.begin());
  behind_.push_back(std::move(kept));
}

std::optional<ViewState> ViewHistory::back(const ViewState& current) {
  while (!behind_.empty()) {
    ViewState state = std::move(behind_.back());
    behind_.pop_back();
    ViewState kept = without_changes(current);
    if (state == kept) continue;
    ahead_.push_back(std::move(kept));
    return with_changes(std::move(state), current.changes);
  }
  return std::nullopt;
}

std::optional<ViewState> ViewHistory::forward(const ViewState& current) {
  if (ahead_.empty()) return std::nullopt;
  ViewState state = std::move(ahead_.back());
  ahead_.pop_back();
  behind_.push_back(without_changes(current));
  return with_changes(std::move(state), current.changes);
}

void ViewHistory::clear() {
  behind_.clear();
  ahead_.clear();
}

}  // namespace bytescope::app
