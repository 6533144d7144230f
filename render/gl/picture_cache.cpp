#include "render/gl/picture_cache.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <glad/gl.h>

#include "render/gl/premultiply.h"

namespace bytescope::render::gl {
namespace {

bool fits(const Picture& picture) {
  GLint largest = 1024;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const auto limit = static_cast<std::uint32_t>(largest);
  return picture.width > 0 && picture.height > 0 && picture.width <= limit &&
         picture.height <= limit &&
         picture.pixels.size() >= std::size_t{picture.width} * picture.height;
}

Texture upload(const Picture& picture, const Color* pixels) {
  const auto width = static_cast<GLsizei>(picture.width);
  const auto height = static_cast<GLsizei>(picture.height);
  Texture texture = make_texture(width, height);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  return texture;
}

Texture upload_premultiplied(const Picture& picture) {
  std::vector<Color> pixels(picture.pixels.size());
  std::transform(picture.pixels.begin(), picture.pixels.end(), pixels.begin(), premultiplied);
  return upload(picture, pixels.data());
}

}  // namespace

PictureCache::Held PictureCache::hold(const std::shared_ptr<const Picture>& picture) {
  if (picture == nullptr) return {};
  auto [at, is_new] = entries_.try_emplace(picture.get());
  Entry& entry = at->second;
  if (is_new && fits(*picture)) {
    entry.opaque = std::all_of(picture->pixels.begin(), picture->pixels.end(),
                               [](Color color) { return color.a == 255; });
    entry.texture =
        entry.opaque ? upload(*picture, picture->pixels.data()) : upload_premultiplied(*picture);
  }
  entry.picture = picture;
  entry.drawn = true;
  return {entry.texture.name(), entry.opaque};
}

void PictureCache::end_frame() {
  for (auto at = entries_.begin(); at != entries_.end();)
    at = std::exchange(at->second.drawn, false) ? std::next(at) : entries_.erase(at);
}

}  // namespace bytescope::render::gl
