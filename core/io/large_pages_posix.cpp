#include <cstdlib>

#include <sys/mman.h>

#include "core/io/large_pages.h"

namespace bytescope::io {

void* LargePages::allocate(std::size_t bytes) {
  const std::size_t rounded = (bytes + page_bytes - 1) / page_bytes * page_bytes;
  void* memory = rounded < bytes ? nullptr : std::aligned_alloc(page_bytes, rounded);
  if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  // Advice only: where it is not taken the pages are small ones.
  ::madvise(memory, rounded, MADV_HUGEPAGE);
#endif
  return memory;
}

void LargePages::free(void* memory) { std::free(memory); }

}  // namespace bytescope::io
