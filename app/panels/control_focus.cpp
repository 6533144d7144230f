#include "app/panels/control_focus.h"

#include <algorithm>
#include <utility>

namespace bytescope::app {

bool ControlFocus::is_shown(std::uint32_t id) const {
  return id != 0 && std::any_of(listed_.begin(), listed_.end(),
                                [id](const Listed& listed) { return listed.id == id; });
}

bool ControlFocus::is_at_field() const {
  return std::any_of(listed_.begin(), listed_.end(),
                     [this](const Listed& listed) { return listed.id == at_ && listed.is_field; });
}

bool ControlFocus::is_at_steps() const {
  return std::any_of(listed_.begin(), listed_.end(),
                     [this](const Listed& listed) { return listed.id == at_ && listed.has_steps; });
}

bool ControlFocus::has_left_field(std::uint32_t field_id) const {
  return at_ != 0 && at_ != field_id && awaited_field_ == 0;
}

void ControlFocus::walk(int step) {
  if (listed_.empty()) return;
  const auto count = static_cast<std::ptrdiff_t>(listed_.size());
  const auto found = std::find_if(listed_.begin(), listed_.end(),
                                  [this](const Listed& listed) { return listed.id == at_; });
  const std::ptrdiff_t from = found != listed_.end() ? found - listed_.begin()
                              : step > 0             ? -1
                                                     : count;
  const Listed& next = listed_[static_cast<std::size_t>((from + step + count) % count)];
  at_ = next.id;
  awaited_field_ = next.is_field ? next.id : 0;
  awaited_frames_ = 0;
  walked_ = true;
}

void ControlFocus::begin_frame() {
  // A field that is gone, or out of sight, never gets the keyboard.
  constexpr int most_frames = 4;
  if (awaited_field_ != 0 && (++awaited_frames_ > most_frames || !is_shown(awaited_field_)))
    leave();
  listed_.clear();
  is_pressed_ = std::exchange(press_wanted_, false);
  steps_ = std::exchange(steps_wanted_, 0);
  has_walked_ = std::exchange(walked_, false);
}

ControlFocus::Standing ControlFocus::list(std::uint32_t id, bool has_steps) {
  listed_.push_back({id, false, has_steps});
  if (id != at_) return {};
  return {true, std::exchange(is_pressed_, false), has_walked_,
          has_steps ? std::exchange(steps_, 0) : 0};
}

void ControlFocus::list_field(std::uint32_t id, bool is_active) {
  listed_.push_back({id, true, false});
  const bool is_expected = at_ == id || (awaited_field_ == 0 && !has_walked_);
  if (is_active && is_expected) {
    at_ = id;
    awaited_field_ = 0;
  } else if (at_ == id && !is_active && awaited_field_ != id) {
    at_ = 0;
  }
}

void ControlFocus::leave() {
  at_ = awaited_field_ = 0;
  press_wanted_ = false;
  steps_wanted_ = 0;
}

}  // namespace bytescope::app
