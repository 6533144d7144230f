#include "render/gl/column_paint.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "render/gl/premultiply.h"

namespace bytescope::render::gl {
namespace {

/// Where each column changes from one colour to the next, counted in pixels from below. Arrays
/// instead of structs, so that the loop over pixels works on several columns at once.
struct Boundaries {
  std::vector<std::int32_t> first;   // top of the lowest area
  std::vector<std::int32_t> second;  // top of the middle one
  std::vector<std::int32_t> edge;    // bottom of the edge line
  std::vector<std::int32_t> total;   // top of everything
  std::vector<PackedColor> rest;     // what is above

  void resize(std::size_t columns) {
    first.assign(columns, 0);
    second.assign(columns, 0);
    edge.assign(columns, 0);
    total.assign(columns, 0);
    rest.assign(columns, 0);
  }
};

std::int32_t height_of(std::uint8_t value, std::uint32_t height_px) {
  return static_cast<std::int32_t>((2 * value * height_px + 255) / 510);
}

void set_column(Boundaries& at, std::size_t column, Color texel, std::uint32_t height_px) {
  at.first[column] = height_of(texel.r, height_px);
  at.second[column] = std::max(height_of(texel.g, height_px), at.first[column]);
  at.total[column] = std::max(height_of(texel.b, height_px), at.second[column]);
  if (at.total[column] > 0) return;
  // Lower than a pixel: one pixel of the area that reaches the total first.
  at.total[column] = 1;
  at.second[column] = texel.g >= texel.b ? 1 : 0;
  at.first[column] = texel.r >= texel.b ? 1 : 0;
}

Boundaries boundaries(const ColumnRow& row, std::span<const Color> texels, std::uint32_t height_px,
                      std::uint32_t edge_px) {
  Boundaries out;
  out.resize(texels.size());
  const auto thickness = static_cast<std::int32_t>(row.edge.a == 0 ? 0 : edge_px);
  for (std::size_t i = 0; i < texels.size(); ++i) {
    if (texels[i].a == 0) continue;
    set_column(out, i, texels[i], height_px);
    out.edge[i] = out.total[i] > thickness ? out.total[i] - thickness : out.total[i];
    out.rest[i] = packed(row.ghost);
  }
  return out;
}

void paint_bars(const ColumnRow& row, const Boundaries& at, PaintedRow& out) {
  const std::array<PackedColor, 3> areas{packed(row.areas[0]), packed(row.areas[1]),
                                         packed(row.areas[2])};
  const PackedColor edge = packed(row.edge);
  const std::size_t width = out.width;
  for (std::uint32_t line = 0; line < out.height; ++line) {
    const auto y = static_cast<std::int32_t>(out.height - 1 - line);
    PackedColor* pixels = out.pixels.data() + line * width;
    // Without branches, and everything loaded beforehand: so it is done for many columns at once.
    for (std::size_t i = 0; i < width; ++i) {
      const PackedColor rest = at.rest[i];
      const std::int32_t first = at.first[i];
      const std::int32_t second = at.second[i];
      const std::int32_t edge_bottom = at.edge[i];
      PackedColor pixel = y < second ? areas[1] : areas[2];
      pixel = y < first ? areas[0] : pixel;
      pixel = y < edge_bottom ? pixel : edge;
      pixels[i] = y < at.total[i] ? pixel : rest;
    }
  }
}

bool opaque(const ColumnRow& row, std::span<const Color> texels) {
  const bool bars = row.kind == ColumnRow::Kind::bars;
  const auto solid = [](Color color) { return color.a == 255; };
  if (bars && !(solid(row.ghost) && std::all_of(std::begin(row.areas), std::end(row.areas), solid)))
    return false;
  if (bars && row.edge.a != 0 && !solid(row.edge)) return false;
  return std::all_of(texels.begin(), texels.end(),
                     [bars](Color texel) { return bars ? texel.a != 0 : texel.a == 255; });
}

}  // namespace

PackedColor packed(Color color) {
  const Color part = premultiplied(color);
  return PackedColor{part.a} << 24U | PackedColor{part.r} << 16U | PackedColor{part.g} << 8U |
         part.b;
}

void paint(const ColumnRow& row, std::span<const Color> texels, std::uint32_t height_px,
           std::uint32_t edge_px, PaintedRow& out) {
  out.width = static_cast<std::uint32_t>(texels.size());
  out.height = row.kind == ColumnRow::Kind::bars ? height_px : 1;
  out.opaque = opaque(row, texels);
  out.pixels.resize(std::size_t{out.width} * out.height);
  if (row.kind == ColumnRow::Kind::bars)
    paint_bars(row, boundaries(row, texels, height_px, edge_px), out);
  else
    std::transform(texels.begin(), texels.end(), out.pixels.begin(), packed);
}

}  // namespace bytescope::render::gl
