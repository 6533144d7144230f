#include "core/export/kept_events.h"

#include <algorithm>

namespace bytescope::exporting {

using query::TimeRange;

std::optional<std::uint32_t> KeptSpans::place(std::uint32_t record) const {
  if (record >= started.begin && record < started.end)
    return static_cast<std::uint32_t>(open.size()) + record - started.begin;
  const auto found = std::lower_bound(open.begin(), open.end(), record);
  if (found == open.end() || *found != record) return std::nullopt;
  return static_cast<std::uint32_t>(found - open.begin());
}

KeptSpans kept_spans(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                     const std::optional<TimeRange>& range) {
  if (!range) return {{}, {0, trace.tracks[track].head.count}};
  return {query::open_at(trace, reader, track, range->begin_ns),
          query::starting_in(trace, reader, track, *range)};
}

bool keeps(const trace::Buffer& buffer, const std::optional<TimeRange>& range) {
  if (!range) return true;
  const std::int64_t begin_ns = trace::ns_from_unit(buffer.allocated);
  if (range->contains(begin_ns)) return true;
  const bool outlives_begin =
      buffer.freed == trace::Buffer::never || trace::ns_from_unit(buffer.freed) > range->begin_ns;
  return begin_ns < range->end_ns && outlives_begin;
}

std::uint32_t kept_event_count(const trace::MemoryIndex& memory,
                               const std::optional<TimeRange>& range) {
  if (!range) return static_cast<std::uint32_t>(memory.events.size());
  const auto is_kept = [&](std::uint32_t event) {
    return keeps(memory.buffers[trace::MemoryIndex::ordinal(event)], range);
  };
  return static_cast<std::uint32_t>(
      std::count_if(memory.events.begin(), memory.events.end(), is_kept));
}

query::RecordRange kept_values(const trace::LineIndex& line,
                               const std::optional<TimeRange>& range) {
  const auto count = static_cast<std::uint32_t>(line.times.size());
  if (!range) return {0, count};
  const auto first_from = [&line](std::int64_t time_ns) {
    const std::uint64_t time = query::unit_from_ns(time_ns);
    const auto at = std::lower_bound(line.times.begin(), line.times.end(), time);
    return static_cast<std::uint32_t>(at - line.times.begin());
  };
  std::uint32_t begin = first_from(range->begin_ns);
  const std::uint32_t end = first_from(range->end_ns);
  const bool starts_inside =
      begin < count && trace::ns_from_unit(line.times[begin]) == range->begin_ns;
  if (begin > 0 && !starts_inside) --begin;
  return {begin, std::max(begin, end)};
}

bool keeps(const bytepack::FileMarker& marker, const std::optional<TimeRange>& range) {
  if (!range) return true;
  if (!marker.time_us) return false;
  const double time_ns = *marker.time_us * 1000;
  return time_ns >= static_cast<double>(range->begin_ns) &&
         time_ns < static_cast<double>(range->end_ns);
}

}  // namespace bytescope::exporting
