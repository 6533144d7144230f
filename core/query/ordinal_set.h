#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bytescope::query {

/// A set of numbers below a fixed size that finds neighbours fast: bits, and above them bits that
/// say which words are not empty, 64 to 1 on each level. All operations cost O(log64 size).
class OrdinalSet {
public:
  static constexpr std::uint32_t none = UINT32_MAX;

  explicit OrdinalSet(std::uint32_t size) {
    std::size_t words = size;
    do {
      words = (words + 63) / 64;
      levels_.emplace_back(words);
    } while (words > 1);
  }

  bool contains(std::uint32_t i) const { return ((levels_[0][i / 64] >> (i % 64)) & 1U) != 0; }
  /// The bits of members [64 × w, 64 × w + 64).
  std::uint64_t word(std::size_t w) const { return levels_[0][w]; }

  void insert(std::uint32_t i) {
    for (std::vector<std::uint64_t>& level : levels_) {
      std::uint64_t& word = level[i / 64];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << (i % 64);
      if (!was_empty) return;
      i /= 64;
    }
  }

  void erase(std::uint32_t i) {
    for (std::vector<std::uint64_t>& level : levels_) {
      std::uint64_t& word = level[i / 64];
      word &= ~(std::uint64_t{1} << (i % 64));
      if (word != 0) return;
      i /= 64;
    }
  }

  /// The smallest member that is at least `i`, or none.
  std::uint32_t at_or_after(std::uint32_t i) const {
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const std::size_t w = i / 64;
      if (w >= levels_[l].size()) return none;
      const std::uint64_t rest = levels_[l][w] >> (i % 64);
      if (rest != 0) return lowest(l, i + static_cast<std::uint32_t>(std::countr_zero(rest)));
      i = static_cast<std::uint32_t>(w) + 1;
    }
    return none;
  }

  /// The largest member below `i`, or none. `i` must not exceed the size.
  std::uint32_t before(std::uint32_t i) const {
    for (std::size_t l = 0; l < levels_.size() && i != 0; ++l) {
      --i;
      const std::uint64_t rest = levels_[l][i / 64] << (63 - i % 64);
      if (rest != 0) return highest(l, i - static_cast<std::uint32_t>(std::countl_zero(rest)));
      i /= 64;
    }
    return none;
  }

private:
  std::uint32_t lowest(std::size_t level, std::uint32_t i) const {
    for (; level > 0; --level)
      i = i * 64 + static_cast<std::uint32_t>(std::countr_zero(levels_[level - 1][i]));
    return i;
  }
  std::uint32_t highest(std::size_t level, std::uint32_t i) const {
    for (; level > 0; --level)
      i = i * 64 + 63 - static_cast<std::uint32_t>(std::countl_zero(levels_[level - 1][i]));
    return i;
  }

  std::vector<std::vector<std::uint64_t>> levels_;
};

}  // namespace bytescope::query
