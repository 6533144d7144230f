#pragma once

#include <cstddef>
#include <new>

namespace bytescope::io {

/// Memory for big arrays in pages of 2 MB, where the system has them: the first touch of a page
/// costs several microseconds however small it is (ARCHITECTURE.md), and an index has thousands.
class LargePages {
public:
  static constexpr std::size_t page_bytes = std::size_t{2} << 20U;
  /// Arrays from half a page on are worth one.
  static constexpr std::size_t least_bytes = page_bytes / 2;

  /// Uninitialised memory; throws std::bad_alloc when there is none.
  static void* allocate(std::size_t bytes);
  static void free(void* memory);
};

/// An allocator for vectors that may become big: small ones are ordinary.
template <class T>
struct LargePageAllocator {
  using value_type = T;

  LargePageAllocator() = default;
  template <class U>
  // NOLINTNEXTLINE(google-explicit-constructor): allocators convert into each other.
  LargePageAllocator(const LargePageAllocator<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    return static_cast<T*>(bytes < LargePages::least_bytes ? ::operator new(bytes)
                                                           : LargePages::allocate(bytes));
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < LargePages::least_bytes) {
      ::operator delete(memory);
    } else {
      LargePages::free(memory);
    }
  }
  template <class U>
  bool operator==(const LargePageAllocator<U>&) const {
    return true;
  }
};

}  // namespace bytescope::io
