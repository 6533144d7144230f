#include "render/gl/picture_cache.h"

#include <glad/gl.h>

namespace bytescope::render::gl {
namespace {

Texture upload(const Picture& picture) {
  GLint largest = 1024;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const auto limit = static_cast<std::uint32_t>(largest);
  if (picture.width == 0 || picture.height == 0 || picture.width > limit ||
      picture.height > limit || picture.pixels.size() < std::size_t{picture.width} * picture.height)
    return {};
  Texture texture = make_nearest_texture();
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, static_cast<GLsizei>(picture.width),
               static_cast<GLsizei>(picture.height), 0, GL_RGBA, GL_UNSIGNED_BYTE,
               picture.pixels.data());
  return texture;
}

}  // namespace

std::uint32_t PictureCache::texture(const std::shared_ptr<const Picture>& picture) {
  if (picture == nullptr) return 0;
  auto [at, is_new] = entries_.try_emplace(picture.get());
  Entry& entry = at->second;
  if (is_new) {
    entry.picture = picture;
    entry.texture = upload(*picture);
  }
  entry.drawn = true;
  return entry.texture.name();
}

void PictureCache::end_frame() {
  for (auto at = entries_.begin(); at != entries_.end();)
    at = std::exchange(at->second.drawn, false) ? std::next(at) : entries_.erase(at);
}

}  // namespace bytescope::render::gl
