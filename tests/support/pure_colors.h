#pragma once

#include "render/color.h"

namespace bytescope::render {

constexpr Color red = rgb(0xFF0000);
constexpr Color green = rgb(0x00FF00);
constexpr Color blue = rgb(0x0000FF);
constexpr Color white = rgb(0xFFFFFF);

}  // namespace bytescope::render
