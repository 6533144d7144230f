#pragma once

#include <string>

#include "core/error.h"
#include "render/scene.h"

namespace bytescope::app {

/// Writes a picture as an opaque PNG (alpha is dropped), whole or not at all. Fails with
/// ErrorKind::machine when it cannot be written.
Expected<void> write_png(const render::Picture& picture, const std::string& path);

}  // namespace bytescope::app
