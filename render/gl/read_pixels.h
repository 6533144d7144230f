#pragma once

#include "render/gl/device_box.h"
#include "render/scene.h"

namespace bytescope::render::gl {

/// What the bound framebuffer shows, from its lower left corner, `size` large; the top row comes
/// first. Waits for the GPU.
Picture read_pixels(PixelSize size);

}  // namespace bytescope::render::gl
