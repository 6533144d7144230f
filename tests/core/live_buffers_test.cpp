#include "core/query/live_buffers.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/ansi.h"
#include "core/trace/units.h"
#include "tests/support/decoded_trace.h"
#include "tests/support/random_memory.h"
#include "tests/support/trace_files.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using bytepack::MemoryDescription;
using tests::MemoryEvent;

/// A live buffer of the slow twin, in the order of a live set.
struct PlainLive {
  std::uint64_t bytes = 0;
  std::uint64_t y_bytes = 0;
  std::uint32_t key = 0;
  std::uint32_t allocated = 0;
  bool operator==(const PlainLive&) const = default;
};

/// What lives after the first `count` events, allocated by event `from` or later.
std::vector<PlainLive> plain_live(const std::vector<MemoryEvent>& events, std::size_t count,
                                  std::size_t from = 0) {
  std::map<std::uint32_t, std::pair<MemoryEvent, std::size_t>> live;
  for (std::size_t i = 0; i < count; ++i) {
    live.erase(events[i].key);
    if (events[i].is_alloc) live[events[i].key] = {events[i], i};
  }
  std::vector<PlainLive> result;
  std::uint64_t y = 0;
  for (const auto& [key, entry] : live) {
    if (entry.second >= from) result.push_back({entry.first.bytes, y, key, entry.first.time});
    y += entry.first.bytes;
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const PlainLive& a, const PlainLive& b) { return a.bytes > b.bytes; });
  return result;
}

std::vector<PlainLive> told(const trace::MemoryIndex& memory, const LiveSet& live) {
  std::vector<PlainLive> result;
  for (const LiveBuffer& one : live.buffers) {
    const trace::Buffer& buffer = memory.buffers[one.ordinal];
    result.push_back({buffer.bytes, one.begin_bytes, buffer.key, buffer.allocated});
  }
  return result;
}

std::size_t events_until(const std::vector<MemoryEvent>& events, std::uint32_t time) {
  return static_cast<std::size_t>(
      std::count_if(events.begin(), events.end(),
                    [time](const MemoryEvent& event) { return event.time <= time; }));
}

std::vector<tests::RandomMemory> live_wishes() {
  std::vector<tests::RandomMemory> all;
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    tests::RandomMemory wish;
    wish.seed = seed;
    wish.events = 600;
    wish.live = seed == 2 ? 4 : 70;
    wish.duration = seed == 3 ? 50 : 20'000;
    wish.most_bytes = seed == 4 ? 3 : 9000;
    wish.free_at_end = seed % 2 == 0;
    all.push_back(wish);
  }
  return all;
}

TEST(LiveBuffers, AreThoseOfTheSlowTwinAtAnyTime) {
  for (const tests::RandomMemory& wish : live_wishes()) {
    const auto events = tests::random_events(wish);
    const auto memory = tests::index_of(events, wish.duration, wish.free_at_end);
    for (std::uint32_t i = 0; i <= 40; ++i) {
      const std::uint32_t time = wish.duration * i / 40;
      const LiveSet live = live_set_at(memory, time);
      EXPECT_EQ(live.events, events_until(events, time));
      EXPECT_EQ(told(memory, live), plain_live(events, live.events));
      EXPECT_EQ(live.bytes, std::accumulate(live.buffers.begin(), live.buffers.end(),
                                            std::uint64_t{0}, [&](std::uint64_t sum, auto one) {
                                              return sum + memory.buffers[one.ordinal].bytes;
                                            }));
    }
  }
}

TEST(LiveBuffers, ThePeakIsJustAfterTheFirstLargestTotal) {
  for (const tests::RandomMemory& wish : live_wishes()) {
    const auto events = tests::random_events(wish);
    const auto memory = tests::index_of(events, wish.duration, wish.free_at_end);
    std::uint64_t most = 0;
    std::size_t at = 0;
    for (std::size_t i = 1; i <= events.size(); ++i) {
      std::uint64_t total = 0;
      for (const PlainLive& one : plain_live(events, i)) total += one.bytes;
      if (total > most) at = i;
      most = std::max(most, total);
    }
    const LiveSet live = live_set_at_peak(memory);
    EXPECT_EQ(live.events, at);
    EXPECT_EQ(live.bytes, most);
    EXPECT_EQ(live.time, events[at - 1].time);
    EXPECT_EQ(told(memory, live), plain_live(events, at));
  }
  EXPECT_TRUE(live_set_at_peak(tests::index_of({}, 100, true)).buffers.empty());
}

TEST(LiveBuffers, BetweenTwoTimesAreThoseThatStayed) {
  for (const tests::RandomMemory& wish : live_wishes()) {
    const auto events = tests::random_events(wish);
    const auto memory = tests::index_of(events, wish.duration, wish.free_at_end);
    for (std::uint32_t i = 0; i < 12; ++i) {
      const std::uint32_t begin = wish.duration * i / 16;
      for (const std::uint32_t end : {begin, begin + wish.duration / 30, wish.duration - 1}) {
        if (end < begin) continue;
        EXPECT_EQ(told(memory, allocated_between(memory, begin, end)),
                  plain_live(events, events_until(events, end), events_until(events, begin)));
      }
    }
  }
}

TEST(LiveBuffers, StepsAreSortedByGrowth) {
  for (const tests::RandomMemory& wish : live_wishes()) {
    const auto events = tests::random_events(wish);
    const auto memory = tests::index_of(events, wish.duration, wish.free_at_end);
    std::vector<std::uint32_t> boundaries;
    for (std::uint32_t i = 0; i <= 9; ++i) boundaries.push_back(wish.duration * i / 10);
    const std::vector<StepGrowth> steps = step_growth(memory, boundaries);
    ASSERT_EQ(steps.size(), 9U);
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const StepGrowth& step = steps[i];
      EXPECT_TRUE(seen.insert(step.step).second);
      EXPECT_EQ(step.before_bytes, live_set_at(memory, boundaries[step.step]).bytes);
      EXPECT_EQ(step.after_bytes, live_set_at(memory, boundaries[step.step + 1]).bytes);
      if (i > 0) {
        EXPECT_GE(steps[i - 1].growth_bytes(), step.growth_bytes());
      }
    }
  }
  EXPECT_TRUE(step_growth(tests::index_of({}, 100, true), {5}).empty());
  EXPECT_EQ((StepGrowth{0, UINT64_MAX, 0}.growth_bytes()), -INT64_MAX);
  EXPECT_EQ((StepGrowth{0, 0, UINT64_MAX}.growth_bytes()), INT64_MAX);
}

bytepack::TraceDescription grouped_trace() {
  bytepack::TraceDescription trace;
  trace.dtype_bytes = {{"float", 4}, {"char", 1}};
  trace.duration_us = 1000;
  bytepack::TrackDescription track;
  track.name = "AMD Memory";
  track.kind = bytepack::TrackKind::memory;
  track.memory = {MemoryDescription{true, 0, 1, "float", 100},
                  MemoryDescription{true, 1, 2, "float", 100},
                  MemoryDescription{true, 2, 3, "char", 400},
                  MemoryDescription{true, 3, 4, "char", 50},
                  MemoryDescription{true, 4, 5, "float", 1000},
                  MemoryDescription{true, 5, 6, "char", 7},
                  MemoryDescription{
                      false, 50, 1, "", 0, {{1, "loader", 0, 0}, {2, "r_\x1b[34m8\x1b[0m", 1, 1}}},
                  MemoryDescription{false, 60, 2, "", 0, {{3, "r_8", 0, 2}, {2, "E_4", 1, 1}}},
                  MemoryDescription{false, 300, 3, "", 0, {{3, "reader", 0, 0}}},
                  MemoryDescription{false, 400, 4, "", 0, {}},
                  MemoryDescription{false, 1000, 5, "", 0, {{9, "E_4", 0, 1}}}};
  trace.tracks = {track};
  return trace;
}

/// "name count bytes", a line each.
std::string lines(const std::vector<BufferGroup>& groups) {
  std::string text;
  for (const BufferGroup& group : groups)
    text += fmt::format("{} {} {}\n", group.name, group.count, group.bytes);
  return text;
}

TEST(LiveBuffers, GroupsByTypeAndSize) {
  const auto trace = tests::load_description(grouped_trace());
  const LiveSet live = live_set_at(*trace->tracks[0].memory, 10);
  const auto groups = group_by_type(*trace, 0, live);
  EXPECT_EQ(lines(groups),
            "float × 1,000 1 4000\nfloat × 100 2 800\nchar × 400 1 400\nchar × 50 1 50\n"
            "char × 7 1 7\n");
  EXPECT_DOUBLE_EQ(groups[1].share, 800.0 / 5257);
  EXPECT_EQ(groups[1].each_bytes, 400U);
  EXPECT_EQ(trace->tracks[0].memory->buffers[groups[0].largest].bytes, 4000U);
}

TEST(LiveBuffers, GroupsByLifetime) {
  const auto trace = tests::load_description(grouped_trace());
  const auto groups = group_by_lifetime(*trace, 0, live_set_at(*trace->tracks[0].memory, 10));
  EXPECT_EQ(lines(groups), "never freed 2 4007\ntransient 2 800\nlong-lived 2 450\n");
}

TEST(LiveBuffers, GroupsByFirstRecordedWriter) {
  const auto trace = tests::load_description(grouped_trace());
  const LiveSet live = live_set_at(*trace->tracks[0].memory, 10);
  const auto groups = group_by_writer(*trace, 0, live, never);
  EXPECT_EQ(lines(groups), "E_4 1 4000\nr_8 2 800\nno recorded writer 3 457\n");
  EXPECT_TRUE(groups[2].unknown);
  EXPECT_FALSE(groups[0].unknown);
  Cancel cancel;
  cancel.request();
  EXPECT_TRUE(group_by_writer(*trace, 0, live, cancel).empty());
}

/// What a group says of a buffer that lives after `events` events, by looking at all that follow.
struct PlainGroup {
  std::uint32_t count = 0;
  std::uint64_t bytes = 0;
};
using PlainGroups = std::map<std::string, PlainGroup>;

PlainGroups plain_groups(const tests::DecodedTrack& track, std::size_t events, std::uint32_t end,
                         const std::function<std::string(const tests::DecodedEvent& alloc,
                                                         const tests::DecodedEvent* free)>& name) {
  PlainGroups groups;
  for (std::size_t i = 0; i < events; ++i) {
    const tests::DecodedEvent& alloc = track.events[i];
    if (alloc.is_free) continue;
    const tests::DecodedEvent* free = nullptr;
    for (std::size_t k = i + 1; k < track.events.size() && free == nullptr; ++k) {
      if (track.events[k].is_free && track.events[k].key == alloc.key) {
        free = &track.events[k];
        if (k < events) break;
      }
    }
    const bool is_live = free == nullptr || free >= track.events.data() + events;
    if (!is_live) continue;
    PlainGroup& group = groups[name(alloc, free != nullptr && free->time < end ? free : nullptr)];
    ++group.count;
    group.bytes += alloc.bytes;
  }
  return groups;
}

PlainGroups as_plain(const std::vector<BufferGroup>& groups) {
  PlainGroups plain;
  for (const BufferGroup& group : groups) plain[group.name] = {group.count, group.bytes};
  return plain;
}

bool operator==(const PlainGroup& a, const PlainGroup& b) {
  return a.count == b.count && a.bytes == b.bytes;
}

TEST(LiveBuffers, GroupsAreThoseOfBruteForceInRealTraces) {
  std::size_t tracks = 0;
  for (const std::string& path : tests::real_traces()) {
    // Writers are known from dialect H on; there a free at the end means alive.
    if (path.find("dpviz") == std::string::npos && path.find("marksnull") == std::string::npos)
      continue;
    const auto trace = tests::opened(path);
    const auto decoded = tests::decoded_tracks(*trace);
    for (std::uint32_t track = 0; track < trace->tracks.size(); ++track) {
      if (!trace->tracks[track].memory) continue;
      ++tracks;
      const std::uint32_t end = trace->frame.duration_us;
      const std::size_t count = decoded[track].events.size();
      for (const std::size_t events : {count / 3, count / 2, count - 1}) {
        const LiveSet live =
            live_set_after(*trace->tracks[track].memory, static_cast<std::uint32_t>(events));
        EXPECT_EQ(as_plain(group_by_lifetime(*trace, track, live)),
                  plain_groups(decoded[track], events, end, [end](const auto& alloc, auto* free) {
                    if (free == nullptr) return "never freed";
                    return (std::uint64_t{free->time} - alloc.time) * 10 >= end ? "long-lived"
                                                                                : "transient";
                  }));
        EXPECT_EQ(as_plain(group_by_type(*trace, track, live)),
                  plain_groups(decoded[track], events, end, [](const auto& alloc, auto*) {
                    return fmt::format("{} × {}", alloc.name, trace::count_text(alloc.length));
                  }));
        EXPECT_EQ(as_plain(group_by_writer(*trace, track, live, never)),
                  plain_groups(decoded[track], events, UINT32_MAX, [](const auto&, auto* free) {
                    if (free != nullptr) {
                      for (const tests::DecodedUser& user : free->users)
                        if (user.mode != 0) return trace::plain_text(user.name);
                    }
                    return std::string("no recorded writer");
                  }));
      }
    }
  }
  if (!tests::real_traces().empty()) {
    EXPECT_GT(tracks, 8U);
  }
}

TEST(LiveBuffers, OldDialectsHaveNoWriters) {
  for (const char letter : {'A', 'B', 'D', 'E'}) {
    const auto trace = tests::load_description(grouped_trace(), letter);
    const LiveSet live = live_set_at(*trace->tracks[0].memory, 10);
    EXPECT_EQ(live.bytes, 5257U);
    EXPECT_EQ(lines(group_by_writer(*trace, 0, live, never)), "no recorded writer 6 5257\n")
        << letter;
    EXPECT_EQ(group_by_type(*trace, 0, live).size(), 5U) << letter;
  }
}

}  // namespace
}  // namespace bytescope::query
