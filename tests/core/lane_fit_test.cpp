#include "core/trace/lane_fit.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace bytescope::trace {
namespace {

/// First fit as FORMAT.md tells it: a linear scan over the last ends.
class PlainFit {
public:
  std::uint32_t place(std::uint32_t start, std::uint64_t end) {
    const auto free = std::find_if(ends_.begin(), ends_.end(),
                                   [start](std::uint64_t last) { return last <= start; });
    const auto lane = static_cast<std::uint32_t>(free - ends_.begin());
    if (free == ends_.end()) ends_.push_back(0);
    ends_[lane] = end;
    return lane;
  }
  std::size_t lane_count() const { return ends_.size(); }

private:
  std::vector<std::uint64_t> ends_;
};

/// Places `count` random spans of up to `longest` units in both and compares each lane.
void compare(std::uint32_t seed, int count, std::uint32_t longest, std::uint32_t step) {
  std::minstd_rand random(seed + 1);
  LaneFit fit;
  PlainFit plain;
  std::uint32_t start = 0;
  for (int i = 0; i < count; ++i) {
    start += static_cast<std::uint32_t>(random() % (step + 1));
    const std::uint64_t end = start + std::uint64_t{random() % longest};
    ASSERT_EQ(fit.place(start, end), plain.place(start, end)) << "span " << i << " seed " << seed;
  }
  EXPECT_EQ(fit.lane_count(), plain.lane_count());
  EXPECT_FALSE(fit.overflowed());
}

}  // namespace

TEST(LaneFit, EqualsALinearScanWithFewLanes) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) compare(seed, 2000, 1 + seed % 12, 3);
}

TEST(LaneFit, EqualsALinearScanAroundTheChangeToTheTree) {
  for (std::uint32_t longest = 10; longest < 40; ++longest) compare(longest, 1000, longest, 2);
}

TEST(LaneFit, EqualsALinearScanWithHundredsOfLanes) {
  compare(1, 10'000, 1'000, 1);
  compare(2, 10'000, 600, 2);
}

TEST(LaneFit, EqualsALinearScanWithThousandsOfLanes) { compare(3, 8'000, 100'000, 6); }

TEST(LaneFit, GivesSpansOfNoWholeUnitTheSameLane) {
  LaneFit fit;
  for (int i = 0; i < 50; ++i) EXPECT_EQ(fit.place(7, 7), 0U);
  EXPECT_EQ(fit.place(7, 8), 0U);
  EXPECT_EQ(fit.place(7, 7), 1U);
}

TEST(LaneFit, KeepsEndsBeyondTheLargestStart) {
  LaneFit fit;
  EXPECT_EQ(fit.place(UINT32_MAX, std::uint64_t{UINT32_MAX} + 5), 0U);
  EXPECT_EQ(fit.place(UINT32_MAX, std::uint64_t{UINT32_MAX}), 1U);
  EXPECT_EQ(fit.place(UINT32_MAX, std::uint64_t{UINT32_MAX}), 1U);
}

TEST(LaneFit, SharesTheLastLaneWhenThereAreTooMany) {
  LaneFit fit;
  for (std::uint32_t i = 0; i < LaneFit::most_lanes; ++i) ASSERT_EQ(fit.place(0, 10 + i), i);
  EXPECT_FALSE(fit.overflowed());
  EXPECT_EQ(fit.place(1, 5), LaneFit::most_lanes - 1);
  EXPECT_TRUE(fit.overflowed());
  EXPECT_EQ(fit.lane_count(), LaneFit::most_lanes);
  EXPECT_EQ(fit.place(10, 20'000), 0U);
}

}  // namespace bytescope::trace
