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
  /// A picture on the GPU.
  struct Held {
    std::uint32_t texture = 0;  ///< 0 for a picture without pixels or one that the GPU cannot take.
    bool opaque = false;
  };

  /// The picture's texture, premultiplied; uploads it the first time.
  Held hold(const std::shared_ptr<const Picture>& picture);
  /// Frees what was not asked for since the last call.
  void end_frame();
  std::size_t size() const { return entries_.size(); }

private:
  struct Entry {
    // Holds the picture, so that its address cannot become another picture's.
    std::shared_ptr<const Picture> picture;
    Texture texture;
    bool opaque = false;
    bool drawn = false;
  };

  std::unordered_map<const Picture*, Entry> entries_;
};

}  // namespace bytescope::render::gl
