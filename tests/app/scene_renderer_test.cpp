#include "render/gl/scene_renderer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include <glad/gl.h>
#include <gtest/gtest.h>

#include "app/offscreen_egl.h"
#include "render/gl/read_pixels.h"
#include "tests/support/pure_colors.h"

namespace bytescope::render::gl {
namespace {

constexpr Color background = rgb(0x101010);
constexpr PixelSize scene_size{64, 48};

class SceneRendererTest : public testing::Test {
protected:
  void SetUp() override {
    auto made = app::OffscreenContext::create(scene_size);
    ASSERT_TRUE(made.has_value()) << text(made.error());
    context = std::move(*made);
    auto built = SceneRenderer::create();
    ASSERT_TRUE(built.has_value()) << text(built.error());
    renderer.emplace(std::move(*built));
    scene.background = background;
  }

  const Picture& draw(float scale = 1) {
    context->bind();
    renderer->draw(scene, scene_size, scale);
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    shown = context->pixels();
    return shown;
  }
  Color at(std::size_t x, std::size_t y) const { return shown.pixels.at(y * scene_size.width + x); }
  std::size_t count(Color color) const {
    return static_cast<std::size_t>(std::count(shown.pixels.begin(), shown.pixels.end(), color));
  }
  Color* texels(std::uint32_t& row) { return scene.add_texel_row(row); }

  std::unique_ptr<app::OffscreenContext> context;
  std::optional<SceneRenderer> renderer;
  Scene scene;
  Picture shown;
};

TEST_F(SceneRendererTest, EmptySceneShowsItsBackground) {
  draw();
  EXPECT_EQ(count(background), shown.pixels.size());
}

TEST_F(SceneRendererTest, PlainRectFillsExactlyItsPixels) {
  scene.marks = {{{10, 5, 14, 8}, red, red}};
  draw();
  EXPECT_EQ(count(red), 12U);
  EXPECT_EQ(at(10, 5), red);
  EXPECT_EQ(at(13, 7), red);
  EXPECT_EQ(at(14, 7), background);
  EXPECT_EQ(at(13, 8), background);
}

TEST_F(SceneRendererTest, RectSmallerThanAPixelShowsOne) {
  scene.marks = {{{10.1F, 5.6F, 10.2F, 5.7F}, red, red}};
  draw();
  EXPECT_EQ(count(red), 1U);
  EXPECT_EQ(at(10, 6), red);
}

TEST_F(SceneRendererTest, RectWithoutSizeOrNumbersShowsNothing) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  scene.marks = {{{10, 5, 10, 8}, red, red}, {{10, 5, 8, 8}, red, red}, {{nan, 0, 5, 5}, red, red}};
  draw();
  EXPECT_EQ(count(background), shown.pixels.size());
}

TEST_F(SceneRendererTest, RectThatReachesFarOutsideIsCut) {
  const float far = std::numeric_limits<float>::infinity();
  scene.marks = {{{-far, 40, far, 1e30F}, red, red}};
  draw();
  EXPECT_EQ(count(red), 64U * 8U);
}

TEST_F(SceneRendererTest, EdgedRectHasTopAndLeftEdge) {
  scene.marks = {{{10, 10, 20, 20}, red, blue}};
  draw();
  const Color left = mix(red, blue, 0.45F);
  EXPECT_EQ(count(blue), 20U);
  EXPECT_EQ(count(left), 8U);
  EXPECT_EQ(count(red), 72U);
  EXPECT_EQ(at(10, 11), blue);
  EXPECT_EQ(at(10, 12), left);
  EXPECT_EQ(at(11, 12), red);
}

TEST_F(SceneRendererTest, EdgesGrowWithTheScale) {
  scene.marks = {{{5, 5, 10, 10}, red, blue}};
  draw(2);
  EXPECT_EQ(count(blue), 40U);
  EXPECT_EQ(count(mix(red, blue, 0.45F)), 12U);
  EXPECT_EQ(count(red), 48U);
}

TEST_F(SceneRendererTest, TransparentRectMixesWithWhatIsBelow) {
  scene.below = {{{0, 0, 20, 20}, red, red}};
  scene.above = {{{10, 0, 20, 20}, faded(blue, 0.5F), faded(blue, 0.5F)}};
  draw();
  EXPECT_EQ(at(9, 0), red);
  EXPECT_NEAR(at(10, 0).r, 127, 1);
  EXPECT_NEAR(at(10, 0).b, 128, 1);
  EXPECT_EQ(at(10, 0).a, 255);
}

TEST_F(SceneRendererTest, LayersArePaintedInOrder) {
  scene.texel_width = 1;
  std::uint32_t row = 0;
  *texels(row) = green;
  scene.column_rows = {{{0, 1, 9, 5}, ColumnRow::Kind::colors, row, 1}};
  auto picture = std::make_shared<Picture>(Picture{1, 1, {white}});
  scene.below = {{{0, 0, 9, 5}, red, red}};
  scene.pictures = {{{0, 2, 9, 5}, {0, 0, 64, 48}, picture}};
  scene.marks = {{{0, 3, 9, 5}, blue, blue}};
  scene.above = {{{0, 4, 9, 5}, rgb(0x123456), rgb(0x123456)}};
  draw();
  EXPECT_EQ(at(0, 0), red);
  EXPECT_EQ(at(0, 1), green);
  EXPECT_EQ(at(0, 2), white);
  EXPECT_EQ(at(0, 3), blue);
  EXPECT_EQ(at(0, 4), rgb(0x123456));
}

TEST_F(SceneRendererTest, ColorColumnsShowEachTexelInItsColumn) {
  scene.texel_width = 8;
  std::uint32_t row = 0;
  texels(row)[0] = blue;  // another row before, which must not show
  Color* mine = texels(row);
  for (std::uint8_t i = 0; i < 5; ++i) mine[i] = {static_cast<std::uint8_t>(50 * i), 1, 2, 255};
  mine[3] = {};
  scene.column_rows = {{{7, 10, 12, 14}, ColumnRow::Kind::colors, row, 5}};
  draw();
  for (std::uint8_t i = 0; i < 5; ++i) {
    const Color expected =
        i == 3 ? background : Color{static_cast<std::uint8_t>(50 * i), 1, 2, 255};
    EXPECT_EQ(at(7U + i, 10), expected);
    EXPECT_EQ(at(7U + i, 13), expected);
  }
  EXPECT_EQ(at(6, 10), background);
  EXPECT_EQ(at(12, 10), background);
  EXPECT_EQ(at(7, 14), background);
}

TEST_F(SceneRendererTest, ColumnsStretchToTheirBox) {
  scene.texel_width = 2;
  std::uint32_t row = 0;
  Color* mine = texels(row);
  mine[0] = red;
  mine[1] = green;
  scene.column_rows = {{{0, 0, 4, 1}, ColumnRow::Kind::colors, row, 2}};
  draw(2);
  EXPECT_EQ(at(3, 0), red);
  EXPECT_EQ(at(4, 0), green);
  EXPECT_EQ(count(red), 8U);
  EXPECT_EQ(count(green), 8U);
}

TEST_F(SceneRendererTest, ColumnsFollowTexelsThatChange) {
  scene.texel_width = 1;
  std::uint32_t row = 0;
  *texels(row) = red;
  scene.column_rows = {{{0, 0, 1, 1}, ColumnRow::Kind::colors, row, 1}};
  draw();
  scene.texels[0] = green;
  draw();
  EXPECT_EQ(at(0, 0), green);
}

TEST_F(SceneRendererTest, RowsOutsideTheTexelsAreLeftOut) {
  scene.texel_width = 2;
  std::uint32_t row = 0;
  texels(row);
  scene.column_rows = {{{0, 0, 4, 1}, ColumnRow::Kind::colors, 1, 2},
                       {{0, 0, 4, 1}, ColumnRow::Kind::bars, 0, 3},
                       {{0, 0, 4, 1}, ColumnRow::Kind::bars, 0, 0}};
  draw();
  EXPECT_EQ(count(background), shown.pixels.size());
}

class BarsTest : public SceneRendererTest {
protected:
  /// Draws one column per texel in a row of `height` px whose top is at y = 4, and answers column x
  /// from the bottom up.
  void draw_bars(const std::vector<Color>& columns, int rows, Color ghost, Color edge) {
    scene.texel_width = static_cast<std::uint32_t>(columns.size());
    std::uint32_t row = 0;
    std::copy(columns.begin(), columns.end(), texels(row));
    height = static_cast<std::size_t>(rows);
    scene.column_rows = {
        {{0, 4, static_cast<float>(columns.size()), 4.0F + static_cast<float>(rows)},
         ColumnRow::Kind::bars,
         row,
         scene.texel_width,
         {red, green, blue},
         ghost,
         edge}};
    draw();
  }
  Color from_bottom(std::size_t x, std::size_t y) const { return at(x, 4 + height - 1 - y); }

  std::size_t height = 0;
};

TEST_F(BarsTest, HeightsAreExactForEveryValue) {
  for (int base = 0; base < 256; base += 60) {
    std::vector<Color> columns;
    for (int i = base; i < std::min(base + 60, 256); ++i) {
      const auto v = static_cast<std::uint8_t>(i);
      columns.push_back(
          {static_cast<std::uint8_t>(i / 3), static_cast<std::uint8_t>(i / 2), v, 255});
    }
    scene.clear();
    draw_bars(columns, 37, {}, {});
    for (std::size_t x = 0; x < columns.size(); ++x) {
      const auto px = [&](std::uint8_t v) {
        return static_cast<std::size_t>(std::lround(v * 37.0 / 255.0));
      };
      for (std::size_t y = 0; y < 37; ++y) {
        Color expected = background;
        if (y < px(columns[x].r))
          expected = red;
        else if (y < px(columns[x].g))
          expected = green;
        else if (y < px(columns[x].b))
          expected = blue;
        if (y == 0 && px(columns[x].b) == 0) continue;  // the pixel of touched columns, see below
        ASSERT_EQ(from_bottom(x, y), expected)
            << "value " << base + static_cast<int>(x) << " y " << y;
      }
    }
  }
}

TEST_F(BarsTest, TouchedColumnShowsOnePixelOfItsTopmostArea) {
  draw_bars({{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 255}, {0, 1, 1, 255}, {0, 1, 2, 255}}, 20, {},
            white);
  EXPECT_EQ(from_bottom(0, 0), background);
  EXPECT_EQ(from_bottom(1, 0), red);
  EXPECT_EQ(from_bottom(2, 0), red);
  EXPECT_EQ(from_bottom(3, 0), green);
  EXPECT_EQ(from_bottom(4, 0), blue);
  for (std::size_t x = 0; x < 5; ++x) EXPECT_EQ(from_bottom(x, 1), background);
}

TEST_F(BarsTest, GhostFillsTheRestOfTouchedColumnsAndTheEdgeIsOnTop) {
  const Color ghost = rgb(0x222222);
  draw_bars({{0, 0, 0, 0}, {0, 102, 204, 255}}, 10, ghost, white);
  for (std::size_t y = 0; y < 10; ++y) EXPECT_EQ(from_bottom(0, y), background);
  const Color expected[10] = {green, green, green, green, blue, blue, blue, white, ghost, ghost};
  for (std::size_t y = 0; y < 10; ++y) EXPECT_EQ(from_bottom(1, y), expected[y]) << y;
}

TEST_F(SceneRendererTest, PictureIsDrawnUnfilteredAndClipped) {
  auto picture = std::make_shared<Picture>(Picture{2, 2, {red, green, blue, faded(white, 0)}});
  scene.pictures = {{{10, 10, 14, 14}, {11, 0, 64, 48}, picture}};
  draw();
  EXPECT_EQ(at(10, 10), background);
  EXPECT_EQ(at(11, 10), red);
  EXPECT_EQ(at(12, 11), green);
  EXPECT_EQ(at(11, 12), blue);
  EXPECT_EQ(at(13, 13), background);
  EXPECT_EQ(count(red), 2U);
  EXPECT_EQ(count(green), 4U);
}

TEST_F(SceneRendererTest, PicturesLeaveTheGpuWhenNoLongerDrawn) {
  auto first = std::make_shared<Picture>(Picture{1, 1, {red}});
  auto second = std::make_shared<Picture>(Picture{1, 1, {green}});
  const Box box{0, 0, 2, 2};
  scene.pictures = {{box, box, first}, {box, box, second}};
  draw();
  EXPECT_EQ(renderer->picture_count(), 2U);
  scene.pictures = {{box, box, first}};
  draw();
  EXPECT_EQ(renderer->picture_count(), 1U);
  EXPECT_EQ(at(0, 0), red);
  EXPECT_EQ(first.use_count(), 3) << "ours, the scene's and the cache's";
  EXPECT_EQ(second.use_count(), 1);
}

TEST_F(SceneRendererTest, PictureWithTooFewPixelsShowsNothing) {
  scene.pictures = {{{0, 0, 9, 9}, {0, 0, 9, 9}, std::make_shared<Picture>(Picture{3, 3, {red}})},
                    {{0, 0, 9, 9}, {0, 0, 9, 9}, nullptr}};
  draw();
  EXPECT_EQ(count(background), shown.pixels.size());
}

TEST(OffscreenContext, RefusesSizesThatCannotBe) {
  for (const PixelSize bad : {PixelSize{0, 10}, PixelSize{10, -1}, PixelSize{1 << 20, 1 << 20}}) {
    const auto refused = app::OffscreenContext::create(bad);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().kind, ErrorKind::machine);
  }
}

}  // namespace
}  // namespace bytescope::render::gl
