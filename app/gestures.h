#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "app/document_view.h"
#include "app/input.h"
#include "app/timeline_hit.h"
#include "render/window_areas.h"

namespace bytescope::app {

/// What the gestures act on; made anew for each event.
struct GestureTarget {
  DocumentView& view;
  const render::WindowAreas& areas;
  float scale = 1;
  double now_s = 0;
  /// What lies at a place of the window as it is now.
  std::function<TimelineHit(float x, float y)> hit;
};

/// What a gesture asks of the viewer beyond changing the view.
struct GestureAnswer {
  bool open_menu = false;  ///< A right click without a drag: show the menu for what lies there.
  TimelineHit menu_hit;
};

/// Turns the mouse into changes of a view (DESIGN.md's table of gestures): wheel, drags, clicks.
/// Holds what is under way between two events, nothing else.
class Gestures {
public:
  /// A mouse event over the timeline, its axis or its names. Events outside end nothing that is
  /// under way.
  GestureAnswer handle(const InputEvent& event, const GestureTarget& target);

  /// The stretch of time that is being dragged out (zoom or measure), for drawing.
  std::optional<query::TimeRange> band() const { return band_; }
  /// Whether a button is held and dragged; then nothing is hovered.
  bool dragging() const { return press_ && press_->moved; }
  /// Whether a lower edge is held.
  bool resizing() const { return press_ && press_->drag == Drag::height; }
  /// Forgets what is under way (the document went away).
  void cancel();

private:
  enum class Drag : std::uint8_t { pan, zoom_band, measure, height };
  struct Press {
    MouseButton button = MouseButton::left;
    Modifiers modifiers;
    float x = 0, y = 0;  // where it began
    float last_x = 0, last_y = 0;
    Drag drag = Drag::pan;
    bool on_names = false;
    bool moved = false;
    std::int64_t anchor_ns = 0;
    std::uint32_t track = 0;  // height: which one …
    double height_px = 0;     // … and how tall it was
  };

  void scroll(const InputEvent& event, const GestureTarget& target);
  void scroll_bytes(const InputEvent& event, const GestureTarget& target, std::uint32_t track,
                    double notches);
  void press(const InputEvent& event, const GestureTarget& target);
  void move(const InputEvent& event, const GestureTarget& target);
  GestureAnswer release(const InputEvent& event, const GestureTarget& target);
  void click(const InputEvent& event, const GestureTarget& target);
  void click_name(const TimelineHit& hit, const GestureTarget& target);
  void click_axis(const TimelineHit& hit, const GestureTarget& target);
  void double_click(const GestureTarget& target);
  void select(const TimelineHit& hit, const GestureTarget& target, float x, float y);
  void drag_band(const GestureTarget& target, float x, bool snap);
  std::int64_t snapped(const GestureTarget& target, float x, float y) const;

  std::optional<Press> press_;
  std::optional<query::TimeRange> band_;
  double last_scroll_s_ = -1e9;
  bool scroll_vertical_ = true;  // which axis the scroll gesture under way has
  double last_click_s_ = -1e9;
  float last_click_x_ = 0, last_click_y_ = 0;
};

}  // namespace bytescope::app
