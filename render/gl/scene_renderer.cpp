#include "render/gl/scene_renderer.h"

#include <algorithm>
#include <cstddef>

#include <glad/gl.h>

namespace bytescope::render::gl {
namespace {

constexpr GLsizei vertices_per_quad = 6;

std::array<float, 4> as_floats(Color color) {
  const auto part = [](std::uint8_t value) { return static_cast<float>(value) / 255.0F; };
  return {part(color.r), part(color.g), part(color.b), part(color.a)};
}

void set_blending(bool on) {
  if (on)
    glEnable(GL_BLEND);
  else
    glDisable(GL_BLEND);
}

void set_box(int location, DeviceBox box) {
  glUniform4f(location, static_cast<float>(box.x0), static_cast<float>(box.y0),
              static_cast<float>(box.x1), static_cast<float>(box.y1));
}

bool opaque(const Scene& scene, const ColumnRow& row) {
  const Color* texels = scene.texels.data() + std::size_t{row.texel_row} * scene.texel_width;
  return std::all_of(texels, texels + row.texel_count, [](Color it) { return it.a == 255; });
}

void* buffer_offset(std::size_t bytes) {
  return reinterpret_cast<void*>(bytes);  // what GL makes of a pointer while a buffer is bound
}

}  // namespace

Expected<SceneRenderer::QuadProgram> SceneRenderer::quad_program(const char* fragment_file) {
  auto program = make_program("quad.vert", fragment_file);
  if (!program) return tl::unexpected(program.error());
  QuadProgram out{std::move(*program), {}};
  out.at.box_px = uniform(out.program, "box_px");
  out.at.clip_per_px = uniform(out.program, "clip_per_px");
  out.at.columns = uniform(out.program, "columns");
  out.at.heights = uniform(out.program, "heights");
  out.at.areas = uniform(out.program, "areas");
  out.at.ghost = uniform(out.program, "ghost");
  out.at.edge = uniform(out.program, "edge");
  return out;
}

Expected<SceneRenderer> SceneRenderer::create() {
  SceneRenderer out;
  auto rect = make_program("rect.vert", "rect.frag");
  if (!rect) return tl::unexpected(rect.error());
  out.rect_program_ = std::move(*rect);
  out.rect_clip_per_px_ = uniform(out.rect_program_, "clip_per_px");
  struct Wanted {
    QuadProgram* into;
    const char* fragment_file;
  };
  for (const Wanted wanted : {Wanted{&out.colors_, "colors.frag"}, Wanted{&out.bars_, "bars.frag"},
                              Wanted{&out.picture_, "picture.frag"}}) {
    auto program = quad_program(wanted.fragment_file);
    if (!program) return tl::unexpected(program.error());
    *wanted.into = std::move(*program);
  }
  out.rect_array_ = make_vertex_array();
  out.quad_array_ = make_vertex_array();
  out.rect_buffer_ = make_buffer();
  return out;
}

void SceneRenderer::draw(const Scene& scene, PixelSize framebuffer, float scale) {
  framebuffer_ = framebuffer;
  scale_ = scale;
  begin(scene);
  rects_.reset(scale, framebuffer);
  const RectRange below = rects_.add(scene.below);
  const RectRange marks = rects_.add(scene.marks);
  const RectRange above = rects_.add(scene.above);
  upload_rects();
  draw_rects(below);
  draw_column_rows(scene);
  draw_pictures(scene);
  draw_rects(marks);
  draw_rects(above);
  glBindVertexArray(0);
  glUseProgram(0);
  set_blending(false);
}

void SceneRenderer::begin(const Scene& scene) {
  glViewport(0, 0, framebuffer_.width, framebuffer_.height);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_CULL_FACE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
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
  glUseProgram(rect_program_.name());
  glUniform2f(rect_clip_per_px_, 2.0F / static_cast<float>(framebuffer_.width),
              2.0F / static_cast<float>(framebuffer_.height));
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

void SceneRenderer::use(const QuadProgram& quad) const {
  glUseProgram(quad.program.name());
  glUniform2f(quad.at.clip_per_px, 2.0F / static_cast<float>(framebuffer_.width),
              2.0F / static_cast<float>(framebuffer_.height));
}

void SceneRenderer::draw_column_rows(const Scene& scene) {
  if (scene.column_rows.empty()) return;
  texels_.upload(scene);
  glBindVertexArray(quad_array_.name());
  // A program at a time: rows never overlap, so their order among each other does not matter.
  for (const ColumnRow::Kind kind : {ColumnRow::Kind::colors, ColumnRow::Kind::bars}) {
    use(kind == ColumnRow::Kind::colors ? colors_ : bars_);
    for (const ColumnRow& row : scene.column_rows)
      if (row.kind == kind) draw_column_row(scene, row);
  }
}

void SceneRenderer::draw_column_row(const Scene& scene, const ColumnRow& row) {
  const DeviceBox box = device_box(row.box, scale_);
  if (box.empty() || row.texel_row >= texels_.rows() || row.texel_count == 0 ||
      row.texel_count > scene.texel_width)
    return;
  const QuadUniforms& at = row.kind == ColumnRow::Kind::colors ? colors_.at : bars_.at;
  set_box(at.box_px, box);
  glUniform4f(at.columns, static_cast<float>(box.x0),
              static_cast<float>(row.texel_count) / static_cast<float>(box.width()),
              static_cast<float>(row.texel_count - 1), static_cast<float>(row.texel_row));
  bool solid = opaque(scene, row);
  if (row.kind == ColumnRow::Kind::bars) {
    glUniform3f(at.heights, static_cast<float>(framebuffer_.height - box.y1),
                static_cast<float>(box.height()),
                row.edge.a == 0 ? 0.0F : static_cast<float>(device_length(1, scale_)));
    std::array<float, 12> areas{};
    for (std::size_t i = 0; i < 3; ++i)
      std::ranges::copy(as_floats(row.areas[i]),
                        areas.begin() + static_cast<std::ptrdiff_t>(4 * i));
    glUniform4fv(at.areas, 3, areas.data());
    glUniform4fv(at.ghost, 1, as_floats(row.ghost).data());
    glUniform4fv(at.edge, 1, as_floats(row.edge).data());
    solid = solid && row.ghost.a == 255;
  }
  set_blending(!solid);
  glDrawArrays(GL_TRIANGLES, 0, vertices_per_quad);
}

void SceneRenderer::draw_pictures(const Scene& scene) {
  if (!scene.pictures.empty()) {
    use(picture_);
    glBindVertexArray(quad_array_.name());
    set_blending(true);
    glEnable(GL_SCISSOR_TEST);
    for (const PictureMark& mark : scene.pictures) {
      const DeviceBox box = device_box(mark.box, scale_);
      const DeviceBox clip = device_box(mark.clip, scale_);
      const std::uint32_t texture = pictures_.texture(mark.picture);
      if (box.empty() || clip.empty() || texture == 0) continue;
      glBindTexture(GL_TEXTURE_2D, texture);
      glScissor(clip.x0, framebuffer_.height - clip.y1, clip.width(), clip.height());
      set_box(picture_.at.box_px, box);
      glDrawArrays(GL_TRIANGLES, 0, vertices_per_quad);
    }
    glDisable(GL_SCISSOR_TEST);
  }
  pictures_.end_frame();
}

}  // namespace bytescope::render::gl
