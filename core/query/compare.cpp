#include "core/query/compare.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "core/io/page_reader.h"
#include "core/query/live_buffers.h"

namespace bytescope::query {
namespace {

using trace::MemoryIndex;

std::vector<ComparedKernel> joined(std::vector<StatisticsRow> a, std::vector<StatisticsRow> b) {
  std::map<std::string, ComparedKernel> by_name;
  for (StatisticsRow& row : a) by_name[row.name].a = std::move(row);
  for (StatisticsRow& row : b) by_name[row.name].b = std::move(row);
  std::vector<ComparedKernel> kernels;
  kernels.reserve(by_name.size());
  for (auto& [name, kernel] : by_name) {
    kernel.name = name;
    kernels.push_back(std::move(kernel));
  }
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const ComparedKernel& left, const ComparedKernel& right) {
                     return std::abs(left.delta()) > std::abs(right.delta());
                   });
  return kernels;
}

Expected<Statistics> statistics_of(const CompareSide& side, const Cancel& cancel) {
  StatisticsRequest request;
  request.range = side.range;
  return statistics(side.trace, request, cancel);
}

/// Memory tracks by name, of equal names the first of each side with each other, and so on.
std::vector<ComparedMemory> paired_tracks(const trace::Trace& a, const trace::Trace& b) {
  std::vector<ComparedMemory> pairs;
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> places;
  const auto add = [&](const trace::Trace& trace, std::optional<PeakOf> ComparedMemory::*side) {
    std::map<std::string, std::uint32_t> seen;
    for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
      if (!trace.tracks[i].memory) continue;
      const std::string& name = trace.tracks[i].head.name;
      const auto [place, is_new] = places.try_emplace({name, seen[name]++}, pairs.size());
      if (is_new) pairs.push_back({name, {}, {}, {}});
      (pairs[place->second].*side).emplace().track = i;
    }
  };
  add(a, &ComparedMemory::a);
  add(b, &ComparedMemory::b);
  return pairs;
}

using Groups = std::map<std::pair<std::string, std::uint64_t>, ComparedBuffers>;

void add_live(const trace::Trace& trace, const PeakOf& peak,
              std::optional<BufferCount> ComparedBuffers::*side, Groups& groups) {
  const MemoryIndex& memory = *trace.tracks[peak.track].memory;
  io::PageReader reader(trace.file, 8);
  std::map<std::uint32_t, std::pair<std::string, std::uint64_t>> types;
  for (const LiveBuffer& one : live_set_after(memory, peak.events).buffers) {
    const trace::Buffer buffer = memory.buffers[one.ordinal];
    const auto [type, is_new] = types.try_emplace(buffer.dtype);
    if (is_new)
      type->second = {trace.text(reader, buffer.dtype), trace.dtype_bytes(reader, buffer.dtype)};
    const auto& [name, element_bytes] = type->second;
    const std::uint64_t length = element_bytes == 0 ? 0 : buffer.bytes / element_bytes;
    std::optional<BufferCount>& count = groups[{name, length}].*side;
    if (!count) count.emplace();
    ++count->count;
    count->bytes += buffer.bytes;
  }
}

std::uint64_t change(const ComparedBuffers& group) {
  const std::uint64_t a = group.a ? group.a->bytes : 0;
  const std::uint64_t b = group.b ? group.b->bytes : 0;
  return a > b ? a - b : b - a;
}

std::vector<ComparedBuffers> sorted(Groups&& groups) {
  std::vector<ComparedBuffers> list;
  list.reserve(groups.size());
  for (auto& [key, group] : groups) {
    std::tie(group.dtype, group.length) = key;
    list.push_back(std::move(group));
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const ComparedBuffers& left, const ComparedBuffers& right) {
                     return change(left) > change(right);
                   });
  return list;
}

}  // namespace

PeakOf peak_in(const trace::Trace& trace, std::uint32_t track,
               const std::optional<TimeRange>& range) {
  const MemoryIndex& memory = *trace.tracks[track].memory;
  const std::int64_t begin_ns = range ? range->begin_ns : 0;
  PeakOf peak;
  peak.track = track;
  std::uint64_t live = 0;
  bool is_begun = false;
  const auto offer = [&](std::uint32_t events, std::int64_t time_ns) {
    if (!is_begun || live > peak.bytes) {
      peak.bytes = live;
      peak.events = events;
      peak.time = static_cast<std::uint32_t>(std::max<std::int64_t>(time_ns, 0) / 1000);
    }
    is_begun = true;
  };
  for (std::uint32_t i = 0; i < memory.events.size(); ++i) {
    memory.prefetch(i);
    const std::uint32_t event = memory.events[i];
    const std::int64_t time_ns = trace::ns_from_unit(memory.event_time(i));
    if (range && time_ns >= range->end_ns) break;
    // What was there before lasts until the first event behind the range's begin.
    if (time_ns > begin_ns && !is_begun) offer(i, begin_ns);
    const std::uint64_t bytes = memory.buffers[MemoryIndex::ordinal(event)].bytes;
    live += MemoryIndex::is_free(event) ? std::uint64_t{0} - bytes : bytes;
    if (time_ns >= begin_ns) offer(i + 1, time_ns);
    if (!is_begun) peak.events = i + 1;
  }
  if (!is_begun) offer(peak.events, begin_ns);
  return peak;
}

std::vector<ComparedMemory> compare_memory(const CompareSide& a, const CompareSide& b,
                                           const Cancel& cancel) {
  std::vector<ComparedMemory> pairs = paired_tracks(a.trace, b.trace);
  for (ComparedMemory& pair : pairs) {
    if (cancel.requested()) break;
    Groups groups;
    if (pair.a) {
      pair.a = peak_in(a.trace, pair.a->track, a.range);
      add_live(a.trace, *pair.a, &ComparedBuffers::a, groups);
    }
    if (pair.b) {
      pair.b = peak_in(b.trace, pair.b->track, b.range);
      add_live(b.trace, *pair.b, &ComparedBuffers::b, groups);
    }
    pair.at_peak = sorted(std::move(groups));
  }
  return pairs;
}

Expected<Comparison> compare_kernels(const CompareSide& a, const CompareSide& b,
                                     const Cancel& cancel) {
  auto before = statistics_of(a, cancel);
  if (!before) return tl::make_unexpected(before.error());
  auto after = statistics_of(b, cancel);
  if (!after) return tl::make_unexpected(after.error());
  Comparison comparison;
  comparison.total_a = before->total;
  comparison.total_b = after->total;
  comparison.kernels = joined(std::move(before->rows), std::move(after->rows));
  return comparison;
}

Expected<Comparison> compare(const CompareSide& a, const CompareSide& b, const Cancel& cancel) {
  auto comparison = compare_kernels(a, b, cancel);
  if (!comparison) return comparison;
  comparison->memory = compare_memory(a, b, cancel);
  if (cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled");
  return comparison;
}

}  // namespace bytescope::query
