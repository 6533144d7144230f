#include "app/icon.h"

#include <array>
#include <cstddef>

#include <gtest/gtest.h>

#include "app/icon_shapes.h"

namespace bytescope::tests {
namespace {

using Pixel = std::array<int, 4>;

Pixel pixel(const app::IconPicture& picture, int x, int y) {
  const std::uint8_t* at =
      &picture.rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.side_px) +
                     static_cast<std::size_t>(x)) *
                    4];
  return {at[0], at[1], at[2], at[3]};
}

TEST(Icon, IsRoundedAndShowsItsShapesAtEverySize) {
  ASSERT_GT(app::icon_shapes().size(), 5U);
  for (const int side : {16, 24, 32, 48, 64, 128, 256}) {
    const app::IconPicture picture = app::icon_picture(side);
    ASSERT_EQ(picture.rgba.size(), static_cast<std::size_t>(side * side * 4));
    EXPECT_EQ(pixel(picture, 0, 0)[3], 0);
    EXPECT_EQ(pixel(picture, side / 2, side / 10)[3], 255);
    // The middle of the first span, in the first shape's colour over the plate.
    const app::IconShape& span = app::icon_shapes()[1];
    const auto at = [side](float place) {
      return static_cast<int>(place / app::icon_side * static_cast<float>(side));
    };
    const Pixel seen = pixel(picture, at(span.x + span.width / 2), at(span.y + span.height / 2));
    EXPECT_EQ(seen,
              (Pixel{static_cast<int>(span.rgb >> 16U), static_cast<int>(span.rgb >> 8U & 0xFFU),
                     static_cast<int>(span.rgb & 0xFFU), 255}))
        << side;
  }
}

TEST(Icon, OfNoSizeIsNothing) { EXPECT_TRUE(app::icon_picture(0).rgba.empty()); }

}  // namespace
}  // namespace bytescope::tests
