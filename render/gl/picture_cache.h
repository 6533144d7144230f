#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "render/gl/object.h"
#include "render/scene.h"

namespace bytescope::render::gl {

/// Textures of pictures, kept for as long as they are drawn.
class PictureCache {
public:
  /// The texture of a picture; uploads it the first time. 0 for a picture without pixels or one
  /// that is larger than the GPU takes.
  std::uint32_t texture(const std::shared_ptr<const Picture>& picture);
  /// Frees what was not asked for since the last call.
  void end_frame();
  std::size_t size() const { return entries_.size(); }

private:
  struct Entry {
    // Holds the picture, so that its address cannot become another picture's.
    std::shared_ptr<const Picture> picture;
    Texture texture;
    bool drawn = false;
  };

  std::unordered_map<const Picture*, Entry> entries_;
};

}  // namespace bytescope::render::gl
