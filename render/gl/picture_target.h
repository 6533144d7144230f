#pragma once

#include "core/error.h"
#include "render/gl/device_box.h"
#include "render/gl/object.h"
#include "render/scene.h"

namespace bytescope::render::gl {

/// A framebuffer of any size that is no window. Must die while its context is current.
class PictureTarget {
public:
  /// Makes it and binds it. Fails with ErrorKind::machine for sizes that OpenGL does not draw here.
  static Expected<PictureTarget> create(PixelSize size);

  /// What is drawn from now on goes there.
  void bind() const;
  PixelSize size() const { return size_; }
  /// Binds it and hands out everything drawn so far, the top row first. Waits for the GPU.
  Picture pixels() const;

private:
  PictureTarget() = default;

  Texture color_;
  Framebuffer framebuffer_;
  PixelSize size_;
};

/// Binds what a window shows again.
void bind_window();

}  // namespace bytescope::render::gl
