#include "render/natural_order.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace bytescope::render {
namespace {

TEST(NaturalOrder, NumbersCountAsNumbers) {
  EXPECT_TRUE(natural_less("AMD", "AMD:1"));
  EXPECT_TRUE(natural_less("AMD:2", "AMD:10"));
  EXPECT_FALSE(natural_less("AMD:10", "AMD:2"));
  EXPECT_TRUE(natural_less("AMD:2:SDMA:9", "AMD:2:SDMA:11"));
  EXPECT_TRUE(natural_less("x99999999999999999999999", "x100000000000000000000000"));
  EXPECT_FALSE(natural_less("a", "a"));
}

TEST(NaturalOrder, IsAStrictOrderOfRandomTexts) {
  std::mt19937 random(1);
  std::vector<std::string> texts;
  for (int i = 0; i < 60; ++i) {
    std::string text;
    for (auto j = random() % 6; j > 0; --j) text += "0019a:\xFF"[random() % 7];
    texts.push_back(text);
  }
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      EXPECT_EQ(int{natural_less(a, b)} + int{natural_less(b, a)}, a == b ? 0 : 1);
      for (const std::string& c : texts)
        EXPECT_TRUE(natural_less(a, c) || !natural_less(a, b) || !natural_less(b, c));
    }
  }
}

}  // namespace
}  // namespace bytescope::render
