#pragma once

#include <cstdint>
#include <vector>

namespace bytescope::app {

/// Which control has the keyboard: it walks through all that the last frame showed, in the order
/// they were drawn, and presses the one reached. Controls list themselves while they are drawn and
/// are told apart by ImGui's ids.
class ControlFocus {
public:
  /// How a control stands in this frame.
  struct Standing {
    bool has_focus = false;
    bool is_pressed = false;
    bool has_arrived = false;  ///< The focus came to it since the last frame.
    int steps = 0;             ///< To the right (negative: left), where it can be stepped through.
  };

  /// To the next control (1) or the one before (-1), around the ends. Between frames.
  void walk(int step);
  /// Presses the control that has the focus, in the next frame.
  void press() { press_wanted_ = is_at_control(); }
  /// Steps within the control that has the focus, in the next frame, where it can be stepped
  /// through.
  void step(int step) { steps_wanted_ += is_at_steps() ? step : 0; }
  /// Begins the list of another frame.
  void begin_frame();
  /// From here on controls lie over all others: only they can be reached.
  void begin_dialog() { listed_.clear(); }

  /// Lists a control that is pressed; `has_steps`: it has parts that are stepped through.
  Standing list(std::uint32_t id, bool has_steps = false);
  /// Lists a field of text; `is_active`: it has the keyboard.
  void list_field(std::uint32_t id, bool is_active);
  /// Whether a field that has no keyboard yet shall get it: walk() led there.
  bool awaits(std::uint32_t field_id) const { return awaited_field_ == field_id; }
  /// Whether walk() led from a field that has the keyboard to a control without one.
  bool has_left_field(std::uint32_t field_id) const;
  /// No control has the focus any more.
  void leave();

  bool has_controls() const { return !listed_.empty(); }
  /// Whether a control that can be pressed has the focus.
  bool is_at_control() const { return is_shown(at_) && !is_at_field(); }
  /// Whether what has the focus can be stepped through.
  bool is_at_steps() const;
  /// Whether a field has the focus: what is typed is meant for it.
  bool is_at_field() const;
  /// Whether a field waits for a frame to get the keyboard.
  bool wants_frame() const { return awaited_field_ != 0; }

private:
  struct Listed {
    std::uint32_t id = 0;
    bool is_field = false;
    bool has_steps = false;
  };
  bool is_shown(std::uint32_t id) const;

  std::vector<Listed> listed_;  // of the last frame, or of this one as far as it is drawn
  std::uint32_t at_ = 0;
  std::uint32_t awaited_field_ = 0;
  int awaited_frames_ = 0;
  bool press_wanted_ = false;
  bool walked_ = false;
  int steps_wanted_ = 0;
  int steps_ = 0;            // in this frame
  bool is_pressed_ = false;  // in this frame
  bool has_walked_ = false;  // before this frame
};

}  // namespace bytescope::app
