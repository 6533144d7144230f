#include "core/query/steps.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/query/copies.h"
#include "tests/support/random_spans.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

TEST(Steps, FamiliesAreTextsWithANumberAtTheEnd) {
  EXPECT_EQ(family_of("step 12"), "step ");
  EXPECT_EQ(family_of("e7"), "e");
  EXPECT_FALSE(family_of("step"));
  EXPECT_FALSE(family_of("12"));
  EXPECT_FALSE(family_of(""));
}

/// A device, memory and markers of two families out of order.
bytepack::TraceDescription stepped() {
  bytepack::TraceDescription trace;
  trace.dtype_bytes = {{"float", 4}};
  bytepack::TrackDescription device{"AMD",
                                    bytepack::TrackKind::spans,
                                    {{"E", 0, 5, "{}"}, {"E", 12, 6, "{}"}, {"r", 24, 14, "{}"}}};
  bytepack::TrackDescription memory;
  memory.name = "AMD Memory";
  memory.kind = bytepack::TrackKind::memory;
  memory.memory = {{true, 1, 1, "float", 10, {}},
                   {true, 11, 2, "float", 100, {}},
                   {false, 13, 2, "", 0, {}},
                   {true, 25, 3, "float", 50, {}}};
  trace.tracks = {device, memory};
  trace.markers = {{20.0, "\x1b[31mstep 2\x1b[0m", "red"},
                   {0.0, "step 0", "red"},
                   {10.0, "step 1", "red"},
                   {5.0, "eval 1", "red"},
                   {std::nullopt, "step 9", ""},
                   {7.0, "end", ""}};
  return trace;
}

TEST(Steps, GoFromMarkerToMarkerInTime) {
  const auto trace = tests::load_description(stepped());
  ASSERT_TRUE(trace);
  const std::vector<MarkerFamily> families = marker_families(*trace, 1);
  ASSERT_EQ(families.size(), 2U);
  EXPECT_EQ(families[0].name, "step ");
  EXPECT_EQ(families[0].markers, (std::vector<std::uint32_t>{1, 2, 0}));
  EXPECT_EQ(marker_families(*trace).size(), 1U);
  const auto table = step_table(*trace, families[0], never);
  ASSERT_TRUE(table);
  ASSERT_EQ(table->steps.size(), 3U);
  EXPECT_TRUE(table->last_is_open);
  EXPECT_EQ(table->devices, std::vector<std::uint32_t>{0});
  EXPECT_EQ(table->steps[2].name, "step 2");
  EXPECT_EQ(table->steps[2].end, 38);
  EXPECT_DOUBLE_EQ(table->steps[0].busy_share[0], 0.5);
  EXPECT_DOUBLE_EQ(table->steps[1].mean_busy_share, 0.6);
  EXPECT_DOUBLE_EQ(table->steps[2].mean_busy_share, 14.0 / 18);
  EXPECT_EQ(table->steps[0].memory_peak_bytes, 40U);
  EXPECT_EQ(table->steps[1].memory_peak_bytes, 440U);
  EXPECT_EQ(table->steps[2].memory_peak_bytes, 240U);
  EXPECT_EQ(table->steps[1].peak_track, 1U);
  EXPECT_EQ(slowest_first(*table), (std::vector<std::uint32_t>{2, 0, 1}));
}

/// Random allocations and frees, in the order of time.
bytepack::TrackDescription random_memory(const char* name, std::mt19937& random) {
  bytepack::TrackDescription memory;
  memory.name = name;
  memory.kind = bytepack::TrackKind::memory;
  std::vector<std::uint32_t> live;
  std::uint32_t time = 0;
  for (std::uint32_t key = 1; key < 200; ++key) {
    time += static_cast<std::uint32_t>(random() % 20);
    memory.memory.push_back({true, time, key, "float", random() % 500, {}});
    live.push_back(key);
    while (!live.empty() && random() % 2 == 0) {
      const std::size_t at = random() % live.size();
      time += static_cast<std::uint32_t>(random() % 5);
      memory.memory.push_back({false, time, live[at], "", 0, {}});
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  return memory;
}

/// The share of [begin, end) in which any of the spans runs.
double plain_busy_share(const std::vector<bytepack::SpanDescription>& spans, double begin,
                        double end) {
  double covered = 0;
  double until = begin;
  for (const bytepack::SpanDescription& span : spans) {
    const double stop = std::min(span.start + static_cast<double>(span.duration), end);
    covered += std::max(stop - std::max(static_cast<double>(span.start), until), 0.0);
    until = std::max(until, stop);
  }
  return covered / (end - begin);
}

/// The largest total of live bytes at any time of [begin, end).
std::uint64_t plain_peak_bytes(const bytepack::TrackDescription& memory, double begin, double end) {
  std::map<std::uint32_t, std::uint64_t> live;
  std::uint64_t total = 0;
  std::uint64_t peak = 0;
  for (const bytepack::MemoryDescription& event : memory.memory) {
    if (event.time >= end) break;
    // What was alive before lives when the step begins.
    if (event.time >= begin) peak = std::max(peak, total);
    if (event.is_alloc) {
      live[event.key] = event.length * 4;
      total += event.length * 4;
    } else {
      total -= live[event.key];
      live.erase(event.key);
    }
    if (event.time >= begin) peak = std::max(peak, total);
  }
  return std::max(peak, total);
}

TEST(Steps, AreThoseOfBruteForceInRandomTraces) {
  std::mt19937 random(3);
  for (const tests::SpanShape shape : tests::span_shapes()) {
    bytepack::TraceDescription description;
    description.dtype_bytes = {{"float", 4}};
    for (const char* name : {"AMD", "AMD:1"}) {
      bytepack::TrackDescription device;
      device.name = name;
      device.spans = tests::random_spans(shape, 500, static_cast<std::uint32_t>(random()));
      description.tracks.push_back(std::move(device));
    }
    description.tracks.push_back(random_memory("AMD Memory", random));
    description.tracks.push_back(random_memory("AMD:1 Memory", random));
    // Between events, so that it does not matter on which side of a marker one lies.
    for (int step = 0; step < 12; ++step)
      description.markers.push_back(
          {step * 180 + 0.5, "step " + std::to_string(step), std::nullopt});
    const auto trace = tests::load_description(description);
    ASSERT_TRUE(trace);
    const auto table = step_table(*trace, marker_families(*trace).at(0), never);
    ASSERT_TRUE(table);
    ASSERT_EQ(table->steps.size(), 12U);
    for (const Step& step : table->steps) {
      for (std::size_t d = 0; d < 2; ++d) {
        EXPECT_NEAR(step.busy_share[d],
                    plain_busy_share(description.tracks[d].spans, step.begin, step.end), 1e-5)
            << tests::name_of(shape) << " " << step.name;
      }
      const std::uint64_t a = plain_peak_bytes(description.tracks[2], step.begin, step.end);
      const std::uint64_t b = plain_peak_bytes(description.tracks[3], step.begin, step.end);
      EXPECT_EQ(step.memory_peak_bytes, std::max(a, b)) << step.name;
    }
  }
}

TEST(Copies, NamesTellRoutesAndSizes) {
  const auto expect = [](const char* name, const CopyRoute& wanted) {
    const auto route = copy_route(name);
    ASSERT_TRUE(route) << name;
    EXPECT_EQ(route->source, wanted.source) << name;
    EXPECT_EQ(route->destination, wanted.destination) << name;
    EXPECT_EQ(route->bytes, wanted.bytes) << name;
  };
  expect("NULL:1 -> NULL", {"NULL:1", "NULL", {}});
  expect("copy     0.50M,     AMD <- CPU   ", {"CPU", "AMD", 524288.0});
  expect("copy     4096,    AMD:1 <- AMD", {"AMD", "AMD:1", 4096.0});
  expect("1.00 GB, AMD <- DISK", {"DISK", "AMD", 1073741824.0});
  expect("copy 2 kB", {"", "", 2048.0});
  expect("a b, AMD -> CPU", {"AMD", "CPU", {}});
  EXPECT_FALSE(copy_route("E_4_4"));
  EXPECT_FALSE(copy_route("copying"));
}

TEST(Copies, AreGroupedByRouteAndExposedWhereNothingIsComputed) {
  const std::string ten = R"({"B": 1000, "B/s": 1e8})";
  bytepack::TraceDescription description;
  description.tracks = {
      {"AMD",
       bytepack::TrackKind::spans,
       {{"E", 0, 10, "{}"}, {"CPU -> AMD", 20, 5, "{}"}, {"r", 40, 10, "{}"}}},
      {"AMD:SDMA:0",
       bytepack::TrackKind::spans,
       {{"AMD -> AMD:1", 5, 10, ten}, {"AMD -> AMD:1", 23, 10, ten}, {"AMD -> CPU", 60, 1, "{}"}}},
      {"AMD:1", bytepack::TrackKind::spans, {{"E", 0, 10, "{}"}}},
      {"AMD:1:SDMA:0", bytepack::TrackKind::spans, {{"AMD:1 -> AMD", 2, 4, "{}"}}}};
  const auto trace = tests::load_description(description);
  ASSERT_TRUE(trace);
  const auto facts = copy_facts(*trace, {}, never);
  ASSERT_TRUE(facts);
  ASSERT_EQ(facts->groups.size(), 4U);
  EXPECT_EQ(facts->groups[0].source, "AMD");
  EXPECT_EQ(facts->groups[0].destination, "AMD:1");
  EXPECT_EQ(facts->groups[0].count, 2U);
  EXPECT_EQ(facts->groups[0].total, 20);
  EXPECT_EQ(facts->groups[0].bytes, 2000);
  EXPECT_DOUBLE_EQ(*facts->groups[0].bytes_per_s, 1e8);
  EXPECT_FALSE(facts->groups[1].bytes);
  ASSERT_EQ(facts->exposure.size(), 2U);
  EXPECT_EQ(facts->exposure[0].device, 0U);
  EXPECT_EQ(facts->exposure[0].copying, 10 + 13 + 1);  // [5, 15), [20, 33), [60, 61)
  EXPECT_EQ(facts->exposure[0].exposed, 5 + 13 + 1);
  EXPECT_EQ(facts->exposure[1].copying, 4);
  EXPECT_EQ(facts->exposure[1].exposed, 0);
  StatisticsRequest request;
  request.range = TimeRange{8'000, 24'000};
  const auto in_range = copy_facts(*trace, request, never);
  ASSERT_TRUE(in_range);
  EXPECT_EQ(in_range->exposure[0].copying, 7 + 4);
  EXPECT_EQ(in_range->exposure[0].exposed, 5 + 4);
}

/// A route as brute force knows it.
struct PlainRoute {
  std::uint64_t count = 0;
  double total = 0;
  double bytes = 0;
  double bytes_time = 0;
  bool knows_bytes = false;
};

/// The copies of `tracks` by source and destination, in a range of units if there is one. Sizes of
/// infos are 1,000 bytes, those in names 2,048.
std::map<std::pair<std::string, std::string>, PlainRoute> plain_routes(
    const std::vector<bytepack::TrackDescription>& tracks, const std::optional<Stretch>& range) {
  std::map<std::pair<std::string, std::string>, PlainRoute> routes;
  for (const bytepack::TrackDescription& track : tracks) {
    for (const bytepack::SpanDescription& span : track.spans) {
      auto route = copy_route(span.name);
      // Whatever an engine does is a copy.
      if (!route && track.name.find("SDMA") != std::string::npos) route = CopyRoute();
      if (!route) continue;
      const double end = span.start + static_cast<double>(span.duration);
      const double from = range ? std::max<double>(span.start, range->begin) : span.start;
      const double length = (range ? std::min(end, range->end) : end) - from;
      if (length <= 0) continue;
      PlainRoute& sum = routes[{route->source, route->destination}];
      ++sum.count;
      sum.total += length;
      const bool info_tells = span.info != "{}";
      if (!info_tells && !route->bytes) continue;
      sum.knows_bytes = true;
      sum.bytes += (info_tells ? 1000 : 2048) * length / static_cast<double>(span.duration);
      sum.bytes_time += length;
    }
  }
  return routes;
}

TEST(Copies, RoutesAreThoseOfBruteForceInAnyRange) {
  constexpr std::array names = {"AMD -> CPU", "CPU -> AMD", "2 kB, AMD <- CPU", "2 kB, DISK <- AMD",
                                "E_4"};
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    bytepack::TraceDescription description;
    description.tracks.resize(2);
    description.tracks[0].name = "AMD";
    description.tracks[1].name = "AMD:SDMA:0";
    for (bytepack::TrackDescription& track : description.tracks) {
      track.spans = tests::random_spans(tests::SpanShape::many_lanes, 80,
                                        static_cast<std::uint32_t>(random()));
      for (bytepack::SpanDescription& span : track.spans) {
        span.name = names[random() % names.size()];
        span.duration = static_cast<float>(1 + random() % 40) / 4;
        span.info = random() % 2 == 0 ? "{}" : R"({"B": 1000})";
      }
    }
    const auto trace = tests::load_description(description);
    ASSERT_TRUE(trace);
    const std::uint32_t middle = description.tracks[0].spans[40].start;
    for (const std::uint32_t length : {0U, 1U, 7U, 60U}) {
      StatisticsRequest request;
      std::optional<Stretch> range;
      if (length > 0) range = {static_cast<double>(middle), static_cast<double>(middle + length)};
      if (range)
        request.range =
            TimeRange{trace::ns_from_unit(middle), trace::ns_from_unit(middle + length)};
      auto expected = plain_routes(description.tracks, range);
      const auto facts = copy_facts(*trace, request, never);
      ASSERT_TRUE(facts);
      EXPECT_EQ(facts->groups.size(), expected.size());
      for (const CopyGroup& group : facts->groups) {
        const PlainRoute& plain = expected[{group.source, group.destination}];
        EXPECT_EQ(group.count, plain.count);
        EXPECT_NEAR(group.total, plain.total, 1e-6);
        ASSERT_EQ(group.bytes.has_value(), plain.knows_bytes);
        if (!group.bytes) continue;
        EXPECT_NEAR(*group.bytes, plain.bytes, 1e-6 * plain.bytes);
        EXPECT_NEAR(*group.bytes_per_s, plain.bytes / plain.bytes_time * 1e6,
                    1e-6 * *group.bytes_per_s);
      }
    }
  }
}

/// Microsecond by microsecond, whose spans begin and end at whole ones.
TEST(Copies, ExposureIsThatOfBruteForce) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    bytepack::TraceDescription description;
    description.tracks.resize(2);
    description.tracks[0].name = "AMD";
    description.tracks[1].name = "AMD:SDMA:0";
    std::vector<bool> copying(3000);
    std::vector<bool> computing(3000);
    for (std::size_t t = 0; t < 2; ++t) {
      auto& spans = description.tracks[t].spans;
      spans = tests::random_spans(tests::SpanShape::many_lanes, 60,
                                  seed * 2 + static_cast<std::uint32_t>(t));
      for (auto& span : spans) {
        span.duration = static_cast<float>(static_cast<int>(span.duration) % 9);
        if (t == 1) span.name = "AMD -> CPU";
        const bool is_copy = t == 1 || span.name.starts_with("copy");
        for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(span.duration); ++i)
          (is_copy ? copying : computing)[span.start + i] = true;
      }
    }
    double exposed = 0;
    double all = 0;
    double run = 0;
    double longest = 0;
    for (std::size_t i = 0; i < copying.size(); ++i) {
      all += copying[i] ? 1 : 0;
      const bool is_exposed = copying[i] && !computing[i];
      exposed += is_exposed ? 1 : 0;
      run = is_exposed ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    const auto trace = tests::load_description(description);
    ASSERT_TRUE(trace);
    const auto facts = copy_facts(*trace, {}, never);
    ASSERT_TRUE(facts);
    ASSERT_EQ(facts->exposure.size(), 1U);
    EXPECT_EQ(facts->exposure[0].copying, all);
    EXPECT_EQ(facts->exposure[0].exposed, exposed);
    const Stretch& alone = facts->exposure[0].longest_exposed;
    EXPECT_EQ(alone.length(), longest);
    for (double at = alone.begin; at < alone.end; ++at)
      EXPECT_TRUE(copying[static_cast<std::size_t>(at)] &&
                  !computing[static_cast<std::size_t>(at)]);
  }
}

}  // namespace
}  // namespace bytescope::query
