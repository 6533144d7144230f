#include "render/gl/program.h"

#include <string>

#include <fmt/format.h>
#include <glad/gl.h>

#include "render/gl/shaders.h"

namespace bytescope::render::gl {
namespace {

void destroy_shader(std::uint32_t name) { glDeleteShader(name); }
using ShaderObject = Object<destroy_shader>;

Expected<ShaderObject> compile(GLenum stage, std::string_view file) {
  const std::string_view source = shader_text(file);
  ShaderObject shader(glCreateShader(stage));
  const char* text = source.data();
  const auto length = static_cast<GLint>(source.size());
  glShaderSource(shader.name(), 1, &text, &length);
  glCompileShader(shader.name());
  GLint ok = GL_FALSE;
  glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &ok);
  if (ok == GL_TRUE) return shader;
  std::string log(1024, '\0');
  GLsizei log_length = 0;
  glGetShaderInfoLog(shader.name(), static_cast<GLsizei>(log.size()), &log_length, log.data());
  log.resize(static_cast<std::size_t>(log_length));
  return failure(ErrorKind::machine,
                 fmt::format("the OpenGL driver refuses the shader {}: {}", file, log));
}

}  // namespace

Expected<Program> make_program(std::string_view vertex_file, std::string_view fragment_file) {
  auto vertex = compile(GL_VERTEX_SHADER, vertex_file);
  if (!vertex) return tl::unexpected(vertex.error());
  auto fragment = compile(GL_FRAGMENT_SHADER, fragment_file);
  if (!fragment) return tl::unexpected(fragment.error());
  Program program(glCreateProgram());
  glAttachShader(program.name(), vertex->name());
  glAttachShader(program.name(), fragment->name());
  glLinkProgram(program.name());
  glDetachShader(program.name(), vertex->name());
  glDetachShader(program.name(), fragment->name());
  GLint ok = GL_FALSE;
  glGetProgramiv(program.name(), GL_LINK_STATUS, &ok);
  if (ok == GL_TRUE) return program;
  std::string log(1024, '\0');
  GLsizei log_length = 0;
  glGetProgramInfoLog(program.name(), static_cast<GLsizei>(log.size()), &log_length, log.data());
  log.resize(static_cast<std::size_t>(log_length));
  return failure(ErrorKind::machine, fmt::format("the OpenGL driver cannot link {} and {}: {}",
                                                 vertex_file, fragment_file, log));
}

int uniform(const Program& program, const char* name) {
  return glGetUniformLocation(program.name(), name);
}

}  // namespace bytescope::render::gl
