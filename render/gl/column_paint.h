#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/scene.h"

namespace bytescope::render::gl {

/// A premultiplied colour as 0xAARRGGBB, the order in which textures are stored (make_texture()).
using PackedColor = std::uint32_t;
PackedColor packed(Color color);

/// What a ColumnRow looks like: as wide as it has texels, the top row first.
struct PaintedRow {
  std::uint32_t width = 0;
  std::uint32_t height =
      0;  ///< 1 for colours, which are stretched; the row's device pixels for bars.
  std::vector<PackedColor> pixels;
  bool opaque = false;
};

/// Paints a row into `out`, whose memory is reused. `height_px` is the row's height and `edge_px`
/// the thickness of the edge line in device pixels. Costs O(texels × height) for bars: some 20 us
/// for 1,372 columns of 30 px. Why not a shader: a software rasteriser takes ten times as long to
/// run one per pixel as to copy a texture, and a painted row is drawn for many frames.
void paint(const ColumnRow& row, std::span<const Color> texels, std::uint32_t height_px,
           std::uint32_t edge_px, PaintedRow& out);

}  // namespace bytescope::render::gl
