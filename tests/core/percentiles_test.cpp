#include "core/query/percentiles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace bytescope::query {
namespace {

TEST(Percentiles, NearestRankCountsFromZero) {
  EXPECT_EQ(nearest_rank(1, 0), 0U);
  EXPECT_EQ(nearest_rank(2, 0), 0U);
  EXPECT_EQ(nearest_rank(3, 0), 1U);
  EXPECT_EQ(nearest_rank(100, 2), 98U);
  EXPECT_EQ(nearest_rank(101, 2), 99U);
  EXPECT_EQ(nearest_rank(10, 1), 8U);
  EXPECT_EQ(nearest_rank(0, 1), 0U);
}

TEST(Percentiles, FloatAtMostNeverExceedsTheValue) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 40) - 20);
    const float below = float_at_most(value);
    ASSERT_LE(static_cast<double>(below), value);
    ASSERT_GT(static_cast<double>(std::nextafter(below, std::numeric_limits<float>::infinity())),
              value);
  }
}

std::vector<float> heavy_tailed(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float& value : values)
    value = 1 / static_cast<float>(1 + random() % 10'000) + (random() % 4 == 0 ? 5.0F : 0.0F);
  return values;
}

Brackets brackets_of(std::span<const float> sample) {
  ValueLists lists(1 << 20);
  std::uint32_t head = ValueLists::none;
  for (const float value : sample) EXPECT_TRUE(lists.add(head, value));
  return Brackets::of_sample({{{&lists, head}}});
}

TEST(Percentiles, BracketsOfASampleHoldThePercentilesOfAll) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::vector<float> all = heavy_tailed(20'000, seed);
    const Brackets brackets = brackets_of(std::span(all).first(1'000));
    ASSERT_TRUE(std::is_sorted(brackets.bounds.begin(), brackets.bounds.end()));
    std::sort(all.begin(), all.end());
    std::size_t kept = 0;
    for (const float value : all) kept += brackets.class_of(value) % 2;
    EXPECT_LT(kept, all.size() * 9 / 10);
    for (std::size_t p = 0; p < percentile_count; ++p)
      EXPECT_EQ(brackets.class_of(all[nearest_rank(all.size(), p)]) % 2, 1U) << p;
  }
}

TEST(Percentiles, EqualValuesNeedNotBeKept) {
  std::vector<float> sample(500, 3.0F);
  const Brackets brackets = brackets_of(sample);
  const std::size_t number = brackets.class_of(3.0F);
  EXPECT_EQ(number % 2, 1U);
  // The 99th percentile's bracket reaches up to the largest value there can be.
  EXPECT_EQ(brackets.class_of(2.9F), 0U);
}

TEST(Percentiles, FewSamplesKeepEverything) {
  std::vector<float> sample = {1, 2, 3};
  const Brackets brackets = brackets_of(sample);
  for (const float value : {0.0F, 1.0F, 1e12F}) {
    EXPECT_EQ(brackets.class_of(value), 1U);
    EXPECT_TRUE(brackets.keeps(1));
  }
}

TEST(Percentiles, ListsKeepWhatFits) {
  ValueLists lists(std::size_t{10} * 128);
  std::uint32_t a = ValueLists::none;
  std::uint32_t b = ValueLists::none;
  std::uint32_t added = 0;
  while (lists.add(added % 2 == 0 ? a : b, static_cast<float>(added))) ++added;
  EXPECT_EQ(added, 300U);
  std::vector<float> values;
  for (const std::uint32_t head : {a, b})
    lists.for_each(head, [&values](float value) { values.push_back(value); });
  std::sort(values.begin(), values.end());
  for (std::uint32_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], static_cast<float>(i));
  EXPECT_EQ(values.size(), 300U);
}

TEST(Percentiles, SelectionFindsEveryRankInSeveralLists) {
  for (const float spread : {0.0F, 0.001F, 1000.0F}) {
    ValueLists one(1 << 20);
    ValueLists other(1 << 20);
    std::uint32_t heads[] = {ValueLists::none, ValueLists::none, ValueLists::none};
    std::vector<float> values = heavy_tailed(900, 3);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = 5 + values[i] * spread;
      ASSERT_TRUE((i % 3 == 0 ? one : other).add(heads[i % 3], values[i]));
    }
    std::sort(values.begin(), values.end());
    RankSelection<ListedValues> selection;
    selection.begin({{{&one, heads[0]}, {&other, heads[1]}, {&other, heads[2]}}}, values.front(),
                    values.back());
    for (std::size_t rank = 0; rank < values.size(); rank += 7)
      ASSERT_EQ(selection.nth(rank), values[rank]);
  }
}

TEST(Percentiles, SearchFindsEveryRank) {
  constexpr std::uint32_t groups = 40;
  std::vector<std::vector<float>> values;
  std::vector<OpenPercentile> open;
  for (std::uint32_t g = 0; g < groups; ++g) {
    values.push_back(heavy_tailed(300 + g, g));
    const std::uint64_t count = values[g].size();
    for (const std::uint64_t rank : {std::uint64_t{0}, count / 3, count - 1})
      open.push_back({g, 0, rank, count, 0, Brackets::endless});
  }
  PercentileSearch search(std::move(open));
  int passes = 0;
  while (!search.is_done()) {
    ASSERT_LT(++passes, 10);
    if (search.begin_pass()) {
      for (std::uint32_t g = 0; g < groups; ++g)
        for (const float value : values[g]) search.add(g, value);
    }
    search.end_pass();
  }
  std::vector<std::vector<float>> found(groups);
  for (const OpenPercentile& one : search.take_found()) {
    EXPECT_EQ(one.end_key - one.begin_key, 1U);
    EXPECT_LT(one.rank, one.count);
    found[one.group].push_back(float_of_key(static_cast<std::uint32_t>(one.begin_key)));
  }
  for (std::uint32_t g = 0; g < groups; ++g) {
    std::sort(values[g].begin(), values[g].end());
    std::sort(found[g].begin(), found[g].end());
    const std::vector<float> wanted = {values[g].front(), values[g][values[g].size() / 3],
                                       values[g].back()};
    EXPECT_EQ(found[g], wanted);
  }
}

}  // namespace
}  // namespace bytescope::query
