#include "core/query/compare.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/ansi.h"
#include "core/trace/loader.h"
#include "tests/support/decoded_trace.h"
#include "tests/support/random_memory.h"
#include "tests/support/trace_files.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using bytepack::TrackKind;
using tests::DecodedEvent;
using tests::DecodedTrack;

/// Count and total by plain name, of the parts inside a range.
using Totals = std::map<std::string, std::pair<std::uint64_t, double>>;

Totals totals(const trace::Trace& trace, const std::optional<TimeRange>& range) {
  Totals totals;
  const std::vector<DecodedTrack> tracks = tests::decoded_tracks(trace);
  for (const std::uint32_t track : default_statistics_tracks(trace)) {
    for (const DecodedEvent& event : tracks[track].events) {
      double begin = event.time;
      double end = begin + static_cast<double>(event.duration);
      if (range) {
        const double from = static_cast<double>(range->begin_ns) / 1000;
        const double to = static_cast<double>(range->end_ns) / 1000;
        if (begin >= to || (begin < from && end <= from)) continue;
        begin = std::max(begin, from);
        end = std::min(end, to);
      }
      auto& [count, total] = totals[trace::plain_text(event.name)];
      ++count;
      total += end - begin;
    }
  }
  return totals;
}

struct Peak {
  std::uint64_t bytes = 0;
  std::map<std::pair<std::string, std::uint64_t>, BufferCount> live;
};

/// The peak of a track by looking at every instant of the range.
Peak brute_force_peak(const trace::Trace& trace, const DecodedTrack& track,
                      const std::optional<TimeRange>& range) {
  Peak peak;
  std::map<std::uint32_t, const DecodedEvent*> live;
  bool is_first = true;
  const auto offer = [&] {
    std::uint64_t bytes = 0;
    for (const auto& [key, event] : live) bytes += event->bytes;
    if (!is_first && bytes <= peak.bytes) return;
    is_first = false;
    peak = {};
    peak.bytes = bytes;
    for (const auto& [key, event] : live) {
      const auto size = trace.index->dtype_bytes.at(event->name);
      BufferCount& count = peak.live[{event->name, size == 0 ? 0 : event->bytes / size}];
      ++count.count;
      count.bytes += event->bytes;
    }
  };
  const auto time_ns = [](const DecodedEvent& event) { return std::int64_t{event.time} * 1000; };
  const std::int64_t begin = range ? range->begin_ns : 0;
  std::size_t i = 0;
  const auto step = [&] {
    const DecodedEvent& event = track.events[i++];
    if (event.is_free) {
      live.erase(*event.key);
    } else {
      live[*event.key] = &event;
    }
  };
  while (i < track.events.size() && time_ns(track.events[i]) < begin) step();
  if (i == track.events.size() || time_ns(track.events[i]) > begin) offer();
  while (i < track.events.size() && (!range || time_ns(track.events[i]) < range->end_ns)) {
    step();
    offer();
  }
  if (is_first) offer();
  return peak;
}

void expect_kernels(const Comparison& comparison, const Totals& a, const Totals& b) {
  std::set<std::string> names;
  for (const Totals* side : {&a, &b})
    for (const auto& [name, total] : *side) names.insert(name);
  ASSERT_EQ(comparison.kernels.size(), names.size());
  double last = 1e300;
  for (const ComparedKernel& kernel : comparison.kernels) {
    SCOPED_TRACE(kernel.name);
    EXPECT_EQ(kernel.a.has_value(), a.contains(kernel.name));
    EXPECT_EQ(kernel.b.has_value(), b.contains(kernel.name));
    for (const auto& [row, side] : {std::pair(&kernel.a, &a), std::pair(&kernel.b, &b)}) {
      if (!*row) continue;
      const auto& [count, total] = side->at(kernel.name);
      EXPECT_EQ((*row)->count, count);
      EXPECT_NEAR((*row)->total, total, 1e-6 * (1 + total));
    }
    EXPECT_LE(std::abs(kernel.delta()), last);
    last = std::abs(kernel.delta());
  }
}

void expect_side(const std::optional<PeakOf>& peak, const ComparedMemory& memory,
                 std::optional<BufferCount> ComparedBuffers::*side, const trace::Trace& trace,
                 const std::vector<DecodedTrack>& tracks, const std::optional<TimeRange>& range) {
  if (!peak) {
    for (const ComparedBuffers& group : memory.at_peak) EXPECT_FALSE(group.*side);
    return;
  }
  const Peak truth = brute_force_peak(trace, tracks[peak->track], range);
  EXPECT_EQ(peak->bytes, truth.bytes);
  std::map<std::pair<std::string, std::uint64_t>, BufferCount> found;
  for (const ComparedBuffers& group : memory.at_peak)
    if (group.*side) found[{group.dtype, group.length}] = *(group.*side);
  EXPECT_EQ(found, truth.live);
}

void expect_comparison(const trace::Trace& a, const std::optional<TimeRange>& range_a,
                       const trace::Trace& b, const std::optional<TimeRange>& range_b) {
  const auto comparison = compare({a, range_a}, {b, range_b}, never);
  ASSERT_TRUE(comparison) << text(comparison.error());
  expect_kernels(*comparison, totals(a, range_a), totals(b, range_b));
  const std::vector<DecodedTrack> tracks_a = tests::decoded_tracks(a);
  const std::vector<DecodedTrack> tracks_b = tests::decoded_tracks(b);
  for (const ComparedMemory& memory : comparison->memory) {
    SCOPED_TRACE(memory.track);
    expect_side(memory.a, memory, &ComparedBuffers::a, a, tracks_a, range_a);
    expect_side(memory.b, memory, &ComparedBuffers::b, b, tracks_b, range_b);
  }
}

/// Kernels of few names and a memory track.
bytepack::TraceDescription random_trace(std::uint32_t seed) {
  std::mt19937 random(seed);
  bytepack::TraceDescription trace;
  trace.dtype_bytes = {{"float", 4}, {"half", 2}, {"nothing", 0}};
  bytepack::TrackDescription device;
  device.name = "AMD";
  std::uint32_t time = 0;
  for (int i = 0; i < 300; ++i) {
    const auto name = random() % 9;
    device.spans.push_back({fmt::format("\x1b[3{}mE_{}\x1b[0m", random() % 8, name + seed % 3),
                            time, static_cast<float>(random() % 100) / 8 + 0.125F, "{}"});
    time += static_cast<std::uint32_t>(random() % 20);
  }
  bytepack::TrackDescription memory;
  memory.name = seed % 2 == 0 ? "AMD Memory" : "AMD:1 Memory";
  memory.kind = TrackKind::memory;
  tests::RandomMemory wish;
  wish.seed = seed;
  wish.events = 300;
  wish.live = 12;
  wish.duration = time;
  const char* types[] = {"float", "half", "nothing"};
  for (const tests::MemoryEvent& event : tests::random_events(wish))
    memory.memory.push_back(
        {event.is_alloc, event.time, event.key, types[event.key % 3], event.bytes % 7, {}});
  trace.tracks = {device, memory};
  if (seed % 4 == 0) {
    memory.name = "AMD:2 Memory";
    trace.tracks.push_back(memory);
  }
  return trace;
}

TEST(Compare, TracesAreComparedAsByHand) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const auto a = tests::load_description(random_trace(seed));
    const auto b = tests::load_description(random_trace(seed + 2));
    expect_comparison(*a, {}, *b, {});
  }
}

TEST(Compare, RangesAreComparedAsByHand) {
  const auto trace = tests::load_description(random_trace(4));
  const std::int64_t end = std::int64_t{trace->frame.duration_us} * 1000;
  std::mt19937_64 random(3);
  for (int i = 0; i < 30; ++i) {
    const auto any = [&] {
      const auto begin = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
      const auto length = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end / 3));
      return TimeRange{begin / (i % 2 == 0 ? 1000 : 1) * (i % 2 == 0 ? 1000 : 1),
                       begin + length + 1};
    };
    expect_comparison(*trace, any(), *trace, any());
  }
  expect_comparison(*trace, TimeRange{end + 1000, end + 2000}, *trace, TimeRange{-5000, -1000});
}

TEST(Compare, RealTracesAreComparedAsByHand) {
  const std::vector<std::string> paths = tests::real_traces();
  const auto opened = [](const std::string& path) { return *trace::load_trace(path, {}, never); };
  std::optional<std::string> last;
  for (const std::string& path : paths) {
    if (path.find("-mem.bin") == std::string::npos) continue;
    if (last) {
      SCOPED_TRACE(path);
      expect_comparison(*opened(*last), {}, *opened(path), {});
    }
    last = path;
  }
}

TEST(Compare, EqualChangesAreOrderedByName) {
  const auto a =
      tests::load_description(tests::one_track({{"b", 0, 2.0F, "{}"}, {"a", 4, 2.0F, "{}"}}));
  const auto b = tests::load_description(tests::one_track({{"c", 0, 2.0F, "{}"}}));
  const auto comparison = compare({*a, {}}, {*b, {}}, never);
  ASSERT_EQ(comparison->kernels.size(), 3U);
  EXPECT_EQ(comparison->kernels[0].name, "a");
  EXPECT_EQ(comparison->kernels[1].name, "b");
  EXPECT_EQ(comparison->kernels[2].name, "c");
  EXPECT_EQ(comparison->kernels[2].delta(), 2);
}

TEST(Compare, TracksOfEqualNamesArePairedInOrder) {
  bytepack::TraceDescription twins = random_trace(2);
  twins.tracks.push_back(twins.tracks[1]);
  twins.tracks[2].memory.resize(20);
  const auto a = tests::load_description(twins);
  const auto b = tests::load_description(random_trace(2));
  const std::vector<ComparedMemory> memory = compare_memory({*a, {}}, {*b, {}}, never);
  ASSERT_EQ(memory.size(), 2U);
  EXPECT_EQ(memory[0].a->bytes, memory[0].b->bytes);
  EXPECT_EQ(memory[1].a->track, 2U);
  EXPECT_FALSE(memory[1].b);
  // The same twice: nothing changes.
  for (const ComparedBuffers& group : memory[0].at_peak) EXPECT_EQ(group.a, group.b);
}

TEST(Compare, CanBeCancelled) {
  Cancel cancel;
  cancel.request();
  const auto trace = tests::load_description(random_trace(1));
  const auto comparison = compare({*trace, {}}, {*trace, {}}, cancel);
  ASSERT_FALSE(comparison);
  EXPECT_EQ(comparison.error().kind, ErrorKind::cancelled);
}

}  // namespace
}  // namespace bytescope::query
