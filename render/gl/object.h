#pragma once

#include <cstdint>
#include <utility>

namespace bytescope::render::gl {

/// Owns the name of one GL object; must die while its context is current. 0 is none.
template <void (*destroy)(std::uint32_t)>
class Object {
public:
  Object() = default;
  explicit Object(std::uint32_t name) : name_(name) {}
  Object(Object&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  ~Object() {
    if (name_ != 0) destroy(name_);
  }

  std::uint32_t name() const { return name_; }

private:
  std::uint32_t name_ = 0;
};

void destroy_buffer(std::uint32_t name);
void destroy_texture(std::uint32_t name);
void destroy_vertex_array(std::uint32_t name);
void destroy_program(std::uint32_t name);
void destroy_framebuffer(std::uint32_t name);

using Buffer = Object<destroy_buffer>;
using Texture = Object<destroy_texture>;
using VertexArray = Object<destroy_vertex_array>;
using Program = Object<destroy_program>;
using Framebuffer = Object<destroy_framebuffer>;

Buffer make_buffer();
/// A 2D texture of RGBA8 texels without content, bound, that samples the nearest texel and clamps
/// to its edges.
Texture make_texture(int width, int height);
VertexArray make_vertex_array();
Framebuffer make_framebuffer();

}  // namespace bytescope::render::gl
