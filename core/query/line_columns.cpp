#include "core/query/line_columns.h"

#include <algorithm>

namespace bytescope::query {
namespace {

using trace::LineIndex;

/// Number of points before `offset_ns` from the window's begin.
std::size_t points_before(const LineIndex& line, const Columns& columns, double offset_ns) {
  const auto at =
      std::partition_point(line.times.begin(), line.times.end(), [&](std::uint32_t time) {
        return static_cast<double>(std::int64_t{time} * 1000 - columns.begin_ns) < offset_ns;
      });
  return static_cast<std::size_t>(at - line.times.begin());
}

/// Largest value of the points [begin, end), end > begin.
std::uint64_t largest(const LineIndex& line, std::size_t begin, std::size_t end) {
  constexpr std::size_t block = LineIndex::block_points;
  std::uint64_t most = 0;
  while (begin < end) {
    const bool whole_block =
        begin % block == 0 && begin + block <= end && begin / block < line.block_max.size();
    most = std::max(most, whole_block ? line.block_max[begin / block] : line.values[begin]);
    begin += whole_block ? block : 1;
  }
  return most;
}

}  // namespace

std::vector<std::optional<std::uint64_t>> line_columns(const LineIndex& line,
                                                       const Columns& columns) {
  std::vector<std::optional<std::uint64_t>> out(columns.count);
  std::size_t begin = points_before(line, columns, 0);
  for (std::uint32_t c = 0; c < columns.count && !line.times.empty(); ++c) {
    const std::size_t end = points_before(line, columns, columns.offset_ns(c + 1.0));
    const bool held = begin > 0 && begin < line.times.size();
    if (held || end > begin) out[c] = largest(line, held ? begin - 1 : begin, std::max(end, begin));
    begin = end;
  }
  return out;
}

}  // namespace bytescope::query
