#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "app/input.h"
#include "app/offscreen_egl.h"
#include "app/screen.h"
#include "app/viewer.h"
#include "core/cancel.h"
#include "core/error.h"

namespace bytescope::app {

/// The whole program drawing into a framebuffer instead of a window, on a clock of its own that
/// ticks 1/60 s a frame: for pictures, benchmarks and tests. The code of a frame is the window's.
class OffscreenViewer {
public:
  /// `size` in device pixels. Fails with ErrorKind::machine without OpenGL.
  static Expected<std::unique_ptr<OffscreenViewer>> create(render::gl::PixelSize size, float scale,
                                                           const render::Theme& theme);

  Viewer& viewer() { return *viewer_; }
  MemoryClipboard& clipboard() { return clipboard_; }
  /// Gives an event to the viewer now, and to ImGui with the next frame.
  void feed(InputEvent event);
  /// One frame: takes over what workers found, builds, paints.
  void frame();
  /// The two halves of frame(), for measuring them apart.
  void build();
  void paint();
  /// Frames until the picture is final: loads, details and fonts are done. Stops early when
  /// cancelled.
  void settle(const Cancel& cancel);
  /// Waits until something wakes the viewer, or a moment.
  void wait() { wait_for_wake(); }
  /// What was painted last.
  render::Picture pixels() { return context_->pixels(); }
  render::gl::PixelSize size() const { return context_->size(); }
  float scale() const { return scale_; }
  /// The driver's name for what draws.
  std::string renderer() const { return context_->renderer(); }
  double now_s() const { return now_s_; }
  /// Moves the clock on, for gestures that depend on rests between events.
  void rest(double seconds) { now_s_ += seconds; }

private:
  explicit OffscreenViewer(float scale) : scale_(scale) {}
  void wake();
  void wait_for_wake();

  float scale_;
  double now_s_ = 1;
  MemoryClipboard clipboard_;
  std::mutex mutex_;
  std::condition_variable woken_;
  bool awake_ = false;
  std::unique_ptr<OffscreenContext> context_;
  std::unique_ptr<Screen> screen_;
  std::unique_ptr<Viewer> viewer_;  // after the screen: its panels use ImGui's context
  std::vector<InputEvent> events_;
};

}  // namespace bytescope::app
