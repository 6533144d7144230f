#include "core/query/memory_outline.h"

#include <algorithm>
#include <cmath>

#include "core/trace/trace.h"

namespace bytescope::query {
namespace {

using trace::MemoryIndex;

/// Paints stretches of time, in order, with the largest total that they saw.
class Outline {
public:
  Outline(const MemoryIndex& memory, const Columns& columns)
      : memory_(memory), columns_(columns), cells_(columns.count) {}

  std::vector<CurveColumn> run() {
    constexpr std::size_t group_blocks = MemoryIndex::blocks_per_group;
    std::size_t block = first_block();
    while (block < memory_.blocks.size() && column_of(block) < columns_.count) {
      const std::size_t group_end = std::min(block + group_blocks, memory_.blocks.size());
      const bool whole_group =
          block % group_blocks == 0 && column_of(group_end) - column_of(block) <= 1;
      const std::size_t end = whole_group ? group_end : block + 1;
      const double begin = column_of(block);
      add(begin, column_of(end),
          whole_group ? memory_.group_max[block / group_blocks] : memory_.blocks[block].at_max);
      add(begin, begin, memory_.blocks[block].before);
      block = end;
    }
    return std::move(cells_);
  }

private:
  /// Where a block begins, in columns; behind the last one: the end of the window.
  double column_of(std::size_t block) const {
    if (block >= memory_.blocks.size()) return columns_.count;
    return columns_.at(trace::ns_from_unit(memory_.blocks[block].time));
  }

  std::size_t first_block() const {
    std::size_t low = 0;
    std::size_t high = memory_.blocks.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      (column_of(middle) <= 0 ? low : high) = column_of(middle) <= 0 ? middle + 1 : middle;
    }
    return low == 0 ? 0 : low - 1;
  }

  void add(double begin, double end, const trace::LifetimeBytes& bytes) {
    if (end < 0 || begin >= columns_.count) return;
    const auto first = static_cast<std::uint32_t>(std::max(begin, 0.0));
    const auto last =
        static_cast<std::uint32_t>(std::min(std::max(end, begin), columns_.count - 1.0));
    for (std::uint32_t c = first; c <= last; ++c) {
      if (trace::total_bytes(bytes) > cells_[c].total()) cells_[c].bytes = bytes;
    }
  }

  const MemoryIndex& memory_;
  Columns columns_;
  std::vector<CurveColumn> cells_;
};

}  // namespace

std::vector<CurveColumn> memory_outline(const trace::MemoryIndex& memory, const Columns& columns) {
  if (columns.count == 0) return {};
  return Outline(memory, columns).run();
}

}  // namespace bytescope::query
