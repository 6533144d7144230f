#include "render/gl/column_paint.h"

#include <random>

#include <gtest/gtest.h>

#include "tests/support/pure_colors.h"

namespace bytescope::render::gl {
namespace {

constexpr Color grey = rgb(0x444444);

ColumnRow bars(Color ghost, Color edge) {
  return {{0, 0, 1, 1}, ColumnRow::Kind::bars, 0, 1, {red, green, blue}, ghost, edge};
}

/// What scene.h says, pixel by pixel; `y` counts from below.
Color expected_pixel(const ColumnRow& row, Color texel, int y, int height, int edge) {
  if (texel.a == 0) return {};
  const auto px = [height](int value) { return (value * height * 2 + 255) / 510; };
  int tops[3] = {px(texel.r), px(texel.g), px(texel.b)};
  if (tops[2] == 0) {
    const int topmost = texel.r == texel.b ? 0 : texel.g == texel.b ? 1 : 2;
    for (int i = topmost; i < 3; ++i) tops[i] = 1;
  }
  if (y >= tops[2]) return row.ghost;
  if (row.edge.a != 0 && tops[2] > edge && y >= tops[2] - edge) return row.edge;
  for (int i = 0; i < 3; ++i)
    if (y < tops[i]) return row.areas[i];
  return {};
}

TEST(ColumnPaint, EveryPixelIsAsTheSceneSays) {
  std::mt19937 random(1);
  for (const int height : {1, 2, 7, 30, 61}) {
    for (const Color edge : {Color{}, white}) {
      const ColumnRow row = bars(grey, edge);
      std::vector<Color> texels(500);
      for (Color& texel : texels) {
        const auto total = static_cast<unsigned>(random() % 256);
        const auto middle = static_cast<unsigned>(random() % (total + 1));
        texel = {static_cast<std::uint8_t>(random() % (middle + 1)),
                 static_cast<std::uint8_t>(middle), static_cast<std::uint8_t>(total),
                 static_cast<std::uint8_t>(random() % 3)};
      }
      PaintedRow out;
      paint(row, texels, static_cast<std::uint32_t>(height), 2, out);
      ASSERT_EQ(out.width, 500U);
      ASSERT_EQ(out.height, static_cast<std::uint32_t>(height));
      EXPECT_FALSE(out.opaque);
      for (std::size_t x = 0; x < texels.size(); ++x) {
        for (int y = 0; y < height; ++y) {
          ASSERT_EQ(out.pixels[static_cast<std::size_t>(height - 1 - y) * 500 + x],
                    packed(expected_pixel(row, texels[x], y, height, 2)))
              << "column " << x << " line " << y << " of " << height;
        }
      }
    }
  }
}

TEST(ColumnPaint, ColoursAreOneLineAndPremultiplied) {
  ColumnRow row;
  PaintedRow out;
  paint(row, std::vector{red, faded(white, 0.5F), Color{}}, 30, 1, out);
  EXPECT_EQ(out.height, 1U);
  EXPECT_EQ(out.pixels, (std::vector<PackedColor>{0xFFFF0000, 0x80808080, 0}));
  EXPECT_FALSE(out.opaque);
}

TEST(ColumnPaint, KnowsWhatIsOpaque) {
  PaintedRow out;
  const auto opaque = [&](const ColumnRow& row, std::vector<Color> texels) {
    paint(row, texels, 4, 1, out);
    return out.opaque;
  };
  EXPECT_TRUE(opaque({}, {red, white}));
  EXPECT_FALSE(opaque({}, {red, faded(red, 0.9F)}));
  EXPECT_TRUE(opaque(bars(grey, {}), {{1, 2, 3, 1}}));
  EXPECT_FALSE(opaque(bars(grey, {}), {{1, 2, 3, 1}, {}}));
  EXPECT_FALSE(opaque(bars({}, {}), {{1, 2, 3, 1}}));
  EXPECT_FALSE(opaque(bars(grey, faded(white, 0.5F)), {{1, 2, 3, 1}}));
}

}  // namespace
}  // namespace bytescope::render::gl
