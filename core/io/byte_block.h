#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bytescope::io {

/// 64 bytes compared at once, in plain 64-bit arithmetic: eight bytes a word. Bit i of a mask
/// stands for byte i.
class PortableByteBlock {
public:
  static constexpr std::size_t bytes = 64;

  explicit PortableByteBlock(const char* begin) { std::memcpy(words_, begin, bytes); }

  /// Which bytes are `c`.
  std::uint64_t equal(char c) const {
    const std::uint64_t pattern = ones * static_cast<unsigned char>(c);
    return mask([pattern](std::uint64_t word) {
      const std::uint64_t x = word ^ pattern;
      return ~(((x & low_bits) + low_bits) | x);
    });
  }
  /// Which bytes are below 32.
  std::uint64_t control() const {
    return mask([](std::uint64_t word) {
      const std::uint64_t x = word & (ones * 0xE0U);
      return ~(((x & low_bits) + low_bits) | x);
    });
  }

  /// Which bytes are 128 and above.
  std::uint64_t non_ascii() const {
    return mask([](std::uint64_t word) { return word; });
  }

private:
  static constexpr std::uint64_t ones = 0x0101010101010101U;
  static constexpr std::uint64_t low_bits = ones * 0x7FU;

  /// Gathers the top bit of each byte that `test` leaves.
  template <class Test>
  std::uint64_t mask(Test test) const {
    std::uint64_t gathered = 0;
    for (unsigned i = 0; i < 8; ++i) {
      const std::uint64_t tops = (test(words_[i]) & ~low_bits) >> 7U;
      gathered |= (tops * 0x0102040810204080U) >> 56U << (8 * i);
    }
    return gathered;
  }

  std::uint64_t words_[8] = {};
};

#if defined(__SSE2__)
/// The same with SSE2, which every x86-64 has.
class Sse2ByteBlock {
public:
  static constexpr std::size_t bytes = 64;

  explicit Sse2ByteBlock(const char* begin) { std::memcpy(parts_, begin, bytes); }

  std::uint64_t equal(char c) const {
    const __m128i pattern = _mm_set1_epi8(c);
    return mask([pattern](__m128i part) { return _mm_cmpeq_epi8(part, pattern); });
  }
  std::uint64_t control() const {
    const __m128i limit = _mm_set1_epi8(31);
    return mask([limit](__m128i part) { return _mm_cmpeq_epi8(_mm_min_epu8(part, limit), part); });
  }

  std::uint64_t non_ascii() const {
    return mask([](__m128i part) { return part; });
  }

private:
  template <class Test>
  std::uint64_t mask(Test test) const {
    std::uint64_t gathered = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const int bits = _mm_movemask_epi8(test(parts_[i]));
      gathered |= std::uint64_t{static_cast<std::uint32_t>(bits)} << (16 * i);
    }
    return gathered;
  }

  __m128i parts_[4] = {};
};
using ByteBlock = Sse2ByteBlock;
#else
using ByteBlock = PortableByteBlock;
#endif

}  // namespace bytescope::io
