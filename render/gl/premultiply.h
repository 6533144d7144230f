#pragma once

#include "render/color.h"

namespace bytescope::render::gl {

/// The colour with its alpha multiplied into it, as everything here is blended.
constexpr Color premultiplied(Color color) {
  const auto part = [alpha = color.a](std::uint8_t value) {
    return static_cast<std::uint8_t>((value * alpha + 127) / 255);
  };
  return {part(color.r), part(color.g), part(color.b), color.a};
}

}  // namespace bytescope::render::gl
