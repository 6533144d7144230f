#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/trace/category.h"
#include "core/trace/span_batch.h"

namespace bytescope::trace {

/// The part of each span of a batch that no span before it covers, where it is of a category that
/// blocks have a sum for, else 0.
struct FreshParts {
  std::array<float, SpanBatch::capacity> reduce{};
  std::array<float, SpanBatch::capacity> elementwise{};
};

/// Takes the parts from durations, overlaps with what is before, and styles; all of a length, that
/// of a batch at most.
void split_fresh_parts(std::span<const float> durations, std::span<const float> overlaps,
                       std::span<const Style> styles, FreshParts& parts);

/// What neighbouring spans add to a block when they rise in their lane.
struct RisingSums {
  double covered =
      0;  ///< Durations without overlaps, each sum exact to the last digits of a double.
  float reduce = 0;
  float elementwise = 0;
  float longest = 0;
};

/// Sums up so many spans. Four of each kind side by side, in vectors: compilers may not change the
/// order in which floats are added. Less than a nanosecond a span.
RisingSums rising_sums(const float* durations, const float* overlaps, const float* reduce,
                       const float* elementwise, std::size_t count);

}  // namespace bytescope::trace
