#include "render/gl/picture_target.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include "render/gl/read_pixels.h"

namespace bytescope::render::gl {

Expected<PictureTarget> PictureTarget::create(PixelSize size) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  if (size.width < 1 || size.height < 1 || size.width > largest || size.height > largest) {
    return failure(
        ErrorKind::machine,
        fmt::format("a picture of {} x {} pixels is more than OpenGL draws here ({} x {})",
                    size.width, size.height, largest, largest));
  }
  PictureTarget target;
  target.size_ = size;
  target.color_ = make_texture(size.width, size.height);
  target.framebuffer_ = make_framebuffer();
  target.bind();
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.color_.name(),
                         0);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    return failure(ErrorKind::machine, "OpenGL cannot draw into a framebuffer here");
  return target;
}

void PictureTarget::bind() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name()); }

Picture PictureTarget::pixels() const {
  bind();
  return read_pixels(size_);
}

void bind_window() { glBindFramebuffer(GL_FRAMEBUFFER, 0); }

}  // namespace bytescope::render::gl
