#pragma once

#include <string_view>

#include "core/error.h"
#include "render/gl/object.h"

namespace bytescope::render::gl {

/// Compiles and links two of the shaders in assets/shaders, by file name. Fails with
/// ErrorKind::machine and the driver's own words.
Expected<Program> make_program(std::string_view vertex_file, std::string_view fragment_file);

/// The place of a uniform; -1 (which GL ignores) when the program does not use it.
int uniform(const Program& program, const char* name);

}  // namespace bytescope::render::gl
