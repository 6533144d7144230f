#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bytescope::trace {

/// Neighbouring spans of a track taken apart field by field, so that each step over them is a loop
/// of a few instructions.
struct SpanBatch {
  static constexpr std::size_t capacity = 1024;
  std::size_t count = 0;
  std::array<std::uint32_t, capacity> name{};
  std::array<std::uint32_t, capacity> start{};
  std::array<float, capacity> duration{};
  std::array<std::uint8_t, capacity> depth{};  ///< Dialect A only.
};

}  // namespace bytescope::trace
