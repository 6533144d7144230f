#pragma once

#include <cstdint>
#include <vector>

#include "render/gl/object.h"
#include "render/scene.h"

namespace bytescope::render::gl {

/// Scene::texels on the GPU; uploads only what differs from the last time.
class TexelTexture {
public:
  /// Binds the texture with this scene's texels in it. Rows past the GPU's largest texture are
  /// missing; `rows()` says how many there are.
  void upload(const Scene& scene);
  std::uint32_t rows() const { return rows_; }

private:
  void reserve(std::uint32_t width, std::uint32_t rows);

  Texture texture_;
  std::uint32_t width_ = 0;
  std::uint32_t capacity_width_ = 0;
  std::uint32_t capacity_rows_ = 0;
  std::uint32_t rows_ = 0;
  std::vector<Color> uploaded_;
};

}  // namespace bytescope::render::gl
