#include "render/scene.h"

#include <gtest/gtest.h>
namespace bytescope::render {
TEST(Scene, TexelRowsAreZeroAndNumbered) {
  Scene scene;
  scene.texel_width = 4;
  std::uint32_t row = 9;
  scene.add_texel_row(row)[3] = rgb(0xFF0000);
  EXPECT_EQ(row, 0U);
  EXPECT_EQ(scene.add_texel_row(row)[0], Color{});
  EXPECT_EQ(row, 1U);
  EXPECT_EQ(scene.texels.size(), 8U);
}
}  // namespace bytescope::render
