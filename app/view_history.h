#pragma once

#include <vector>

#include "app/view_state.h"

namespace bytescope::app {

/// The views that somebody came from, as in a web browser. What was changed about the tracks is no
/// part of it: that stays as it is when going back.
class ViewHistory {
public:
  /// Remembers `left` as the view before a jump; what lay ahead is forgotten.
  void leave(const ViewState& left);
  /// The view before `current`, if any; `current` then lies ahead.
  std::optional<ViewState> back(const ViewState& current);
  /// The view after `current`, if going back left one.
  std::optional<ViewState> forward(const ViewState& current);
  bool can_go_back() const { return !behind_.empty(); }
  bool can_go_forward() const { return !ahead_.empty(); }
  /// Forgets everything, when the views belong to a trace that is gone.
  void clear();

private:
  static constexpr std::size_t capacity = 200;
  std::vector<ViewState> behind_;
  std::vector<ViewState> ahead_;
};

}  // namespace bytescope::app
