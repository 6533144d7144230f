#pragma once

#include <cstdint>

namespace bytescope::generate {

/// Mixes a number into 64 bits that look random (the finaliser of splitmix64).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

/// splitmix64: fast, with the same numbers everywhere (the distributions of the standard library
/// differ between systems). A stream is named by three numbers, so that any part of a trace can be
/// made without what comes before it.
class Random {
public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0, std::uint64_t part = 0)
      : state_(mixed(mixed(mixed(seed) + stream) + part)) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    return mixed(state_);
  }
  /// A number below `bound`; 0 if that is 0.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32U) * bound) >> 32U);
  }
  /// The same, small numbers more often: the smaller half three times as often as the larger one.
  std::uint32_t skewed(std::uint32_t bound) {
    const std::uint32_t first = below(bound);
    const std::uint32_t second = below(bound);
    return first < second ? first : second;
  }
  /// True once in `n` times.
  bool once_in(std::uint32_t n) { return below(n) == 0; }

private:
  std::uint64_t state_;
};

}  // namespace bytescope::generate
