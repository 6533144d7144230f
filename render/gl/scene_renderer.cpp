#include "render/gl/scene_renderer.h"

#include <algorithm>
#include <cstddef>

#include <glad/gl.h>

#include "render/gl/buffer_offset.h"

namespace bytescope::render::gl {
namespace {

constexpr GLsizei vertices_per_quad = 6;

std::array<float, 4> as_floats(Color color) {
  const auto part = [](std::uint8_t value) { return static_cast<float>(value) / 255.0F; };
  return {part(color.r), part(color.g), part(color.b), part(color.a)};
}

std::array<float, 4> as_floats(DeviceBox box) {
  return {static_cast<float>(box.x0), static_cast<float>(box.y0), static_cast<float>(box.x1),
          static_cast<float>(box.y1)};
}

void set_blending(bool on) {
  if (on)
    glEnable(GL_BLEND);
  else
    glDisable(GL_BLEND);
}

/// The part of a box inside `clip`, where that is not empty.
Box within(const Box& box, const Box& clip) {
  if (clip.width() <= 0 || clip.height() <= 0) return box;
  return {std::max(box.x0, clip.x0), std::max(box.y0, clip.y0), std::min(box.x1, clip.x1),
          std::min(box.y1, clip.y1)};
}

}  // namespace

Expected<SceneRenderer> SceneRenderer::create() {
  SceneRenderer out;
  auto rect = make_program("rect.vert", "rect.frag");
  if (!rect) return tl::unexpected(rect.error());
  out.rect_program_ = std::move(*rect);
  out.rect_clip_per_px_ = uniform(out.rect_program_, "clip_per_px");
  auto picture = make_program("picture.vert", "picture.frag");
  if (!picture) return tl::unexpected(picture.error());
  out.picture_program_ = std::move(*picture);
  out.picture_clip_per_px_ = uniform(out.picture_program_, "clip_per_px");
  out.rect_array_ = make_vertex_array();
  out.quad_array_ = make_vertex_array();
  out.rect_buffer_ = make_buffer();
  out.quad_buffer_ = make_buffer();
  return out;
}

void SceneRenderer::draw(const Scene& scene, PixelSize framebuffer, float scale) {
  framebuffer_ = framebuffer;
  scale_ = scale;
  begin(scene);
  draw_layers(scene, 0);
  pictures_.end_frame();
  glBindVertexArray(0);
  glUseProgram(0);
  set_blending(false);
}

void SceneRenderer::draw_layers(const Scene& scene, std::size_t depth) {
  if (columns_.size() <= depth) columns_.resize(depth + 1);
  set_clip(scene.clip);
  draw_layer(scene, columns_[depth]);
  set_clip({});
  for (const Scene& over : scene.over) draw_layers(over, depth + 1);
}

/// Paints inside that part only; everywhere where it is empty.
void SceneRenderer::set_clip(const Box& clip) const {
  const DeviceBox box = device_box(clip, scale_);
  if (box.empty()) {
    glDisable(GL_SCISSOR_TEST);
    return;
  }
  glEnable(GL_SCISSOR_TEST);
  glScissor(box.x0, framebuffer_.height - box.y1, box.width(), box.height());
}

void SceneRenderer::draw_layer(const Scene& scene, ColumnTexture& columns) {
  rects_.reset(scale_, framebuffer_);
  const RectRange below = rects_.add(scene.below);
  const RectRange marks = rects_.add(scene.marks);
  const RectRange above = rects_.add(scene.above);
  upload_rects();
  draw_rects(below);
  draw_column_rows(scene, columns);
  draw_pictures(scene);
  draw_rects(marks);
  draw_rects(above);
}

void SceneRenderer::begin(const Scene& scene) const {
  glViewport(0, 0, framebuffer_.width, framebuffer_.height);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_CULL_FACE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glActiveTexture(GL_TEXTURE0);
  const auto background = as_floats(scene.background);
  glClearColor(background[0], background[1], background[2], background[3]);
  glClear(GL_COLOR_BUFFER_BIT);
}

void SceneRenderer::upload_rects() {
  const std::vector<RectInstance>& instances = rects_.instances();
  glBindBuffer(GL_ARRAY_BUFFER, rect_buffer_.name());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size() * sizeof(RectInstance)),
               instances.data(), GL_STREAM_DRAW);
}

void SceneRenderer::draw_rects(RectRange range) {
  if (range.count == 0) return;
  set_blending(range.blended);
  use(rect_program_, rect_clip_per_px_);
  glBindVertexArray(rect_array_.name());
  glBindBuffer(GL_ARRAY_BUFFER, rect_buffer_.name());
  const std::size_t offset = range.begin * sizeof(RectInstance);
  constexpr auto stride = static_cast<GLsizei>(sizeof(RectInstance));
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 4, GL_SHORT, GL_FALSE, stride,
                        buffer_offset(offset + offsetof(RectInstance, x0)));
  glVertexAttribDivisor(0, 1);
  glEnableVertexAttribArray(1);
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                        buffer_offset(offset + offsetof(RectInstance, color)));
  glVertexAttribDivisor(1, 1);
  glDrawArraysInstanced(GL_TRIANGLES, 0, vertices_per_quad, static_cast<GLsizei>(range.count));
}

void SceneRenderer::use(const Program& program, int clip_per_px) const {
  glUseProgram(program.name());
  glUniform2f(clip_per_px, 2.0F / static_cast<float>(framebuffer_.width),
              2.0F / static_cast<float>(framebuffer_.height));
}

void SceneRenderer::draw_quads(const std::vector<QuadInstance>& quads) {
  if (quads.empty()) return;
  use(picture_program_, picture_clip_per_px_);
  glBindVertexArray(quad_array_.name());
  glBindBuffer(GL_ARRAY_BUFFER, quad_buffer_.name());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(quads.size() * sizeof(QuadInstance)),
               quads.data(), GL_STREAM_DRAW);
  constexpr auto stride = static_cast<GLsizei>(sizeof(QuadInstance));
  for (GLuint i = 0; i < 2; ++i) {
    glEnableVertexAttribArray(i);
    glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, stride,
                          buffer_offset(std::size_t{i} * 4 * sizeof(float)));
    glVertexAttribDivisor(i, 1);
  }
  glDrawArraysInstanced(GL_TRIANGLES, 0, vertices_per_quad, static_cast<GLsizei>(quads.size()));
}

void SceneRenderer::draw_column_rows(const Scene& scene, ColumnTexture& columns) {
  const std::vector<ColumnTexture::Quad>& rows = columns.update(scene, framebuffer_, scale_);
  const float u_per_texel = 1.0F / static_cast<float>(std::max(columns.size().width, 1));
  const float v_per_texel = 1.0F / static_cast<float>(std::max(columns.size().height, 1));
  // Rows never overlap, so their order among each other does not matter.
  for (const bool solid : {true, false}) {
    quads_.clear();
    for (const ColumnTexture::Quad& row : rows) {
      if (row.opaque != solid) continue;
      quads_.push_back({as_floats(row.box),
                        {0, static_cast<float>(row.line) * v_per_texel,
                         static_cast<float>(row.width) * u_per_texel,
                         static_cast<float>(row.line + row.height) * v_per_texel}});
    }
    set_blending(!solid);
    draw_quads(quads_);
  }
}

void SceneRenderer::draw_pictures(const Scene& scene) {
  for (const PictureMark& mark : scene.pictures) {
    const DeviceBox box = device_box(mark.box, scale_);
    const DeviceBox clip = device_box(within(mark.clip, scene.clip), scale_);
    const PictureCache::Held picture = pictures_.hold(mark.picture);
    if (box.empty() || clip.empty() || picture.texture == 0) continue;
    glBindTexture(GL_TEXTURE_2D, picture.texture);
    glEnable(GL_SCISSOR_TEST);
    glScissor(clip.x0, framebuffer_.height - clip.y1, clip.width(), clip.height());
    quads_.assign(1, {as_floats(box), {0, 0, 1, 1}});
    set_blending(!picture.opaque);
    draw_quads(quads_);
  }
  set_clip(scene.clip);
}

}  // namespace bytescope::render::gl
