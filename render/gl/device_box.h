#pragma once

#include <cstdint>

#include "render/scene.h"

namespace bytescope::render::gl {

/// The size of a framebuffer in device pixels.
struct PixelSize {
  int width = 0;
  int height = 0;
  constexpr bool operator==(const PixelSize&) const = default;
};

/// Whole device pixels, half open; y grows downwards.
struct DeviceBox {
  std::int32_t x0 = 0;
  std::int32_t y0 = 0;
  std::int32_t x1 = 0;
  std::int32_t y1 = 0;
  int width() const { return x1 - x0; }
  int height() const { return y1 - y0; }
  bool empty() const { return x1 <= x0 || y1 <= y0; }
  bool operator==(const DeviceBox&) const = default;
};

/// The device pixels of a box: edges rounded to the nearest pixel, at least one pixel each way for
/// a box of positive size, none for any other. Takes any float; edges stay within 4 million pixels.
DeviceBox device_box(const Box& box, float scale);

/// A length in device pixels: rounded, at least one.
int device_length(float logical_px, float scale);

}  // namespace bytescope::render::gl
