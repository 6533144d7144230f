#pragma once

#include <algorithm>
#include <cstdint>

namespace bytescope::trace {

/// A share in 1/255, rounded; below 0 and above 1 it is cut. Without a call: it is made for every
/// block of spans.
constexpr std::uint8_t byte_share(double share) {
  const auto halves = static_cast<std::uint32_t>(std::clamp(share, 0.0, 1.0) * 510);
  return static_cast<std::uint8_t>((halves + 1) / 2);
}

}  // namespace bytescope::trace
