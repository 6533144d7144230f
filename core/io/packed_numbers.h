#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "core/io/large_pages.h"

namespace bytescope::io {

/// A list of numbers below 2^32 that, once it is packed, takes as few whole bytes for each as the
/// largest needs. Looks like a vector whose elements are handed out as values.
class PackedNumbers {
public:
  /// Goes over the numbers in order; as good as a pointer for algorithms that only read.
  class Iterator {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::uint32_t;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::uint32_t*;
    using reference = std::uint32_t;

    Iterator() = default;
    Iterator(const PackedNumbers& numbers, std::size_t at) : numbers_(&numbers), at_(at) {}
    std::uint32_t operator*() const { return (*numbers_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++at_;
      return before;
    }
    Iterator& operator+=(std::ptrdiff_t by) {
      at_ += static_cast<std::size_t>(by);
      return *this;
    }
    Iterator operator+(std::ptrdiff_t by) const { return Iterator(*this) += by; }
    std::ptrdiff_t operator-(const Iterator& other) const {
      return static_cast<std::ptrdiff_t>(at_ - other.at_);
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

  private:
    const PackedNumbers* numbers_ = nullptr;
    std::size_t at_ = 0;
  };

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::uint32_t operator[](std::size_t at) const {
    std::uint32_t number = 0;
    std::memcpy(&number, data() + at * width_, sizeof number);
    return number & mask_;
  }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }
  /// Equal when all numbers are, however they are kept.
  bool operator==(const PackedNumbers& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

  // Until it is packed:
  void reserve(std::size_t count) { wide_.reserve(count); }
  void push_back(std::uint32_t number) {
    wide_.push_back(number);
    ++size_;
  }
  void set(std::size_t at, std::uint32_t number) { wide_[at] = number; }
  /// Packs the numbers; nothing can be added or changed then. Costs O(n).
  void pack();

private:
  const std::byte* data() const {
    static_assert(std::endian::native == std::endian::little);
    return width_ == sizeof(std::uint32_t)
               ? static_cast<const std::byte*>(static_cast<const void*>(wide_.data()))
               : packed_.data();
  }

  std::size_t size_ = 0;
  std::size_t width_ = sizeof(std::uint32_t);  // bytes of each
  std::uint32_t mask_ = UINT32_MAX;
  LargeVector<std::uint32_t> wide_;  // with four bytes each …
  LargeVector<std::byte> packed_;    // … or with fewer, and as many more as a read goes beyond
};

inline void PackedNumbers::pack() {
  std::uint32_t most = 0;
  for (const std::uint32_t number : wide_) most = std::max(most, number);
  const auto width =
      std::max<std::size_t>((static_cast<std::size_t>(std::bit_width(most)) + 7) / 8, 1);
  if (width == sizeof most) {
    release_unused(wide_);
    return;
  }
  packed_.resize(size_ * width + sizeof most - width);
  // Ascending: what a write leaves behind its number is overwritten by the next one.
  for (std::size_t i = 0; i < size_; ++i)
    std::memcpy(packed_.data() + i * width, &wide_[i], sizeof most);
  release_unused(packed_);
  width_ = width;
  mask_ = (std::uint32_t{1} << 8 * width) - 1;
  free_all(wide_);
}

}  // namespace bytescope::io
