#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/error.h"
#include "render/gl/column_texture.h"
#include "render/gl/device_box.h"
#include "render/gl/object.h"
#include "render/gl/picture_cache.h"
#include "render/gl/program.h"
#include "render/gl/rect_list.h"
#include "render/scene.h"

namespace bytescope::render::gl {

/// Draws scenes with OpenGL 3.3 core. Belongs to one context, which must be current whenever it is
/// used, destroyed included.
class SceneRenderer {
public:
  /// Needs load() before. Fails with ErrorKind::machine when the driver refuses a shader.
  static Expected<SceneRenderer> create();

  /// Draws everything but the labels into the bound framebuffer, in the order of painting: all of
  /// it is cleared first. `scale` is device pixels per logical pixel. Sets all the state that it
  /// depends on, and leaves blending off and no program bound.
  void draw(const Scene& scene, PixelSize framebuffer, float scale);
  /// Pictures that live on the GPU now.
  std::size_t picture_count() const { return pictures_.size(); }

private:
  /// A part of a texture and where it goes.
  struct QuadInstance {
    std::array<float, 4> box_px{};
    std::array<float, 4> part{};
  };

  SceneRenderer() = default;
  void begin(const Scene& scene) const;
  void draw_layers(const Scene& scene, std::size_t depth);
  void draw_layer(const Scene& scene, ColumnTexture& columns);
  void set_clip(const Box& clip) const;
  void use(const Program& program, int clip_per_px) const;
  void upload_rects();
  void draw_rects(RectRange range);
  void draw_quads(const std::vector<QuadInstance>& quads);
  void draw_column_rows(const Scene& scene, ColumnTexture& columns);
  void draw_pictures(const Scene& scene);

  PixelSize framebuffer_;
  float scale_ = 1;
  Program rect_program_;
  Program picture_program_;
  int rect_clip_per_px_ = -1;
  int picture_clip_per_px_ = -1;
  VertexArray rect_array_;
  VertexArray quad_array_;
  Buffer rect_buffer_;
  Buffer quad_buffer_;
  RectList rects_;
  std::vector<ColumnTexture> columns_;  // of the scene and of each over it: all keep what they hold
  PictureCache pictures_;
  std::vector<QuadInstance> quads_;
};

}  // namespace bytescope::render::gl
