#include <cstdint>

#include <sys/mman.h>
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

}  // namespace

// Mapped rather than taken from the heap: what is freed leaves at once and no hole stays behind.
void* LargePages::allocate(std::size_t bytes) {
  const std::size_t rounded = rounded_up(bytes, page_bytes);
  if (rounded < bytes || rounded + page_bytes < rounded) throw std::bad_alloc();
  void* mapping = ::mmap(nullptr, rounded + page_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  const auto address = reinterpret_cast<std::uintptr_t>(mapping);
  const std::size_t before = rounded_up(address, page_bytes) - address;
  void* memory = moved(mapping, before);
  if (before > 0) ::munmap(mapping, before);
  if (before < page_bytes) ::munmap(moved(memory, rounded), page_bytes - before);
#ifdef MADV_HUGEPAGE
  // Advice only: where it is not taken the pages are small ones.
  ::madvise(memory, rounded, MADV_HUGEPAGE);
#endif
  return memory;
}

void LargePages::free(void* memory, std::size_t bytes) {
  ::munmap(memory, rounded_up(bytes, page_bytes));
}

void LargePages::release_behind(void* memory, std::size_t used, std::size_t bytes) {
  constexpr std::size_t small_page_bytes = 64 * 1024;  // a multiple of the system's, on any machine
  const std::size_t kept = rounded_up(used, small_page_bytes);
  const std::size_t rounded = rounded_up(bytes, page_bytes);
  if (kept >= rounded) return;
  ::madvise(moved(memory, kept), rounded - kept, MADV_DONTNEED);
#ifdef MADV_NOHUGEPAGE
  // Else the system would fill the large page up again after a while.
  const std::size_t last_page = kept / page_bytes * page_bytes;
  ::madvise(moved(memory, last_page), rounded - last_page, MADV_NOHUGEPAGE);
#endif
}

void release_freed_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace bytescope::io
