#include "render/gl/column_paint.h"

#include <algorithm>
#include <array>
#include <bit>

#include "render/gl/premultiply.h"

namespace bytescope::render::gl {
namespace {

using Packed = std::uint32_t;

Packed packed(Color color) { return std::bit_cast<Packed>(premultiplied(color)); }

/// Where each column changes from one colour to the next, counted in pixels from below. Arrays
/// instead of structs, so that the loop over pixels works on several columns at once.
struct Boundaries {
  std::vector<std::int32_t> first;   // top of the lowest area
  std::vector<std::int32_t> second;  // top of the middle one
  std::vector<std::int32_t> edge;    // bottom of the edge line
  std::vector<std::int32_t> total;   // top of everything
  std::vector<Packed> rest;          // what is above

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
  const std::array<Packed, 3> areas{packed(row.areas[0]), packed(row.areas[1]),
                                    packed(row.areas[2])};
  const Packed edge = packed(row.edge);
  const std::size_t width = out.width;
  for (std::uint32_t line = 0; line < out.height; ++line) {
    const auto y = static_cast<std::int32_t>(out.height - 1 - line);
    Color* pixels = out.pixels.data() + line * width;
    for (std::size_t i = 0; i < width; ++i) {
      Packed pixel = y < at.total[i] ? edge : at.rest[i];
      pixel = y < at.edge[i] ? areas[2] : pixel;
      pixel = y < at.second[i] && y < at.edge[i] ? areas[1] : pixel;
      pixel = y < at.first[i] && y < at.edge[i] ? areas[0] : pixel;
      pixels[i] = std::bit_cast<Color>(pixel);
    }
  }
}

}  // namespace

void paint(const ColumnRow& row, std::span<const Color> texels, std::uint32_t height_px,
           std::uint32_t edge_px, PaintedRow& out) {
  out.width = static_cast<std::uint32_t>(texels.size());
  out.height = row.kind == ColumnRow::Kind::bars ? height_px : 1;
  out.pixels.resize(std::size_t{out.width} * out.height);
  if (row.kind == ColumnRow::Kind::bars)
    paint_bars(row, boundaries(row, texels, height_px, edge_px), out);
  else
    std::transform(texels.begin(), texels.end(), out.pixels.begin(), premultiplied);
  out.opaque =
      std::all_of(out.pixels.begin(), out.pixels.end(), [](Color it) { return it.a == 255; });
}

}  // namespace bytescope::render::gl
