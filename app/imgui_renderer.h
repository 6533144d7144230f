#pragma once

#include <cstdint>
#include <vector>

#include "core/error.h"
#include "render/gl/device_box.h"
#include "render/gl/object.h"
#include "render/gl/program.h"

struct ImDrawData;
struct ImDrawList;
struct ImDrawVert;

namespace bytescope::app {

/// Draws ImGui's lists with OpenGL. Why not ImGui's own backend: it draws in a way that costs the
/// software rasteriser twice as much, does not notice when the atlas was built anew, and brings a
/// GL loader of its own. Belongs to one GL context, like SceneRenderer. Callbacks in lists are not
/// called; we have none.
class ImGuiRenderer {
public:
  /// Tells the current ImGui context what it can do. Needs render::gl::load() before. Fails with
  /// ErrorKind::machine when the driver refuses a shader.
  static Expected<ImGuiRenderer> create();

  ImGuiRenderer(ImGuiRenderer&&) noexcept;
  ImGuiRenderer& operator=(ImGuiRenderer&&) noexcept;
  ImGuiRenderer(const ImGuiRenderer&) = delete;
  ImGuiRenderer& operator=(const ImGuiRenderer&) = delete;
  ~ImGuiRenderer();

  /// To be called before ImGui::NewFrame(): when the atlas was built anew, uploads its pixels and
  /// frees them.
  void begin_frame();
  /// Draws over what the bound framebuffer shows.
  void draw(const ImDrawData& data, render::gl::PixelSize framebuffer);

private:
  /// A stretch of vertices with its scissor box in device pixels, y upwards.
  struct Batch {
    int first = 0;
    int count = 0;
    std::uint32_t texture = 0;
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
  };

  ImGuiRenderer();
  void collect(const ImDrawData& data, render::gl::PixelSize framebuffer);
  void add(const ImDrawList& list, const ImDrawData& data, render::gl::PixelSize framebuffer);
  void set_state(const ImDrawData& data, render::gl::PixelSize framebuffer) const;

  render::gl::Program program_;
  int clip_per_unit_ = -1;
  render::gl::VertexArray array_;
  render::gl::Buffer buffer_;
  render::gl::Texture glyphs_;
  std::vector<ImDrawVert> vertices_;
  std::vector<Batch> batches_;
};

}  // namespace bytescope::app
