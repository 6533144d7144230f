#pragma once

#include <cstdint>

namespace bytescope::io {

/// Which bytes of a block are escaped, given its backslashes, a bit a byte: in a run of them every
/// other one is active. `carry` is 1 when the byte before the block was an active backslash, and
/// becomes the same for the next block. The method of simdjson.
inline std::uint64_t escaped_bytes(std::uint64_t backslashes, std::uint64_t& carry) {
  constexpr std::uint64_t even_bits = 0x5555555555555555U;
  backslashes &= ~carry;
  const std::uint64_t follows = backslashes << 1U | carry;
  const std::uint64_t odd_starts = backslashes & ~even_bits & ~follows;
  const std::uint64_t sum = odd_starts + backslashes;
  carry = sum < backslashes ? 1 : 0;
  return (even_bits ^ (sum << 1U)) & follows;
}

}  // namespace bytescope::io
