#include "app/imgui_renderer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <glad/gl.h>
#include <imgui.h>

#include "render/gl/buffer_offset.h"

namespace bytescope::app {
namespace {

using render::gl::buffer_offset;
using render::gl::PixelSize;

// llvmpipe draws pairs of triangles that form a rectangle in a fast way, provided that it is handed
// whole pairs; it cuts longer arrays where it likes.
constexpr int vertices_at_once = 6 * 100;

// ImGui's texture ids are pointers or numbers, as it was configured.
template <class Id>
Id texture_id(std::uint32_t name) {
  if constexpr (std::is_pointer_v<Id>)
    return std::bit_cast<Id>(std::uintptr_t{name});
  else
    return static_cast<Id>(name);
}

template <class Id>
std::uint32_t texture_name(Id id) {
  if constexpr (std::is_pointer_v<Id>)
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(id));
  else
    return static_cast<std::uint32_t>(id);
}

// ImGui puts glyphs on whole logical pixels, which may be between two device pixels. Whatever is
// not plain colour is a glyph.
void snap_glyphs(std::vector<ImDrawVert>& vertices, const ImVec2& scale) {
  const ImVec2 plain = ImGui::GetIO().Fonts->TexUvWhitePixel;
  for (ImDrawVert& vertex : vertices) {
    if (vertex.uv.x == plain.x && vertex.uv.y == plain.y) continue;
    vertex.pos.x = std::floor(vertex.pos.x * scale.x + 0.5F) / scale.x;
    vertex.pos.y = std::floor(vertex.pos.y * scale.y + 0.5F) / scale.y;
  }
}

}  // namespace

ImGuiRenderer::ImGuiRenderer() = default;
ImGuiRenderer::ImGuiRenderer(ImGuiRenderer&&) noexcept = default;
ImGuiRenderer& ImGuiRenderer::operator=(ImGuiRenderer&&) noexcept = default;
ImGuiRenderer::~ImGuiRenderer() = default;

Expected<ImGuiRenderer> ImGuiRenderer::create() {
  auto program = render::gl::make_program("glyph.vert", "glyph.frag");
  if (!program) return tl::unexpected(program.error());
  ImGuiRenderer out;
  out.program_ = std::move(*program);
  out.clip_per_unit_ = render::gl::uniform(out.program_, "clip_per_unit");
  out.array_ = render::gl::make_vertex_array();
  out.buffer_ = render::gl::make_buffer();
  ImGuiIO& io = ImGui::GetIO();
  io.BackendRendererName = "bytescope";
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  return out;
}

void ImGuiRenderer::begin_frame() {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  if (glyphs_.name() != 0 && atlas.TexPixelsAlpha8 == nullptr) return;
  unsigned char* alpha = nullptr;
  int width = 0;
  int height = 0;
  atlas.GetTexDataAsAlpha8(&alpha, &width, &height);
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(width) *
                                    static_cast<std::size_t>(height));
  std::transform(alpha, alpha + pixels.size(), pixels.begin(),
                 [](unsigned char value) { return std::uint32_t{value} * 0x01010101U; });
  glActiveTexture(GL_TEXTURE0);
  glyphs_ = render::gl::make_texture(width, height);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_BGRA, GL_UNSIGNED_BYTE, pixels.data());
  atlas.SetTexID(texture_id<ImTextureID>(glyphs_.name()));
  atlas.ClearTexData();
}

void ImGuiRenderer::draw(const ImDrawData& data, PixelSize framebuffer) {
  collect(data, framebuffer);
  if (vertices_.empty()) return;
  set_state(data, framebuffer);
  for (const Batch& batch : batches_) {
    glBindTexture(GL_TEXTURE_2D, batch.texture);
    glScissor(batch.x, batch.y, batch.width, batch.height);
    for (int done = 0; done < batch.count; done += vertices_at_once)
      glDrawArrays(GL_TRIANGLES, batch.first + done,
                   std::min(vertices_at_once, batch.count - done));
  }
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  glBindVertexArray(0);
  glUseProgram(0);
}

void ImGuiRenderer::collect(const ImDrawData& data, PixelSize framebuffer) {
  vertices_.clear();
  batches_.clear();
  for (int i = 0; i < data.CmdListsCount; ++i) add(*data.CmdLists[i], data, framebuffer);
  if (data.FramebufferScale.x != std::floor(data.FramebufferScale.x))
    snap_glyphs(vertices_, data.FramebufferScale);
}

void ImGuiRenderer::add(const ImDrawList& list, const ImDrawData& data, PixelSize framebuffer) {
  for (const ImDrawCmd& command : list.CmdBuffer) {
    const auto device = [](float position, float origin, float scale, int size) {
      return std::clamp(static_cast<int>(std::lround((position - origin) * scale)), 0, size);
    };
    const ImVec4& clip = command.ClipRect;
    const ImVec2& origin = data.DisplayPos;
    const ImVec2& scale = data.FramebufferScale;
    const int x0 = device(clip.x, origin.x, scale.x, framebuffer.width);
    const int y0 = device(clip.y, origin.y, scale.y, framebuffer.height);
    const int x1 = device(clip.z, origin.x, scale.x, framebuffer.width);
    const int y1 = device(clip.w, origin.y, scale.y, framebuffer.height);
    if (command.UserCallback != nullptr || x0 >= x1 || y0 >= y1) continue;
    batches_.push_back({static_cast<int>(vertices_.size()), static_cast<int>(command.ElemCount),
                        texture_name(command.GetTexID()), x0, framebuffer.height - y1, x1 - x0,
                        y1 - y0});
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
    for (unsigned i = 0; i < command.ElemCount; ++i) vertices_.push_back(vertices[indices[i]]);
  }
}

void ImGuiRenderer::set_state(const ImDrawData& data, PixelSize framebuffer) const {
  glViewport(0, 0, framebuffer.width, framebuffer.height);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glEnable(GL_SCISSOR_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glActiveTexture(GL_TEXTURE0);
  glUseProgram(program_.name());
  glUniform2f(clip_per_unit_, 2 / data.DisplaySize.x, 2 / data.DisplaySize.y);
  glBindVertexArray(array_.name());
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.name());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices_.size() * sizeof(ImDrawVert)),
               vertices_.data(), GL_STREAM_DRAW);
  constexpr auto stride = static_cast<GLsizei>(sizeof(ImDrawVert));
  for (GLuint i = 0; i < 3; ++i) glEnableVertexAttribArray(i);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, stride, buffer_offset(offsetof(ImDrawVert, pos)));
  glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, stride, buffer_offset(offsetof(ImDrawVert, uv)));
  glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                        buffer_offset(offsetof(ImDrawVert, col)));
}

}  // namespace bytescope::app
