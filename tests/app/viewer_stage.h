#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/offscreen_viewer.h"
#include "render/theme.h"

namespace bytescope::tests {

/// A place of the window in logical pixels.
struct Point {
  float x = 0;
  float y = 0;
};

/// A place of the stage over nothing in particular, right of the middle.
constexpr Point somewhere{600, 300};

/// What may be held down.
constexpr app::Modifiers no_modifiers{};
constexpr app::Modifiers with_shift{true, false, false, false};
constexpr app::Modifiers with_command{false, true, false, false};
constexpr app::Modifiers with_alt{false, false, true, false};
constexpr app::Modifiers with_shift_and_alt{true, false, true, false};

/// The whole program without a window: mouse and keyboard are made up, time goes on with the
/// frames. Each action is followed by a frame, as in the window.
class ViewerStage {
public:
  explicit ViewerStage(const render::Theme& theme = render::dark_theme(),
                       render::gl::PixelSize size = {1280, 720}, float scale = 1);

  app::OffscreenViewer& offscreen() { return *offscreen_; }
  app::Viewer& viewer() { return offscreen_->viewer(); }
  /// Of the active document; a thrown error when there is none.
  app::DocumentView& view();
  app::ViewState& state() { return view().state(); }
  const trace::Trace& trace() { return *view().trace(); }
  const render::WindowAreas& areas() { return viewer().areas(); }
  const render::TrackLayout& layout() { return view().layout(viewer().tracks_height_px()); }

  /// Opens a file and waits until everything of it is shown.
  void open(const std::string& path);
  /// Frames until nothing changes any more.
  void settle();

  /// The number of the track of that name; a thrown error when there is none.
  std::uint32_t track(const std::string& name);
  const render::TrackRow& row(std::uint32_t track);
  /// Where a time is on the screen.
  float x_of(std::int64_t time_ns);
  /// The time at a place.
  std::int64_t time_at(float x);
  /// The top of a row on the screen, scrolled as it is.
  float top_of(const render::TrackRow& row);
  /// The middle of a track's name.
  Point name_of(std::uint32_t track);
  /// The middle of a span, or of that part of it that is in view.
  Point place_of(std::uint32_t track, std::uint32_t record);
  app::Selection span(std::uint32_t track, std::uint32_t record);

  void move(Point to);
  void press(Point at, app::MouseButton button = app::MouseButton::left,
             app::Modifiers modifiers = no_modifiers);
  void release(Point at, app::MouseButton button = app::MouseButton::left,
               app::Modifiers modifiers = no_modifiers);
  void click(Point at, app::MouseButton button = app::MouseButton::left,
             app::Modifiers modifiers = no_modifiers);
  /// Presses, moves in small steps, lets go.
  void drag(Point from, Point to, app::MouseButton button = app::MouseButton::left,
            app::Modifiers modifiers = no_modifiers);
  /// Turns the wheel by notches: up is positive.
  void wheel(Point at, float notches, app::Modifiers modifiers = no_modifiers);
  /// Scrolls by notches to the right and up.
  void scroll(Point at, float right, float up, app::Modifiers modifiers = no_modifiers);
  void key(app::Key key, app::Modifiers modifiers = no_modifiers);
  void type(char32_t character);
  /// Lets time go by, so that the next event is no part of what went before.
  void rest() { offscreen_->rest(2); }

private:
  void feed(const app::InputEvent& event);

  std::unique_ptr<app::OffscreenViewer> offscreen_;
};

}  // namespace bytescope::tests
