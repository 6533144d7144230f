#include "core/query/memory_pick.h"

#include <algorithm>
#include <vector>

namespace bytescope::query {

const StackCell* pick_cell(const StackColumns& stack, std::uint32_t column, std::uint64_t y_bytes) {
  if (std::size_t{column} + 1 >= stack.first_cell.size()) return nullptr;
  const auto begin = stack.cells.begin() + stack.first_cell[column];
  const auto end = stack.cells.begin() + stack.first_cell[column + 1];
  const auto above = [](std::uint64_t y, const StackCell& cell) { return y < cell.end_bytes; };
  const auto found = std::upper_bound(begin, end, y_bytes, above);
  return found == end ? nullptr : &*found;
}

std::optional<LiveBuffer> pick_buffer(const trace::MemoryIndex& memory, std::uint32_t event_count,
                                      std::uint64_t y_bytes) {
  for (const LiveBuffer& live : live_buffers(memory, event_count)) {
    const std::uint64_t bytes = memory.buffers[live.ordinal].bytes;
    if (y_bytes >= live.begin_bytes && y_bytes - live.begin_bytes < bytes) return live;
  }
  return std::nullopt;
}

}  // namespace bytescope::query
