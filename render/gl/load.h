#pragma once

#include <string>

#include "core/error.h"

namespace bytescope::render::gl {

/// Where GL's functions come from, as GLFW and EGL hand them out.
using ProcAddress = void (*(*)(const char*))();

/// Loads the functions of OpenGL for the current context; to be called once for each context before
/// anything else here. Fails with ErrorKind::machine when it is older than 3.3.
Expected<void> load(ProcAddress proc_address);

/// The driver's own name and version: "llvmpipe (LLVM 15.0.6), OpenGL 4.5". Needs load().
std::string driver_text();

}  // namespace bytescope::render::gl
