#include "app/view_history.h"

namespace bytescope::app {

void ViewHistory::leave(const ViewState& left) {
  ahead_.clear();
  if (!behind_.empty() && behind_.back() == left) return;
  if (behind_.size() == capacity) behind_.erase(behind_.begin());
  behind_.push_back(left);
}

std::optional<ViewState> ViewHistory::back(const ViewState& current) {
  while (!behind_.empty()) {
    const ViewState state = behind_.back();
    behind_.pop_back();
    if (state == current) continue;
    ahead_.push_back(current);
    return state;
  }
  return std::nullopt;
}

std::optional<ViewState> ViewHistory::forward(const ViewState& current) {
  if (ahead_.empty()) return std::nullopt;
  const ViewState state = ahead_.back();
  ahead_.pop_back();
  behind_.push_back(current);
  return state;
}

void ViewHistory::clear() {
  behind_.clear();
  ahead_.clear();
}

}  // namespace bytescope::app
