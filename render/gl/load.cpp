#include "render/gl/load.h"

#include <fmt/format.h>
#include <glad/gl.h>

namespace bytescope::render::gl {
namespace {

std::string gl_text(GLenum name) {
  const GLubyte* text = glGetString(name);
  return text == nullptr ? std::string("unknown") : reinterpret_cast<const char*>(text);
}

}  // namespace

Expected<void> load(ProcAddress proc_address) {
  const int version = gladLoadGL(proc_address);
  if (version == 0)
    return failure(ErrorKind::machine, "OpenGL 3.3 is needed, but this system offers none");
  if (GLAD_VERSION_MAJOR(version) * 10 + GLAD_VERSION_MINOR(version) < 33) {
    return failure(ErrorKind::machine,
                   fmt::format("OpenGL 3.3 is needed, but this system offers {}.{} ({})",
                               GLAD_VERSION_MAJOR(version), GLAD_VERSION_MINOR(version),
                               gl_text(GL_RENDERER)));
  }
  return {};
}

std::string driver_text() {
  return fmt::format("{}, OpenGL {}", gl_text(GL_RENDERER), gl_text(GL_VERSION));
}

}  // namespace bytescope::render::gl
