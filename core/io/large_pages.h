#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace bytescope::io {

/// Memory for big arrays in pages of 2 MB, where the system has them: the first touch of a page
/// costs several microseconds however small it is (ARCHITECTURE.md), and an index has thousands.
class LargePages {
public:
  static constexpr std::size_t page_bytes = std::size_t{2} << 20U;
  /// Arrays from that size on lie in large pages: those up to a page side by side, larger ones have
  /// pages of their own.
  static constexpr std::size_t least_bytes = std::size_t{64} << 10U;

  /// Of all that is allocated.
  static constexpr std::size_t alignment = 64;

  /// Uninitialised memory; throws std::bad_alloc when there is none. For any thread.
  static void* allocate(std::size_t bytes);
  /// `bytes` as they were asked for.
  static void free(void* memory, std::size_t bytes);
  /// Gives what lies behind the first `used` of `bytes` back to the system, whatever was in it. It
  /// stays allocated, but no longer counts as resident. Small remains are kept: to break a large
  /// page up costs more than they are worth.
  static void release_behind(void* memory, std::size_t used, std::size_t bytes);
};

/// An allocator for vectors that may become big: small ones are ordinary.
template <class T>
struct LargePageAllocator {
  using value_type = T;
  static_assert(alignof(T) <= LargePages::alignment);

  LargePageAllocator() = default;
  template <class U>
  // NOLINTNEXTLINE(google-explicit-constructor): allocators convert into each other.
  LargePageAllocator(const LargePageAllocator<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    return static_cast<T*>(bytes < LargePages::least_bytes
                               ? ::operator new(bytes, std::align_val_t(alignof(T)))
                               : LargePages::allocate(bytes));
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < LargePages::least_bytes) {
      ::operator delete(memory, std::align_val_t(alignof(T)));
    } else {
      LargePages::free(memory, count * sizeof(T));
    }
  }
  template <class U>
  bool operator==(const LargePageAllocator<U>&) const {
    return true;
  }
};

/// A vector whose memory comes in large pages once it is big.
template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

/// Empties a vector and frees its memory, which `= {}` would keep.
template <class T>
void free_all(LargeVector<T>& vector) {
  vector = LargeVector<T>();
}

/// Gives the room behind the last element of a finished vector back to the system.
template <class T>
void release_unused(LargeVector<T>& vector) {
  const std::size_t bytes = vector.capacity() * sizeof(T);
  if (bytes >= LargePages::least_bytes)
    LargePages::release_behind(vector.data(), vector.size() * sizeof(T), bytes);
}

/// Gives memory that was freed and kept by the C library back to the system, after work that needed
/// much for a while. Costs milliseconds; does nothing where there is no such call.
void release_freed_memory();

}  // namespace bytescope::io
