#pragma once

#include <memory>
#include <string>

#include "core/error.h"
#include "render/gl/device_box.h"
#include "render/scene.h"

namespace bytescope::app {

/// An OpenGL 3.3 core context without a window or a display, drawing into a framebuffer of any
/// size. Current on the thread that made it, until destroyed.
class OffscreenContext {
public:
  /// Makes the context current, loads GL and binds the framebuffer. Tries Mesa's surfaceless
  /// platform, then EGL devices (drivers of GPU makers), then the default display. Fails with
  /// ErrorKind::machine when none of them gives OpenGL 3.3 or the size is more than the GPU takes.
  static Expected<std::unique_ptr<OffscreenContext>> create(render::gl::PixelSize size);

  virtual ~OffscreenContext() = default;
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;
  OffscreenContext(OffscreenContext&&) = delete;
  OffscreenContext& operator=(OffscreenContext&&) = delete;

  virtual render::gl::PixelSize size() const = 0;
  /// The driver's name for what draws: a card, or a rasteriser.
  virtual std::string renderer() const = 0;
  /// Binds the framebuffer again; others may have bound theirs.
  virtual void bind() = 0;
  /// Waits until everything is drawn, as showing a frame in a window does. Without it drivers queue
  /// frames, which takes memory and makes a measured frame look cheap.
  virtual void finish() = 0;
  /// Everything drawn so far, the top row first. Waits for the GPU.
  virtual render::Picture pixels() = 0;

protected:
  OffscreenContext() = default;
};

}  // namespace bytescope::app
