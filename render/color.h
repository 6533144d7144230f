#pragma once

#include <cstdint>

namespace bytescope::render {

/// An sRGB colour with alpha, in the byte order that GL and ImGui take (red first in memory).
struct Color {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  std::uint8_t a = 0;
  constexpr bool operator==(const Color&) const = default;
};
static_assert(sizeof(Color) == 4);

/// An opaque colour from 0xRRGGBB.
constexpr Color rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16U), static_cast<std::uint8_t>(hex >> 8U),
          static_cast<std::uint8_t>(hex), 255};
}

/// The colour `t` of the way from `a` to `b` (0 to 1), mixed as sRGB numbers.
constexpr Color mix(Color a, Color b, float t) {
  const auto part = [t](std::uint8_t from, std::uint8_t to) {
    const float mixed =
        static_cast<float>(from) + (static_cast<float>(to) - static_cast<float>(from)) * t;
    // lround() is no constant expression, and nothing here is negative.
    return static_cast<std::uint8_t>(mixed + 0.5F);  // NOLINT(bugprone-incorrect-roundings)
  };
  return {part(a.r, b.r), part(a.g, b.g), part(a.b, b.b), part(a.a, b.a)};
}

/// The same colour with another alpha (0 to 1).
constexpr Color faded(Color color, float alpha) {
  color.a =
      static_cast<std::uint8_t>(alpha * 255.0F + 0.5F);  // NOLINT(bugprone-incorrect-roundings)
  return color;
}

}  // namespace bytescope::render
