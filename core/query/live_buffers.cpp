#include "core/query/live_buffers.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/query/memory_curve.h"
#include "core/trace/ansi.h"
#include "core/trace/memory_records.h"
#include "core/trace/units.h"

namespace bytescope::query {
namespace {

using trace::MemoryIndex;

constexpr std::uint32_t records_between_looks = 4096;
/// Users of one free record are read so many at a time until a writer is found.
constexpr std::uint32_t users_looked_at = 32;

LiveSet live_set(const MemoryIndex& memory, std::uint32_t events, std::uint32_t time,
                 const std::vector<bool>* wanted = nullptr) {
  LiveSet live;
  live.events = events;
  live.time = time;
  live.buffers = live_buffers(memory, events);
  if (wanted != nullptr)
    std::erase_if(live.buffers,
                  [wanted](const LiveBuffer& buffer) { return !(*wanted)[buffer.ordinal]; });
  for (const LiveBuffer& buffer : live.buffers) live.bytes += memory.buffers[buffer.ordinal].bytes;
  std::stable_sort(live.buffers.begin(), live.buffers.end(),
                   [&memory](const LiveBuffer& a, const LiveBuffer& b) {
                     return memory.buffers[a.ordinal].bytes > memory.buffers[b.ordinal].bytes;
                   });
  return live;
}

double share_of(std::uint64_t bytes, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(all);
}

/// Buffers come largest first.
void add(BufferGroup& group, std::uint32_t ordinal, std::uint64_t bytes) {
  if (group.count++ == 0) group.largest = ordinal;
  group.bytes += bytes;
}

void finish(std::vector<BufferGroup>& groups, std::uint64_t all_bytes) {
  for (BufferGroup& group : groups) group.share = share_of(group.bytes, all_bytes);
  std::stable_sort(groups.begin(), groups.end(), [](const BufferGroup& a, const BufferGroup& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
  });
}

std::string type_name(const std::string& type, std::uint64_t bytes, std::uint64_t element_bytes) {
  if (element_bytes == 0) return fmt::format("{}, {}", type, trace::bytes_text(bytes));
  return fmt::format("{} × {}", type, trace::count_text(bytes / element_bytes));
}

std::optional<std::uint32_t> first_writer(trace::MemoryCursor& cursor,
                                          std::vector<bytepack::UserRecord>& users) {
  const std::uint32_t count = cursor.event().user_count;
  for (std::uint32_t first = 0; first < count; first += users_looked_at) {
    users.clear();
    cursor.append_users(first, users_looked_at, users);
    for (const bytepack::UserRecord& user : users) {
      constexpr std::uint8_t read_only = 0;
      if (user.name && user.mode.value_or(read_only) != read_only) return user.name;
    }
    if (users.empty() || count - first <= users_looked_at) break;
  }
  return std::nullopt;
}

}  // namespace

LiveSet live_set_at(const MemoryIndex& memory, std::uint32_t time) {
  return live_set(memory, events_until(memory, time), time);
}

LiveSet live_set_after(const MemoryIndex& memory, std::uint32_t events) {
  const auto count = static_cast<std::uint32_t>(memory.events.size());
  events = std::min(events, count);
  return live_set(memory, events, events == 0 ? 0 : memory.event_time(events - 1));
}

LiveSet live_set_at_peak(const MemoryIndex& memory) {
  // Without a byte there is no peak; its first event is as good as any.
  if (memory.events.empty()) return {};
  return live_set(memory, memory.peak_event + 1, memory.event_time(memory.peak_event));
}

LiveSet allocated_between(const MemoryIndex& memory, std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t last = events_until(memory, end);
  std::vector<bool> wanted(memory.buffers.size());
  for (std::uint32_t i = events_until(memory, begin); i < last; ++i)
    wanted[MemoryIndex::ordinal(memory.events[i])] = !MemoryIndex::is_free(memory.events[i]);
  return live_set(memory, last, end, &wanted);
}

std::vector<BufferGroup> group_by_type(const trace::Trace& trace, std::uint32_t track,
                                       const LiveSet& live) {
  const MemoryIndex& memory = *trace.tracks[track].memory;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> places;
  std::vector<BufferGroup> groups;
  for (const LiveBuffer& one : live.buffers) {
    const trace::Buffer& buffer = memory.buffers[one.ordinal];
    const auto [place, is_new] = places.try_emplace({buffer.dtype, buffer.bytes}, groups.size());
    if (is_new) {
      groups.emplace_back().dtype = buffer.dtype;
      groups.back().each_bytes = buffer.bytes;
    }
    add(groups[place->second], one.ordinal, buffer.bytes);
  }
  io::PageReader reader(trace.file, 8);
  std::unordered_map<std::uint32_t, std::pair<std::string, std::uint64_t>> types;
  for (BufferGroup& group : groups) {
    const auto [type, is_new] = types.try_emplace(group.dtype);
    if (is_new)
      type->second = {trace::plain_text(trace.text(reader, group.dtype)),
                      trace.dtype_bytes(reader, group.dtype)};
    group.name = type_name(type->second.first, group.each_bytes, type->second.second);
  }
  finish(groups, live.bytes);
  return groups;
}

std::vector<BufferGroup> group_by_lifetime(const trace::Trace& trace, std::uint32_t track,
                                           const LiveSet& live) {
  const MemoryIndex& memory = *trace.tracks[track].memory;
  std::array<BufferGroup, trace::lifetime_count> by_lifetime;
  for (const LiveBuffer& one : live.buffers) {
    const trace::Buffer& buffer = memory.buffers[one.ordinal];
    add(by_lifetime[static_cast<std::size_t>(memory.lifetime(buffer))], one.ordinal, buffer.bytes);
  }
  std::vector<BufferGroup> groups;
  for (std::size_t i = 0; i < by_lifetime.size(); ++i) {
    if (by_lifetime[i].count == 0) continue;
    by_lifetime[i].lifetime = static_cast<trace::Lifetime>(i);
    by_lifetime[i].name = trace::lifetime_text(by_lifetime[i].lifetime);
    groups.push_back(std::move(by_lifetime[i]));
  }
  finish(groups, live.bytes);
  return groups;
}

std::vector<std::optional<std::uint32_t>> first_writers(const trace::Trace& trace,
                                                        std::uint32_t track, const LiveSet& live,
                                                        const Cancel& cancel) {
  std::vector<std::optional<std::uint32_t>> writers(live.buffers.size());
  const trace::Track& owner = trace.tracks[track];
  const bytepack::UserLayout& user = trace.dialect->user;
  if (user.stride == 0 || user.name < 0 || user.mode < 0) return writers;
  std::vector<std::uint32_t> place(owner.memory->buffers.size(), UINT32_MAX);
  for (std::uint32_t i = 0; i < live.buffers.size(); ++i) place[live.buffers[i].ordinal] = i;
  io::PageReader reader(trace.file, 8);
  trace::MemoryCursor cursor(reader, *trace.dialect, owner.head, owner.memory.get());
  std::vector<bytepack::UserRecord> users;
  // What lives now is freed later.
  const auto& events = owner.memory->events;
  bool follows = live.events < events.size() && cursor.seek(live.events) && cursor.next();
  for (; follows; follows = cursor.next()) {
    const std::uint32_t record = cursor.record();
    if (record >= events.size()) break;
    if (record % records_between_looks == 0 && cancel.requested()) break;
    const std::uint32_t at = place[MemoryIndex::ordinal(events[record])];
    if (cursor.event().is_alloc || at == UINT32_MAX) continue;
    writers[at] = first_writer(cursor, users);
  }
  return writers;
}

std::vector<BufferGroup> group_by_writer(const trace::Trace& trace, std::uint32_t track,
                                         const LiveSet& live, const Cancel& cancel) {
  const auto writers = first_writers(trace, track, live, cancel);
  if (cancel.requested()) return {};
  const MemoryIndex& memory = *trace.tracks[track].memory;
  io::PageReader reader(trace.file, 8);
  std::unordered_map<std::uint32_t, std::size_t> by_id;
  std::map<std::string, std::size_t> by_name;
  std::vector<BufferGroup> groups;
  BufferGroup unknown;
  unknown.name = "no recorded writer";
  unknown.unknown = true;
  for (std::size_t i = 0; i < writers.size(); ++i) {
    const std::uint32_t ordinal = live.buffers[i].ordinal;
    const std::uint64_t bytes = memory.buffers[ordinal].bytes;
    if (!writers[i]) {
      add(unknown, ordinal, bytes);
      continue;
    }
    const auto [id, is_new] = by_id.try_emplace(*writers[i]);
    if (is_new) {
      std::string name = trace::plain_text(trace.text(reader, *writers[i]));
      const auto [place, is_new_name] = by_name.try_emplace(name, groups.size());
      if (is_new_name) groups.emplace_back().name = std::move(name);
      id->second = place->second;
    }
    add(groups[id->second], ordinal, bytes);
  }
  if (unknown.count > 0) groups.push_back(std::move(unknown));
  finish(groups, live.bytes);
  return groups;
}

std::int64_t StepGrowth::growth_bytes() const {
  constexpr auto most = static_cast<std::uint64_t>(INT64_MAX);
  if (after_bytes >= before_bytes)
    return static_cast<std::int64_t>(std::min(after_bytes - before_bytes, most));
  return -static_cast<std::int64_t>(std::min(before_bytes - after_bytes, most));
}

std::vector<StepGrowth> step_growth(const MemoryIndex& memory,
                                    const std::vector<std::uint32_t>& boundaries) {
  std::vector<std::uint64_t> live;
  for (const std::uint32_t time : boundaries) {
    const trace::LifetimeBytes bytes = live_bytes_at(memory, time);
    live.push_back(bytes[0] + bytes[1] + bytes[2]);
  }
  std::vector<StepGrowth> steps;
  for (std::size_t i = 0; i + 1 < live.size(); ++i)
    steps.push_back({static_cast<std::uint32_t>(i), live[i], live[i + 1]});
  std::stable_sort(steps.begin(), steps.end(), [](const StepGrowth& a, const StepGrowth& b) {
    return a.growth_bytes() > b.growth_bytes();
  });
  return steps;
}

}  // namespace bytescope::query
