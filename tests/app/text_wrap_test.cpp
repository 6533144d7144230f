#include "app/panels/text_wrap.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bytescope::app {
namespace {

using render::Color;
using render::Face;
using testing::ElementsAre;

/// Every character is as wide as a pixel.
class OnePixel final : public render::TextMetrics {
public:
  float advance_px(Face /*face*/, char32_t /*character*/) const override { return 1; }
};

std::vector<std::string> lines(std::string_view text, float room, std::size_t most = 100) {
  std::vector<std::string> all;
  for (const auto& line : wrapped(OnePixel(), Face::ui_12, text, Color{}, room, most)) {
    all.emplace_back();
    for (const auto& piece : line) all.back() += piece.text;
  }
  return all;
}

TEST(TextWrap, BreaksAtSpacesAndBehindSlashesAndUnderscores) {
  EXPECT_THAT(lines("one two three", 8), ElementsAre("one two ", "three"));
  EXPECT_THAT(lines("/home/me/file", 7), ElementsAre("/home/", "me/file"));
  EXPECT_THAT(lines("r_64_16_512", 5), ElementsAre("r_64_", "16_", "512"));
}

TEST(TextWrap, BreaksAnywhereWhereItMust) {
  EXPECT_THAT(lines("abcdefgh", 3), ElementsAre("abc", "def", "gh"));
  EXPECT_THAT(lines("a bcdefgh", 3), ElementsAre("a ", "bcd", "efg", "h"));
  EXPECT_THAT(lines("abc", 0.5F), ElementsAre("a", "b", "c"));
}

TEST(TextWrap, KeepsLineEnds) {
  EXPECT_THAT(lines("a\n\n  b", 9), ElementsAre("a", "", "  b"));
  EXPECT_THAT(lines("", 9), ElementsAre());
}

TEST(TextWrap, CutsWithAnEllipsisAfterTheLastLine) {
  EXPECT_THAT(lines("one two three four", 6, 2), ElementsAre("one ", "two \u2026"));
  EXPECT_THAT(lines("one two", 4, 2), ElementsAre("one ", "two"));
}

TEST(TextWrap, ColoursStayWithTheirLetters) {
  const Color red = render::rgb(0xFF0000);
  const Color blue = render::rgb(0x0000FF);
  const auto all =
      wrapped(OnePixel(), Face::ui_12, {{"r_", red}, {"64", blue}, {"_16", red}}, 5, 9);
  ASSERT_EQ(all.size(), 2U);
  ASSERT_EQ(all[0].size(), 3U);
  EXPECT_EQ(all[0][1].text, "64");
  EXPECT_EQ(all[0][1].color, blue);
  EXPECT_EQ(all[1][0].text, "16");
  EXPECT_EQ(all[1][0].color, red);
}

TEST(TextWrap, LosesNoCharacter) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "ab_c /d,"[static_cast<std::size_t>(i * 7 + i / 3) % 8];
  for (const float room : {1.0F, 2.0F, 3.0F, 7.0F, 20.0F, 1000.0F}) {
    std::string all;
    for (const std::string& line : lines(text, room, 10'000)) all += line;
    EXPECT_EQ(all, text) << room;
  }
}

}  // namespace
}  // namespace bytescope::app
