#pragma once

#include <array>
#include <memory>

#include "core/error.h"
#include "render/gl/device_box.h"
#include "render/gl/object.h"
#include "render/gl/picture_cache.h"
#include "render/gl/program.h"
#include "render/gl/rect_list.h"
#include "render/gl/texel_texture.h"
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
  struct QuadUniforms {
    int box_px = -1;
    int clip_per_px = -1;
    int columns = -1;
    int heights = -1;
    int areas = -1;
    int ghost = -1;
    int edge = -1;
  };
  struct QuadProgram {
    Program program;
    QuadUniforms at;
  };

  SceneRenderer() = default;
  static Expected<QuadProgram> quad_program(const char* fragment_file);
  void begin(const Scene& scene);
  void use(const QuadProgram& quad) const;
  void upload_rects();
  void draw_rects(RectRange range);
  void draw_column_rows(const Scene& scene);
  void draw_column_row(const Scene& scene, const ColumnRow& row);
  void draw_pictures(const Scene& scene);

  PixelSize framebuffer_;
  float scale_ = 1;
  Program rect_program_;
  int rect_clip_per_px_ = -1;
  QuadProgram colors_;
  QuadProgram bars_;
  QuadProgram picture_;
  VertexArray rect_array_;
  VertexArray quad_array_;
  Buffer rect_buffer_;
  RectList rects_;
  TexelTexture texels_;
  PictureCache pictures_;
};

}  // namespace bytescope::render::gl
