#include "core/query/clock_time.h"

#include <algorithm>
#include <cstddef>

namespace bytescope::query {

const trace::LineIndex* clock_line(const trace::Trace& trace) {
  if (trace.unit != trace::Unit::cycles) return nullptr;
  for (const trace::Track& track : trace.tracks) {
    if (track.line && !track.line->elapsed_ns.empty()) return track.line.get();
  }
  return nullptr;
}

std::optional<double> real_ns(const trace::LineIndex& clock, std::int64_t time_ns) {
  const auto after = std::lower_bound(
      clock.times.begin(), clock.times.end(), time_ns,
      [](std::uint32_t point, std::int64_t time) { return trace::ns_from_unit(point) < time; });
  if (after == clock.times.end()) return std::nullopt;
  const auto next = static_cast<std::size_t>(after - clock.times.begin());
  const auto short_of = static_cast<double>(trace::ns_from_unit(*after) - time_ns) / 1000;
  if (short_of == 0) return clock.elapsed_ns[next];
  if (next == 0) return std::nullopt;
  return clock.elapsed_ns[next] - short_of * 1e9 / static_cast<double>(clock.values[next]);
}

}  // namespace bytescope::query
