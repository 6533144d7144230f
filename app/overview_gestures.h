#pragma once

#include <cstdint>
#include <optional>

#include "app/document_view.h"
#include "app/input.h"
#include "render/window_areas.h"

namespace bytescope::app {

/// What lies at a place of the overview strip.
enum class OverviewPart : std::uint8_t { begin_handle, end_handle, frame, outside };

/// What a press at (x, y) takes hold of; none beside the strip. While the whole trace is on screen
/// the frame cannot be moved, and all but its handles is outside of it.
std::optional<OverviewPart> overview_part_at(const render::Viewport& viewport,
                                             const render::WindowAreas& areas, float x, float y);

/// Turns the mouse on the overview strip into changes of a view: drags of the frame and of its
/// handles, a new window dragged out beside it, wheel, clicks. Holds what is under way between two
/// events, nothing else.
class OverviewGestures {
public:
  /// Takes a mouse event; answers whether it was one for the strip.
  bool handle(const InputEvent& event, DocumentView& view, const render::WindowAreas& areas,
              double now_s);

  /// What is held.
  std::optional<OverviewPart> held() const {
    return press_ ? std::optional(press_->part) : std::nullopt;
  }
  /// The stretch of time that is being dragged out, for drawing.
  std::optional<query::TimeRange> band() const { return band_; }
  /// Forgets what is under way.
  void cancel();

private:
  struct Press {
    OverviewPart part = OverviewPart::outside;
    MouseButton button = MouseButton::left;
    float x = 0;
    bool moved = false;
    render::Viewport before;
    std::int64_t anchor_ns = 0;
  };

  void press(const InputEvent& event, DocumentView& view, const render::WindowAreas& areas);
  void move(const InputEvent& event, DocumentView& view, const render::WindowAreas& areas);
  void release(const InputEvent& event, DocumentView& view, const render::WindowAreas& areas,
               double now_s);
  void click(const InputEvent& event, DocumentView& view, const render::WindowAreas& areas,
             double now_s);

  std::optional<Press> press_;
  std::optional<query::TimeRange> band_;
  double last_click_s_ = -1e9;
  float last_click_x_ = 0;
};

}  // namespace bytescope::app
