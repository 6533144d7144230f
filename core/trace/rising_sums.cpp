#include "core/trace/rising_sums.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace bytescope::trace {
namespace {

using Float2 = float __attribute__((vector_size(8)));
using Float4 = float __attribute__((vector_size(16)));
using Double2 = double __attribute__((vector_size(16)));
constexpr std::size_t width = 4;

template <class Vector>
Vector load(const float* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

float sum(const Float4& of) { return (of[0] + of[1]) + (of[2] + of[3]); }
float most(const Float4& of) { return std::max(std::max(of[0], of[1]), std::max(of[2], of[3])); }

/// Four sums of floats.
struct WideSum {
  Double2 low{};
  Double2 high{};
  void add(const float* four) {
    low += __builtin_convertvector(load<Float2>(four), Double2);
    high += __builtin_convertvector(load<Float2>(four + 2), Double2);
  }
  double sum() const { return (low[0] + low[1]) + (high[0] + high[1]); }
};

}  // namespace

void split_fresh_parts(std::span<const float> durations, std::span<const float> overlaps,
                       std::span<const Style> styles, FreshParts& parts) {
  const auto masked = [](float value, bool kept) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & (kept ? ~0U : 0U));
  };
  for (std::size_t i = 0; i < durations.size(); ++i) {
    const float fresh = durations[i] - overlaps[i];
    const Category category = styles[i].category();
    parts.reduce[i] = masked(fresh, category == Category::reduce);
    parts.elementwise[i] = masked(fresh, category == Category::elementwise);
  }
}

RisingSums rising_sums(const float* durations, const float* overlaps, const float* reduce,
                       const float* elementwise, std::size_t count) {
  WideSum wide_durations;
  WideSum wide_overlaps;
  Float4 wide_reduce{};
  Float4 wide_elementwise{};
  Float4 wide_longest{};
  std::size_t i = 0;
  for (; i + width <= count; i += width) {
    wide_durations.add(durations + i);
    wide_overlaps.add(overlaps + i);
    wide_reduce += load<Float4>(reduce + i);
    wide_elementwise += load<Float4>(elementwise + i);
    const auto four = load<Float4>(durations + i);
    wide_longest = wide_longest > four ? wide_longest : four;
  }
  RisingSums sums{wide_durations.sum() - wide_overlaps.sum(), sum(wide_reduce),
                  sum(wide_elementwise), most(wide_longest)};
  for (; i < count; ++i) {
    sums.covered += static_cast<double>(durations[i]) - static_cast<double>(overlaps[i]);
    sums.reduce += reduce[i];
    sums.elementwise += elementwise[i];
    sums.longest = std::max(sums.longest, durations[i]);
  }
  return sums;
}

}  // namespace bytescope::trace
