#include "core/trace/buffer_table.h"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace bytescope::trace {
namespace {

void expect_same(const Buffer& a, const Buffer& b) {
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.allocated, b.allocated);
  EXPECT_EQ(a.freed, b.freed);
  EXPECT_EQ(a.dtype, b.dtype);
  EXPECT_EQ(a.bytes, b.bytes);
}

void compare(const BufferTable& table, const std::vector<Buffer>& plain) {
  ASSERT_EQ(table.size(), plain.size());
  std::size_t at = 0;
  for (const Buffer& buffer : table) {
    expect_same(buffer, plain[at]);
    expect_same(table[at], plain[at]);
    ASSERT_EQ(table.key(at), plain[at].key);
    ++at;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(at, plain.size());
}

/// Adds `count` buffers of about `sizes` sizes, with keys `key_step` apart, to a table and to a
/// plain vector, some of them freed or swapped later, and compares before and after finishing.
void compare_with_vector(std::uint32_t count, std::uint32_t sizes, std::uint32_t key_step,
                         bool swaps) {
  std::mt19937 random(count);
  BufferTable table;
  std::vector<Buffer> plain;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto size = static_cast<std::uint32_t>(random() % sizes);
    plain.push_back({i * key_step, i * 2, Buffer::never, size % 3, std::uint64_t{size} << 20U});
    table.push_back(plain.back());
    if (i % 3 != 0) continue;
    const auto other = static_cast<std::uint32_t>(random() % (i + 1));
    plain[other].freed = i;
    table.set_freed(other, i);
  }
  for (std::uint32_t i = 0; swaps && i + 1 < count; i += 5) {
    std::swap(plain[i], plain[i + 1]);
    const BufferTable::Row row = table.row(i);
    table.set_row(i, table.row(i + 1));
    table.set_row(i + 1, row);
  }
  compare(table, plain);
  table.finish();
  compare(table, plain);
}

TEST(BufferTable, HandsOutWhatWasPutIn) { compare_with_vector(5000, 40, 1, true); }

TEST(BufferTable, HandsOutKeysNearAndFarApart) {
  // Within a run of 16, 15 steps of 17 fit in a byte, of 18 in two, of 4369 in two, of 4370 in
  // three.
  for (const std::uint32_t key_step : {0U, 1U, 17U, 18U, 4369U, 4370U, 800'000U})
    compare_with_vector(5000, 40, key_step, false);
}

TEST(BufferTable, HoldsMoreTypesAndSizesThanTwoBytesTell) {
  compare_with_vector(150'000, 1U << 30U, 1, true);
}

TEST(BufferTable, IsEmptyAtFirst) {
  const BufferTable table;
  EXPECT_TRUE(table.empty());
  EXPECT_TRUE(table.begin() == table.end());
}

}  // namespace
}  // namespace bytescope::trace
