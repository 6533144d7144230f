#include "render/gl/object.h"

#include <glad/gl.h>

namespace bytescope::render::gl {

void destroy_buffer(std::uint32_t name) { glDeleteBuffers(1, &name); }
void destroy_texture(std::uint32_t name) { glDeleteTextures(1, &name); }
void destroy_vertex_array(std::uint32_t name) { glDeleteVertexArrays(1, &name); }
void destroy_program(std::uint32_t name) { glDeleteProgram(name); }
void destroy_framebuffer(std::uint32_t name) { glDeleteFramebuffers(1, &name); }

Buffer make_buffer() {
  GLuint name = 0;
  glGenBuffers(1, &name);
  return Buffer(name);
}

Texture make_texture(int width, int height) {
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  // In just this combination Mesa stores blue first, as windows do. Its software rasteriser has
  // fast ways for nothing else: rectangles into such a texture, and copies from one, are four times
  // faster.
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_BGRA, GL_UNSIGNED_BYTE, nullptr);
  return Texture(name);
}

VertexArray make_vertex_array() {
  GLuint name = 0;
  glGenVertexArrays(1, &name);
  return VertexArray(name);
}

Framebuffer make_framebuffer() {
  GLuint name = 0;
  glGenFramebuffers(1, &name);
  return Framebuffer(name);
}

}  // namespace bytescope::render::gl
