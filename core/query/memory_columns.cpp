#include "core/query/memory_columns.h"

#include <algorithm>

#include "core/trace/trace.h"

namespace bytescope::query {

std::uint32_t first_event_from(const trace::MemoryIndex& memory, const Columns& columns,
                               double column, std::uint32_t from) {
  const auto count = static_cast<std::uint32_t>(memory.events.size());
  const auto lies_before = [&](std::uint32_t event) {
    return columns.at(trace::ns_from_unit(memory.event_time(event))) < column;
  };
  std::uint32_t step = 1;
  std::uint32_t begin = from;
  std::uint32_t end = from;  // All in front of `begin` lie before; `end` is the next to look at.
  while (end < count && lies_before(end)) {
    begin = end + 1;
    end = step < count - begin ? begin + step : count;
    step *= 2;
  }
  while (begin < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (lies_before(middle)) {
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
