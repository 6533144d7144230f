#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/input.h"
#include "core/error.h"
#include "render/gl/device_box.h"

namespace bytescope::app {

/// What a new window is like; sizes in logical pixels.
struct WindowOptions {
  std::string title = "bytescope";
  int width = 1600;
  int height = 1000;
  int min_width = 640;
  int min_height = 400;
};

/// Shapes of the mouse pointer.
enum class Pointer : std::uint8_t { arrow, text, hand, resize_horizontal, resize_vertical, cross };

/// The one window, with an OpenGL 3.3 core context that is current on the thread that made it. All
/// members but wake_up() belong to that thread, which must be the main one.
class Window : public Clipboard {
public:
  /// Opens the window and loads GL. Fails with ErrorKind::machine without a display, or without
  /// OpenGL 3.3 on it.
  static Expected<std::unique_ptr<Window>> create(const WindowOptions& options);

  virtual render::gl::PixelSize framebuffer_size() const = 0;
  /// Device pixels per logical pixel: the display's scale times the zoom.
  virtual float scale() const = 0;
  /// Makes everything larger or smaller than the display asks for (1: as it asks).
  virtual void set_zoom(float zoom) = 0;

  /// Sleeps until something happens, wake_up() is called or the time is over: 0 only looks,
  /// negative waits forever.
  virtual void wait_events(double timeout_s) = 0;
  /// What happened since the last call, in order.
  virtual std::vector<InputEvent> take_events() = 0;
  /// Ends the current or next wait_events(). From any thread, while the window lives.
  virtual void wake_up() = 0;

  /// Shows what was drawn; waits for the display's refresh where the driver does.
  virtual void swap_buffers() = 0;
  virtual void set_title(const std::string& title) = 0;
  virtual void set_pointer(Pointer pointer) = 0;
};

}  // namespace bytescope::app
