#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "app/document_view.h"
#include "app/drag_trail.h"
#include "app/file_shift.h"
#include "app/input.h"
#include "app/timeline_hit.h"
#include "render/track_units.h"
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
  std::optional<FileShift> shift;  ///< A file was dragged in time and let go.
};

/// Turns the mouse into changes of a view: wheel, drags, clicks, as gesture_help() lists them.
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
  /// Whether a button is held that was pressed on the timeline.
  bool holding() const { return press_.has_value(); }
  /// Whether a lower edge is held.
  bool resizing() const { return press_ && press_->drag == Drag::height; }
  /// A track that is being moved by its name, and where it goes if it is let go of now.
  struct Moving {
    std::uint32_t track = 0;
    render::DropPlace place;
  };
  const std::optional<Moving>& moving() const { return moving_; }
  /// A file of a merged trace that is being moved in time, and by how much so far.
  const std::optional<FileShift>& shifting() const { return shift_; }
  /// Forgets what is under way (the document went away).
  void cancel();

private:
  enum class Drag : std::uint8_t { pan, zoom_band, measure, height, track, file };
  struct Press {
    MouseButton button = MouseButton::left;
    Modifiers modifiers;
    float x = 0, y = 0;  // where it began
    float last_x = 0, last_y = 0;
    Drag drag = Drag::pan;
    bool on_names = false;
    bool moved = false;
    std::int64_t anchor_ns = 0;
    std::uint32_t track = 0;                     // height and track: which one …
    double height_px = 0;                        // … and how tall it was
    std::string file;                            // file: which one is moved in time
    std::optional<render::TrackChanges> before;  // height: not noted yet
    DragTrail trail;                             // pan
  };

  void scroll(const InputEvent& event, const GestureTarget& target);
  void scroll_bytes(const InputEvent& event, const GestureTarget& target, std::uint32_t track,
                    double notches);
  void press(const InputEvent& event, const GestureTarget& target);
  void move(const InputEvent& event, const GestureTarget& target);
  GestureAnswer release(const InputEvent& event, const GestureTarget& target);
  void click(const InputEvent& event, const GestureTarget& target);
  void click_name(const TimelineHit& hit, const GestureTarget& target, float x);
  void click_axis(const TimelineHit& hit, const GestureTarget& target);
  void double_click(const GestureTarget& target);
  void select(const TimelineHit& hit, const GestureTarget& target, float x, float y);
  void pan(const InputEvent& event, const GestureTarget& target, float dx, float dy);
  static void let_go(const Press& press, const GestureTarget& target);
  void resize(const InputEvent& event, const GestureTarget& target);
  void drag_track(const InputEvent& event, const GestureTarget& target);
  void drop_track(const GestureTarget& target);
  void drag_band(const GestureTarget& target, float x, bool snap);
  static std::string file_at(const TimelineHit& hit, const GestureTarget& target);
  std::int64_t snapped(const GestureTarget& target, float x, float y) const;

  std::optional<Press> press_;
  std::optional<query::TimeRange> band_;
  std::optional<Moving> moving_;
  std::optional<FileShift> shift_;
  double last_scroll_s_ = -1e9;
  bool scroll_vertical_ = true;  // which axis the scroll gesture under way has
  double last_click_s_ = -1e9;
  float last_click_x_ = 0, last_click_y_ = 0;
};

}  // namespace bytescope::app
