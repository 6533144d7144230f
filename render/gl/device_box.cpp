#include "render/gl/device_box.h"

#include <algorithm>
#include <cmath>

namespace bytescope::render::gl {
namespace {

// Far outside any window, and yet whole numbers are exact as floats.
constexpr float farthest_px = 1 << 22;

// Also takes infinities and NaN (to the lower bound).
std::int32_t nearest_px(float px) {
  const float bounded = px > -farthest_px ? (px < farthest_px ? px : farthest_px) : -farthest_px;
  return static_cast<std::int32_t>(std::floor(bounded + 0.5F));
}

}  // namespace

DeviceBox device_box(const Box& box, float scale) {
  if (!(box.x0 < box.x1) || !(box.y0 < box.y1)) return {};
  DeviceBox out{nearest_px(box.x0 * scale), nearest_px(box.y0 * scale), nearest_px(box.x1 * scale),
                nearest_px(box.y1 * scale)};
  out.x1 = std::max(out.x1, out.x0 + 1);
  out.y1 = std::max(out.y1, out.y0 + 1);
  return out;
}

int device_length(float logical_px, float scale) {
  return std::max(1, static_cast<int>(std::lround(logical_px * scale)));
}

}  // namespace bytescope::render::gl
