#pragma once

#include "render/color.h"

namespace bytescope::render {

/// A colour in OKLCH, where equal steps look equally large (Björn Ottosson, 2020).
struct Oklch {
  double lightness = 0;    ///< 0 black to 1 white.
  double chroma = 0;       ///< 0 grey; about 0.32 at most inside sRGB.
  double hue_degrees = 0;  ///< 0 to 360; any multiple of 360 added means the same.
};

/// The OKLCH coordinates of an sRGB colour; alpha is dropped.
Oklch oklch_from_color(Color color);

/// The opaque sRGB colour nearest to `coordinates`. What lies outside sRGB keeps its lightness and
/// hue and loses chroma until it fits. The way back from oklch_from_color is exact.
Color color_from_oklch(const Oklch& coordinates);

/// Relative luminance by WCAG 2, 0 to 1.
double luminance(Color color);

/// Contrast ratio by WCAG 2, 1 (equal) to 21 (black and white).
double contrast(Color a, Color b);

}  // namespace bytescope::render
