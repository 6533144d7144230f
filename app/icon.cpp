#include "app/icon.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "app/icon_shapes.h"

namespace bytescope::app {
namespace {

/// Samples of a pixel along each side.
constexpr int samples = 4;

bool holds(const IconShape& shape, float x, float y) {
  const float inner_x = std::clamp(x, shape.x + shape.radius, shape.x + shape.width - shape.radius);
  const float inner_y =
      std::clamp(y, shape.y + shape.radius, shape.y + shape.height - shape.radius);
  const float radius = std::max(shape.radius, 1e-4F);
  return std::hypot(x - inner_x, y - inner_y) <= radius;
}

/// What part of a pixel a shape covers.
float coverage(const IconShape& shape, int column, int row, float unit) {
  const auto place = [unit](int pixel, int sample) {
    return (static_cast<float>(pixel) + (static_cast<float>(sample) + 0.5F) / samples) * unit;
  };
  int inside = 0;
  for (int down = 0; down < samples; ++down) {
    for (int across = 0; across < samples; ++across)
      inside += holds(shape, place(column, across), place(row, down)) ? 1 : 0;
  }
  return static_cast<float>(inside) / (samples * samples);
}

/// Lays a colour over a pixel.
void blend(std::uint8_t* pixel, std::uint32_t rgb, float alpha) {
  const float below = static_cast<float>(pixel[3]) / 255;
  const float all = alpha + below * (1 - alpha);
  if (all <= 0) return;
  for (int channel = 0; channel < 3; ++channel) {
    const auto over = static_cast<float>((rgb >> (16 - 8 * channel)) & 0xFFU);
    const float mixed =
        (over * alpha + static_cast<float>(pixel[channel]) * below * (1 - alpha)) / all;
    pixel[channel] = static_cast<std::uint8_t>(std::lround(mixed));
  }
  pixel[3] = static_cast<std::uint8_t>(std::lround(all * 255));
}

}  // namespace

IconPicture icon_picture(int side_px) {
  IconPicture picture{side_px, {}};
  const auto side = static_cast<std::size_t>(std::max(side_px, 0));
  picture.rgba.resize(side * side * 4);
  const float unit = icon_side / static_cast<float>(std::max(side_px, 1));
  const auto first = [&](float place) { return std::max(static_cast<int>(place / unit), 0); };
  const auto last = [&](float place) {
    return std::min(static_cast<int>(place / unit) + 1, side_px);
  };
  for (const IconShape& shape : icon_shapes()) {
    for (int row = first(shape.y); row < last(shape.y + shape.height); ++row) {
      for (int column = first(shape.x); column < last(shape.x + shape.width); ++column) {
        std::uint8_t* pixel =
            &picture
                 .rgba[(static_cast<std::size_t>(row) * side + static_cast<std::size_t>(column)) *
                       4];
        blend(pixel, shape.rgb, coverage(shape, column, row, unit));
      }
    }
  }
  return picture;
}

}  // namespace bytescope::app
