#include "core/trace/rising_sums.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace bytescope::trace {
namespace {

/// Random spans of every category, some covered in part by what is before.
struct RandomSpans {
  std::vector<float> durations, overlaps;
  std::vector<Style> styles;

  explicit RandomSpans(std::size_t count) {
    std::mt19937 random(static_cast<unsigned>(count + 1));
    std::uniform_real_distribution<float> duration(1, 5000);
    std::uniform_real_distribution<float> overlap(0, 0.99F);
    for (std::size_t i = 0; i < count; ++i) {
      durations.push_back(duration(random));
      overlaps.push_back(random() % 2 == 0 ? overlap(random) : 0.0F);
      styles.emplace_back(static_cast<Category>(random() % 5),
                          static_cast<std::uint8_t>(random() % 16));
    }
  }
};

TEST(RisingSums, AreThoseOfBruteForce) {
  for (std::size_t count = 0; count < 70; ++count) {
    const RandomSpans spans(count);
    FreshParts parts;
    split_fresh_parts(spans.durations, spans.overlaps, spans.styles, parts);
    const RisingSums sums = rising_sums(spans.durations.data(), spans.overlaps.data(),
                                        parts.reduce.data(), parts.elementwise.data(), count);
    double covered = 0;
    double reduce = 0;
    double elementwise = 0;
    float longest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double fresh =
          static_cast<double>(spans.durations[i]) - static_cast<double>(spans.overlaps[i]);
      covered += fresh;
      if (spans.styles[i].category() == Category::reduce) reduce += fresh;
      if (spans.styles[i].category() == Category::elementwise) elementwise += fresh;
      longest = std::max(longest, spans.durations[i]);
    }
    EXPECT_NEAR(sums.covered, covered, 1e-9 * covered) << count;
    EXPECT_NEAR(static_cast<double>(sums.reduce), reduce, 1e-5 * (1 + reduce)) << count;
    EXPECT_NEAR(static_cast<double>(sums.elementwise), elementwise, 1e-5 * (1 + elementwise))
        << count;
    EXPECT_EQ(sums.longest, longest) << count;
  }
}

}  // namespace
}  // namespace bytescope::trace
