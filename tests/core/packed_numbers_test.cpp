#include "core/io/packed_numbers.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace bytescope::io {
namespace {

void expect_same(const PackedNumbers& packed, const std::vector<std::uint32_t>& plain) {
  ASSERT_EQ(packed.size(), plain.size());
  EXPECT_EQ(packed.empty(), plain.empty());
  for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_EQ(packed[i], plain[i]) << i;
  EXPECT_TRUE(std::equal(packed.begin(), packed.end(), plain.begin(), plain.end()));
}

/// Numbers up to `most`, which is among them.
std::vector<std::uint32_t> numbers_up_to(std::uint32_t most, std::size_t count) {
  std::mt19937 random(most);
  std::vector<std::uint32_t> numbers(count);
  for (std::uint32_t& number : numbers)
    number = static_cast<std::uint32_t>(random() % (std::uint64_t{most} + 1));
  numbers[count / 2] = most;
  return numbers;
}

TEST(PackedNumbers, HandsOutWhatWasPutIn) {
  for (const std::uint32_t most :
       {0U, 1U, 0xFFU, 0x100U, 0xFFFFU, 0x10000U, 0xFFFFFFU, 0x1000000U, 0xFFFFFFFFU}) {
    for (const std::size_t count : {1U, 2U, 3U, 1000U, 400'000U}) {
      std::vector<std::uint32_t> plain = numbers_up_to(most, count);
      PackedNumbers packed;
      packed.reserve(count / 2);
      for (const std::uint32_t number : plain) packed.push_back(number);
      std::swap(plain.front(), plain.back());
      const std::uint32_t first = packed[0];
      packed.set(0, packed[count - 1]);
      packed.set(count - 1, first);
      expect_same(packed, plain);
      packed.pack();
      expect_same(packed, plain);
      const PackedNumbers copy = packed;
      packed = PackedNumbers();
      expect_same(copy, plain);
      EXPECT_TRUE(packed.empty());
    }
  }
}

TEST(PackedNumbers, AreEqualHoweverTheyAreKept) {
  PackedNumbers packed;
  PackedNumbers plain;
  EXPECT_TRUE(packed == plain);
  for (const std::uint32_t number : {7U, 300U, 2U}) {
    packed.push_back(number);
    plain.push_back(number);
  }
  packed.pack();
  EXPECT_TRUE(packed == plain);
  plain.push_back(1);
  EXPECT_FALSE(packed == plain);
}

TEST(PackedNumbers, MayBeEmpty) {
  PackedNumbers packed;
  packed.pack();
  expect_same(packed, {});
}

}  // namespace
}  // namespace bytescope::io
