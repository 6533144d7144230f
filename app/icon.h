#pragma once

#include <cstdint>
#include <vector>

namespace bytescope::app {

/// A square picture, 8 bits each of red, green, blue and alpha a pixel, rows from the top.
struct IconPicture {
  int side_px = 0;
  std::vector<std::uint8_t> rgba;
};

/// The program's icon (assets/icon/bytescope.svg) at a size in pixels, edges smoothed.
IconPicture icon_picture(int side_px);

}  // namespace bytescope::app
