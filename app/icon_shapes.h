#pragma once

#include <cstdint>
#include <span>

namespace bytescope::app {

/// A rectangle with rounded corners, in units of the drawing.
struct IconShape {
  float x;
  float y;
  float width;
  float height;
  float radius;
  std::uint32_t rgb;  ///< 0xRRGGBB
};

/// Side of the drawing.
constexpr float icon_side = 64;

/// The shapes of assets/icon/bytescope.svg from back to front; made while building.
std::span<const IconShape> icon_shapes();

}  // namespace bytescope::app
