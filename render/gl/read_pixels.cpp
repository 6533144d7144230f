#include "render/gl/read_pixels.h"

#include <algorithm>

#include <glad/gl.h>

namespace bytescope::render::gl {

Picture read_pixels(PixelSize size) {
  Picture out;
  out.width = static_cast<std::uint32_t>(std::max(size.width, 0));
  out.height = static_cast<std::uint32_t>(std::max(size.height, 0));
  out.pixels.resize(std::size_t{out.width} * out.height);
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, size.width, size.height, GL_RGBA, GL_UNSIGNED_BYTE, out.pixels.data());
  // GL counts rows from below.
  for (std::size_t top = 0; top < out.height / 2; ++top) {
    const auto upper = out.pixels.begin() + static_cast<std::ptrdiff_t>(top * out.width);
    const auto lower =
        out.pixels.begin() + static_cast<std::ptrdiff_t>((out.height - 1 - top) * out.width);
    std::swap_ranges(upper, upper + static_cast<std::ptrdiff_t>(out.width), lower);
  }
  return out;
}

}  // namespace bytescope::render::gl
