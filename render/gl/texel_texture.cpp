#include "render/gl/texel_texture.h"

#include <algorithm>

#include <glad/gl.h>

namespace bytescope::render::gl {

void TexelTexture::upload(const Scene& scene) {
  if (texture_.name() == 0) texture_ = make_nearest_texture();
  glBindTexture(GL_TEXTURE_2D, texture_.name());
  rows_ = scene.texel_width == 0
              ? 0
              : static_cast<std::uint32_t>(scene.texels.size() / scene.texel_width);
  if (rows_ == 0) return;
  reserve(scene.texel_width, rows_);
  rows_ = std::min(rows_, capacity_rows_);
  if (width_ == scene.texel_width && uploaded_ == scene.texels) return;
  glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(scene.texel_width));
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0,
                  static_cast<GLsizei>(std::min(scene.texel_width, capacity_width_)),
                  static_cast<GLsizei>(rows_), GL_RGBA, GL_UNSIGNED_BYTE, scene.texels.data());
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  width_ = scene.texel_width;
  uploaded_ = scene.texels;
}

// Grows in steps, so that a window that is being resized does not get a new texture each frame.
void TexelTexture::reserve(std::uint32_t width, std::uint32_t rows) {
  if (width <= capacity_width_ && rows <= capacity_rows_) return;
  GLint largest = 1024;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const auto limit = static_cast<std::uint32_t>(largest);
  capacity_width_ = std::min(limit, std::max(capacity_width_, (width + 255) / 256 * 256));
  capacity_rows_ = std::min(limit, std::max(capacity_rows_, (rows + 31) / 32 * 32));
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, static_cast<GLsizei>(capacity_width_),
               static_cast<GLsizei>(capacity_rows_), 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  uploaded_.clear();
}

}  // namespace bytescope::render::gl
