#include "core/query/ordinal_set.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace bytescope::query {

TEST(OrdinalSet, FindsNeighboursLikeAPlainSet) {
  for (const std::uint32_t size : {1U, 63U, 64U, 65U, 4096U, 4097U, 300'000U}) {
    std::mt19937 random(size);
    OrdinalSet set(size);
    std::set<std::uint32_t> plain;
    for (int i = 0; i < 3000; ++i) {
      const auto number = static_cast<std::uint32_t>(random() % size);
      if (random() % 2 == 0) {
        set.insert(number);
        plain.insert(number);
      } else {
        set.erase(number);
        plain.erase(number);
      }
      const auto at = static_cast<std::uint32_t>(random() % (size + 1));
      const auto after = plain.lower_bound(at);
      ASSERT_EQ(set.at_or_after(at), after == plain.end() ? OrdinalSet::none : *after);
      ASSERT_EQ(set.before(at), after == plain.begin() ? OrdinalSet::none : *std::prev(after));
      ASSERT_EQ(set.contains(number), plain.contains(number));
    }
  }
}

TEST(OrdinalSet, OfSizeZeroIsEmpty) {
  const OrdinalSet set(0);
  EXPECT_EQ(set.at_or_after(0), OrdinalSet::none);
  EXPECT_EQ(set.before(0), OrdinalSet::none);
}

}  // namespace bytescope::query
