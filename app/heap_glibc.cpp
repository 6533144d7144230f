#include <cstdlib>

#include "app/heap.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace bytescope::app {

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kept_bytes = 8 << 20;
  constexpr int mapped_from_bytes = 4 << 20;
  mallopt(M_TRIM_THRESHOLD, kept_bytes);
  mallopt(M_MMAP_THRESHOLD, mapped_from_bytes);
  // A heap for each of a dozen threads would keep what it once had, each of them.
  mallopt(M_ARENA_MAX, 2);
#endif
}

}  // namespace bytescope::app
