#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "core/io/large_pages.h"

namespace bytescope::io {
namespace {

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

std::byte* moved(void* memory, std::size_t bytes) {
  return static_cast<std::byte*>(memory) + bytes;
}

/// Mapped rather than taken from the heap: what is freed leaves at once and no hole stays behind.
/// `bytes` and `alignment` in whole large pages.
void* map(std::size_t bytes, std::size_t alignment) {
  if (bytes + alignment < bytes) throw std::bad_alloc();
  void* mapping = ::mmap(nullptr, bytes + alignment, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  const auto address = reinterpret_cast<std::uintptr_t>(mapping);
  const std::size_t before = rounded_up(address, alignment) - address;
  void* memory = moved(mapping, before);
  if (before > 0) ::munmap(mapping, before);
  if (before < alignment) ::munmap(moved(memory, bytes), alignment - before);
#ifdef MADV_HUGEPAGE
  // Advice only: where it is not taken the pages are small ones.
  ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return memory;
}

/// Gives whole pages of the system within [begin, end) of a mapping back.
void drop(std::byte* begin, std::byte* end) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t ahead = rounded_up(reinterpret_cast<std::uintptr_t>(begin), page) -
                            reinterpret_cast<std::uintptr_t>(begin);
  const auto size = static_cast<std::size_t>(end - begin);
  if (size <= ahead) return;
  const std::size_t whole = (size - ahead) / page * page;
  if (whole > 0) ::madvise(begin + ahead, whole, MADV_DONTNEED);
}

/// Some large pages for arrays that are smaller than one, side by side: what is not used of a large
/// page has to be cleared too. What is freed goes back to the system, its place only when all of
/// the shelf is free. Lies at the beginning of its pages.
class Shelf {
public:
  static constexpr std::size_t bytes = 16 * LargePages::page_bytes;
  /// Arrays up to that size have a place on one.
  static constexpr std::size_t most_bytes = LargePages::page_bytes - 1;

  static void* allocate(std::size_t size) {
    const std::lock_guard lock(mutex);
    const std::size_t rounded = rounded_up(size, LargePages::alignment);
    if (current == nullptr || bytes - current->used_ < rounded)
      current = new (map(bytes, bytes)) Shelf;
    void* place = moved(current, current->used_);
    current->used_ += rounded;
    ++current->arrays_;
    return place;
  }

  static void free(void* place, std::size_t size) {
    drop(moved(place, 0), moved(place, size));
    const std::lock_guard lock(mutex);
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(place) % bytes;
    auto* shelf = reinterpret_cast<Shelf*>(moved(place, 0) - offset);
    if (--shelf->arrays_ > 0) return;
    if (shelf == current) current = nullptr;
    ::munmap(shelf, bytes);
  }

private:
  static inline std::mutex mutex;
  static inline Shelf* current = nullptr;

  std::size_t used_ = LargePages::alignment;  // this object lies in front
  std::size_t arrays_ = 0;
};

}  // namespace

void* LargePages::allocate(std::size_t bytes) {
  if (bytes <= Shelf::most_bytes) return Shelf::allocate(bytes);
  const std::size_t rounded = rounded_up(bytes, page_bytes);
  if (rounded < bytes) throw std::bad_alloc();
  return map(rounded, page_bytes);
}

void LargePages::free(void* memory, std::size_t bytes) {
  if (bytes <= Shelf::most_bytes) {
    Shelf::free(memory, bytes);
  } else {
    ::munmap(memory, rounded_up(bytes, page_bytes));
  }
}

void LargePages::release_behind(void* memory, std::size_t used, std::size_t bytes) {
  constexpr std::size_t worthwhile = page_bytes / 4;
  const std::size_t end = bytes <= Shelf::most_bytes ? bytes : rounded_up(bytes, page_bytes);
  if (end - used < worthwhile) return;
  drop(moved(memory, used), moved(memory, end));
#ifdef MADV_NOHUGEPAGE
  if (bytes <= Shelf::most_bytes) return;
  // Else the system would fill the large page up again after a while.
  const std::size_t last_page = used / page_bytes * page_bytes;
  ::madvise(moved(memory, last_page), end - last_page, MADV_NOHUGEPAGE);
#endif
}

void release_freed_memory() {
#ifdef __GLIBC__
  // Where another allocator stands in for glibc's, glibc sets its own up here, at the first call
  // and without a lock.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  ::malloc_trim(0);
#endif
}

}  // namespace bytescope::io
