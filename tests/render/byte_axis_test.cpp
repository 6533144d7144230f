#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "render/memory_paint.h"
#include "render/theme.h"

namespace bytescope::render {
namespace {

class SixPixels final : public TextMetrics {
public:
  float advance_px(Face /*face*/, char32_t /*character*/) const override { return 6; }
};

/// How many bytes are told beside a track of 200 px that shows so many.
std::size_t told(std::uint64_t begin_bytes, std::uint64_t end_bytes) {
  const SixPixels metrics;
  Scene scene;
  std::vector<LabelWish> wishes;
  const PaintContext context{scene, dark_theme(), metrics, {}, 0, 500, 1, wishes};
  paint_byte_axis(context, {0, 0, 56, 200}, begin_bytes, end_bytes);
  return scene.labels.size();
}

TEST(ByteAxis, TellsAFewRoundSizes) {
  EXPECT_GE(told(0, 1'000'000), 2U);
  EXPECT_LE(told(0, 1'000'000), 6U);
  EXPECT_LE(told(0, std::numeric_limits<std::uint64_t>::max()), 6U);
}

// A step of a few bytes is lost beside 2^64: adding it up would never come to an end.
TEST(ByteAxis, EndsWhereAStepIsLostBesideTheSizes) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t shown : {1U, 2U, 100U, 3000U, 100'000U})
    EXPECT_LE(told(most - 200'000, most - 200'000 + shown), 200U) << shown;
}

}  // namespace
}  // namespace bytescope::render
