#include "app/png.h"

#include <cstdio>
#include <filesystem>
#include <vector>

#include <gtest/gtest.h>
#include <png.h>

#include "tests/support/temporary_folder.h"

namespace bytescope::app {
namespace {

using render::Color;
using render::Picture;
using render::rgb;

TEST(Png, KeepsEveryPixelAndDropsAlpha) {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "a.png";
  const Picture picture{3,
                        2,
                        {rgb(0xFF0000), rgb(0x00FF00), rgb(0x0000FF), rgb(0x123456),
                         render::faded(rgb(0x654321), 0.5F), rgb(0xFFFFFF)}};
  ASSERT_TRUE(write_png(picture, path).has_value());
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_file(&image, path.c_str()), 0);
  EXPECT_EQ(image.width, 3U);
  EXPECT_EQ(image.height, 2U);
  EXPECT_EQ(image.format & PNG_FORMAT_FLAG_ALPHA, 0U);
  image.format = PNG_FORMAT_RGBA;
  std::vector<Color> pixels(6);
  ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
  std::vector<Color> expected = picture.pixels;
  expected[4].a = 255;
  EXPECT_EQ(pixels, expected);
}

TEST(Png, FailsWhereNothingCanBeWritten) {
  const auto result = write_png({1, 1, {rgb(0)}}, "/nonexistent/folder/out.png");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().kind, ErrorKind::machine);
  EXPECT_EQ(result.error().path, "/nonexistent/folder/out.png");
}

TEST(Png, RefusesAPictureWithoutPixels) {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "empty.png";
  EXPECT_FALSE(write_png({}, path).has_value());
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace bytescope::app
