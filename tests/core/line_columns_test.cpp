#include "core/query/line_columns.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace bytescope::query {
namespace {

trace::LineIndex random_line(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  trace::LineIndex line;
  auto time = static_cast<std::uint32_t>(random() % 50);
  for (std::size_t i = 0; i < count; ++i) {
    time += static_cast<std::uint32_t>(random() % 7);
    line.times.push_back(time);
    line.values.push_back(random() % 1000);
  }
  trace::add_block_maxima(line);
  return line;
}

std::vector<std::optional<std::uint64_t>> brute_force(const trace::LineIndex& line,
                                                      const Columns& columns) {
  std::vector<std::optional<std::uint64_t>> out(columns.count);
  for (std::uint32_t c = 0; c < columns.count; ++c) {
    const double begin = columns.offset_ns(c);
    const double end = columns.offset_ns(c + 1.0);
    for (std::size_t i = 0; i < line.times.size(); ++i) {
      const auto at = [&](std::size_t k) {
        return static_cast<double>(std::int64_t{line.times[k]} * 1000 - columns.begin_ns);
      };
      const bool inside = begin <= at(i) && at(i) < end;
      const bool held = at(i) < begin && i + 1 < line.times.size() && at(i + 1) >= begin;
      if (inside || held) out[c] = std::max(out[c].value_or(0), line.values[i]);
    }
  }
  return out;
}

}  // namespace

TEST(LineColumns, EqualTheBruteForceAtEveryZoom) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const trace::LineIndex line = random_line(seed, std::size_t{seed} * 30);
    for (const double ns_per_column : {130.0, 1000.0, 7777.0, 250'000.0}) {
      const Columns columns{static_cast<std::int64_t>(seed) * 3000 - 20'000, ns_per_column, 60};
      ASSERT_EQ(line_columns(line, columns), brute_force(line, columns))
          << seed << " " << ns_per_column;
    }
  }
}

TEST(LineColumns, OfNothingAreNone) {
  const Columns columns{0, 1000, 3};
  EXPECT_EQ(line_columns({}, columns), std::vector<std::optional<std::uint64_t>>(3));
}

}  // namespace bytescope::query
