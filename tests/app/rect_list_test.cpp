#include "render/gl/rect_list.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/pure_colors.h"

namespace bytescope::render::gl {
namespace {

constexpr PixelSize list_size{100, 50};

TEST(DeviceBox, RoundsToTheNearestPixelAtAnyScale) {
  EXPECT_EQ(device_box({1.4F, 1.6F, 5.5F, 9}, 1), (DeviceBox{1, 2, 6, 9}));
  EXPECT_EQ(device_box({1, 1, 2, 2}, 1.5F), (DeviceBox{2, 2, 3, 3}));
  EXPECT_EQ(device_box({-3.6F, 0, 1, 1}, 1), (DeviceBox{-4, 0, 1, 1}));
}

TEST(DeviceBox, PositiveSizesKeepAPixelAndOthersHaveNone) {
  EXPECT_EQ(device_box({1.1F, 1.1F, 1.2F, 1.2F}, 1), (DeviceBox{1, 1, 2, 2}));
  EXPECT_TRUE(device_box({1, 1, 1, 2}, 1).empty());
  EXPECT_TRUE(device_box({3, 1, 1, 2}, 1).empty());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(device_box({nan, 1, 1, 2}, 1).empty());
}

TEST(RectList, TakesEdgesApartWithoutOverlap) {
  RectList list;
  list.reset(1, list_size);
  const RectRange range = list.add(std::vector<RectMark>{{{10, 10, 20, 20}, red, blue}});
  EXPECT_EQ(range.count, 3U);
  EXPECT_FALSE(range.blended);
  int area = 0;
  for (const RectInstance& it : list.instances()) area += (it.x1 - it.x0) * (it.y1 - it.y0);
  EXPECT_EQ(area, 100);
}

TEST(RectList, LeavesOutWhatCannotBeSeen) {
  RectList list;
  list.reset(2, list_size);
  const RectRange range =
      list.add(std::vector<RectMark>{{{50, 0, 60, 10}, red, red},
                                     {{0, -9, 5, 0}, red, red},
                                     {{0, 0, 5, 5}, faded(red, 0), faded(red, 0)},
                                     {{-5, -5, 1, 1}, red, red}});
  ASSERT_EQ(range.count, 1U);
  EXPECT_EQ(list.instances()[0], (RectInstance{0, 0, 2, 2, red}));
}

TEST(RectList, SaysWhereBlendingIsNeeded) {
  RectList list;
  list.reset(1, list_size);
  const RectRange solid = list.add(std::vector<RectMark>{{{0, 0, 5, 5}, red, red}});
  const RectRange mixed = list.add(std::vector<RectMark>{
      {{0, 0, 5, 5}, red, red}, {{0, 0, 5, 5}, faded(red, 0.5F), faded(red, 0.5F)}});
  EXPECT_FALSE(solid.blended);
  EXPECT_TRUE(mixed.blended);
  EXPECT_EQ(mixed.begin, 1U);
  EXPECT_EQ(mixed.count, 2U);
}

}  // namespace
}  // namespace bytescope::render::gl
