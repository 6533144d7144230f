#include "core/query/memory_columns.h"

#include <algorithm>

#include "core/trace/trace.h"

namespace bytescope::query {

std::uint32_t first_event_from(const trace::MemoryIndex& memory, const Columns& columns,
                               double column, std::uint32_t from) {
  constexpr std::uint32_t block_events = trace::MemoryIndex::block_events;
  const auto count = static_cast<std::uint32_t>(memory.events.size());
  const auto lies_before = [&](std::uint32_t time) {
    return columns.at(trace::ns_from_unit(time)) < column;
  };
  if (from >= count || !lies_before(memory.event_time(from))) return std::min(from, count);
  // Times of events are spread over memory, those of blocks lie side by side.
  const auto blocks = static_cast<std::uint32_t>(memory.blocks.size());
  std::uint32_t block = from / block_events;  // Begins before the column, unless `from` lies in it.
  std::uint32_t end_block = block + 1;
  for (std::uint32_t step = 1; end_block < blocks && lies_before(memory.blocks[end_block].time);
       step *= 2) {
    block = end_block;
    end_block = step < blocks - block ? block + step : blocks;
  }
  while (end_block - block > 1) {
    const std::uint32_t middle = block + (end_block - block) / 2;
    (lies_before(memory.blocks[middle].time) ? block : end_block) = middle;
  }
  std::uint32_t begin = std::max(from + 1, block * block_events);
  std::uint32_t end = std::min(count - block * block_events, block_events) + block * block_events;
  while (begin < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (lies_before(memory.event_time(middle))) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

std::vector<std::uint32_t> column_bounds(const trace::MemoryIndex& memory, const Columns& columns) {
  std::vector<std::uint32_t> bounds(std::size_t{columns.count} + 1);
  std::uint32_t event = 0;
  for (std::uint32_t c = 0; c <= columns.count; ++c) {
    event = first_event_from(memory, columns, c, event);
    bounds[c] = event;
  }
  return bounds;
}

}  // namespace bytescope::query
