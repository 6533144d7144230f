#include "render/oklch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bytescope::render {
namespace {

constexpr double degrees_per_radian = 180.0 / std::numbers::pi;

struct LinearRgb {
  double r = 0;
  double g = 0;
  double b = 0;
};

double linear_from_srgb(std::uint8_t value) {
  const double x = value / 255.0;
  return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

std::uint8_t srgb_from_linear(double value) {
  const double x = std::clamp(value, 0.0, 1.0);
  const double encoded = x <= 0.0031308 ? x * 12.92 : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(encoded * 255.0));
}

LinearRgb linear_from_color(Color color) {
  return {linear_from_srgb(color.r), linear_from_srgb(color.g), linear_from_srgb(color.b)};
}

LinearRgb linear_from_oklch(const Oklch& c) {
  const double a = c.chroma * std::cos(c.hue_degrees / degrees_per_radian);
  const double b = c.chroma * std::sin(c.hue_degrees / degrees_per_radian);
  const double l = std::pow(c.lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(c.lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(c.lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

// A little slack, so that the corners of sRGB survive the rounded matrices.
bool displayable(const LinearRgb& c) {
  const auto inside = [](double x) { return x >= -1e-4 && x <= 1 + 1e-4; };
  return inside(c.r) && inside(c.g) && inside(c.b);
}

LinearRgb nearest_displayable(const Oklch& wanted) {
  const LinearRgb exact = linear_from_oklch(wanted);
  if (displayable(exact)) return exact;
  Oklch inside = wanted;
  inside.chroma = 0;
  double outside_chroma = wanted.chroma;
  for (int step = 0; step < 24; ++step) {
    Oklch middle = wanted;
    middle.chroma = (inside.chroma + outside_chroma) / 2;
    if (displayable(linear_from_oklch(middle))) {
      inside = middle;
    } else {
      outside_chroma = middle.chroma;
    }
  }
  return linear_from_oklch(inside);
}

}  // namespace

Oklch oklch_from_color(Color color) {
  const LinearRgb rgb = linear_from_color(color);
  const double l = std::cbrt(0.4122214708 * rgb.r + 0.5363325363 * rgb.g + 0.0514459929 * rgb.b);
  const double m = std::cbrt(0.2119034982 * rgb.r + 0.6806995451 * rgb.g + 0.1073969566 * rgb.b);
  const double s = std::cbrt(0.0883024619 * rgb.r + 0.2817188376 * rgb.g + 0.6299787005 * rgb.b);
  const double a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
  const double b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
  const double hue = std::atan2(b, a) * degrees_per_radian;
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s, std::hypot(a, b),
          hue < 0 ? hue + 360 : hue};
}

Color color_from_oklch(const Oklch& coordinates) {
  const LinearRgb rgb = nearest_displayable(coordinates);
  return {srgb_from_linear(rgb.r), srgb_from_linear(rgb.g), srgb_from_linear(rgb.b), 255};
}

double luminance(Color color) {
  const LinearRgb rgb = linear_from_color(color);
  return 0.2126 * rgb.r + 0.7152 * rgb.g + 0.0722 * rgb.b;
}

double contrast(Color a, Color b) {
  const double first = luminance(a) + 0.05;
  const double second = luminance(b) + 0.05;
  return std::max(first, second) / std::min(first, second);
}

}  // namespace bytescope::render
