#include "core/query/needle.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "core/query/fold_case.h"

namespace bytescope::query {
namespace {

TEST(Needle, FindsTheFirstPlaceInAnyCase) {
  std::mt19937 random(7);
  const std::string alphabet = "aAbB_\",\\{ z";
  for (int round = 0; round < 3000; ++round) {
    std::string raw;
    const std::size_t size = random() % 300;
    for (std::size_t i = 0; i < size; ++i) raw += alphabet[random() % alphabet.size()];
    std::string wanted;
    const std::size_t length = 1 + random() % (round % 10 == 0 ? 80 : 4);
    for (std::size_t i = 0; i < length; ++i) wanted += "ab_ z{"[random() % 6];
    const Needle needle(wanted);
    EXPECT_TRUE(needle.is_whole());
    for (const std::size_t from : {std::size_t{0}, size / 3, size})
      EXPECT_EQ(needle.find(raw, from), folded(raw).find(wanted, from)) << raw << " | " << wanted;
  }
}

TEST(Needle, LooksForWhatStandsInRawJsonAsItIs) {
  const Needle needle("say \"hello\"");
  EXPECT_FALSE(needle.is_whole());
  EXPECT_EQ(needle.size(), 5U);
  EXPECT_EQ(needle.find(R"(xx SAY HELLO \"HELLO\")"), 7U);
  EXPECT_EQ(Needle("größe").find("GR"), 0U);
  EXPECT_EQ(Needle("\"\\/").find("anything", 3), 3U);
  EXPECT_EQ(Needle("x").find(""), Needle::nowhere);
}

TEST(Needle, UnusualLettersAreSeenAtAnyPlace) {
  for (std::size_t size = 0; size < 200; ++size) {
    std::string raw(size, 'u');
    EXPECT_FALSE(has_unusual_letters(raw));
    for (std::size_t i = 0; i < size; i += 7) {
      raw[i] = '\\';
      EXPECT_EQ(has_unusual_letters(raw), i + 1 < size) << i << " of " << size;
      raw[i] = '\xC3';
      EXPECT_TRUE(has_unusual_letters(raw));
      raw[i] = 'u';
    }
  }
}

}  // namespace
}  // namespace bytescope::query
