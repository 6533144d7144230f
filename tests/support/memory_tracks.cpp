#include "tests/support/memory_tracks.h"

#include <gtest/gtest.h>

namespace bytescope::tests {

using trace::MemoryIndex;
using trace::MemoryLoadContext;

MemoryLoadContext load_context(std::uint32_t duration) {
  MemoryLoadContext context;
  context.duration = duration;
  context.string_count = 10;
  context.dtype_bytes = [](std::uint32_t dtype) -> std::optional<std::uint64_t> {
    switch (dtype) {
      case 1: return 4;
      case 2: return 1;
      case 3: return 0;
      case 12: return 8;  // Known, but not among the strings.
      default: return std::nullopt;
    }
  };
  return context;
}

Expected<MemoryIndex> load(const RecordFile& file, char letter, const bytepack::TrackHead& head,
                           Warnings& warnings, std::uint32_t duration) {
  return trace::load_memory(*file.file(), *bytepack::dialect_of(letter), head,
                            load_context(duration), warnings, Cancel());
}

void expect_same(const MemoryIndex& a, const MemoryIndex& b) {
  ASSERT_EQ(a.buffers.size(), b.buffers.size());
  for (std::size_t i = 0; i < a.buffers.size(); ++i) {
    ASSERT_EQ(a.buffers[i].key, b.buffers[i].key) << i;
    ASSERT_EQ(a.buffers[i].allocated, b.buffers[i].allocated) << i;
    ASSERT_EQ(a.buffers[i].freed, b.buffers[i].freed) << i;
    ASSERT_EQ(a.buffers[i].bytes, b.buffers[i].bytes) << i;
  }
  ASSERT_EQ(a.events, b.events);
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    ASSERT_EQ(a.blocks[i].before, b.blocks[i].before) << i;
    ASSERT_EQ(a.blocks[i].at_max, b.blocks[i].at_max) << i;
  }
  EXPECT_EQ(a.group_max, b.group_max);
  EXPECT_EQ(a.peak_bytes, b.peak_bytes);
  EXPECT_EQ(a.peak_event, b.peak_event);
  EXPECT_EQ(a.frees, b.frees);
  EXPECT_EQ(a.never_freed, b.never_freed);
  EXPECT_EQ(a.never_freed_bytes, b.never_freed_bytes);
}

}  // namespace bytescope::tests
