// What a trace tells at first sight, and what it tells of a range, against looking at everything.

#include "core/query/summary.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/query/ranges.h"
#include "core/trace/ansi.h"
#include "tests/support/decoded_trace.h"
#include "tests/support/random_spans.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using bytepack::TrackDescription;
using bytepack::TrackKind;

constexpr std::uint32_t duration_us = 40'000;

TrackDescription random_memory_track(const std::string& name, std::mt19937& random) {
  TrackDescription track;
  track.name = name;
  track.kind = TrackKind::memory;
  std::vector<std::uint32_t> live;
  for (std::uint32_t i = 0; i < 80; ++i) {
    const std::uint32_t time = i * 400;
    if (random() % 3 != 0 || live.empty()) {
      track.memory.push_back({true, time, i, "float", 1 + random() % 100});
      live.push_back(i);
    } else {
      const auto place = static_cast<std::ptrdiff_t>(random() % live.size());
      track.memory.push_back({false, time, live[static_cast<std::size_t>(place)], "", 0});
      live.erase(live.begin() + place);
    }
  }
  return track;
}

/// Two devices, their memory, a disk, the compiler, markers.
bytepack::TraceDescription random_run(std::uint32_t seed) {
  std::mt19937 random(seed);
  bytepack::TraceDescription description;
  description.dtype_bytes = {{"float", 4}};
  description.duration_us = duration_us;
  for (const char* name : {"TINY", "AMD", "AMD:1", "AMD:SDMA:0"}) {
    TrackDescription track;
    track.name = name;
    track.spans =
        tests::random_spans(name[0] == 'T' ? tests::SpanShape::nested : tests::SpanShape::one_lane,
                            60, static_cast<std::uint32_t>(random()));
    for (auto& span : track.spans)
      if (random() % 4 == 0) span.name = "\x1b[34m" + span.name + "\x1b[0m";
    description.tracks.push_back(track);
  }
  for (const char* name : {"AMD Memory", "AMD:1 Memory", "DISK:/x Memory"})
    description.tracks.push_back(random_memory_track(name, random));
  return description;
}

/// How long a track was busy in a stretch, by the union of its spans.
double plain_busy(const tests::DecodedTrack& track, double begin, double end) {
  double busy = 0;
  double furthest = begin;
  for (const tests::DecodedEvent& span : track.events) {
    const double from = std::max<double>(span.time, furthest);
    const double to = std::min(span.time + static_cast<double>(span.duration), end);
    if (to > from) busy += to - from;
    furthest = std::max(furthest, to);
  }
  return busy;
}

/// Live bytes after all events until a time.
std::uint64_t plain_live_bytes(const tests::DecodedTrack& track, std::uint32_t time) {
  std::uint64_t bytes = 0;
  for (const tests::DecodedEvent& event : track.events) {
    if (event.time > time) break;
    bytes = event.is_free ? bytes - event.bytes : bytes + event.bytes;
  }
  return bytes;
}

bool is_disk(const tests::DecodedTrack& track) { return track.name.starts_with("DISK"); }

TEST(Summary, BusySharesAndPeaksAreThoseOfBruteForce) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const auto trace = tests::load_description(random_run(seed));
    ASSERT_TRUE(trace);
    const TraceSummary summary = summarize(*trace, never);
    const auto tracks = tests::decoded_tracks(*trace);
    std::uint64_t highest = 0;
    std::uint64_t never_freed = 0;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      if (tracks[i].kind == TrackKind::spans) {
        EXPECT_NEAR(summary.busy_share[i], plain_busy(tracks[i], 0, 1e9) / duration_us, 1e-6);
      } else if (!is_disk(tracks[i])) {
        for (std::uint32_t time = 0; time <= duration_us; time += 400)
          highest = std::max(highest, plain_live_bytes(tracks[i], time));
        never_freed += plain_live_bytes(tracks[i], duration_us);
      }
    }
    EXPECT_EQ(trace->tracks[*summary.peak_track].memory->peak_bytes, highest);
    EXPECT_EQ(summary.never_freed_bytes, never_freed);
    EXPECT_NEAR(*summary.device_busy, (summary.busy_share[1] + summary.busy_share[2]) / 2, 1e-9);
    EXPECT_EQ(summary.slowest_device, summary.busy_share[1] <= summary.busy_share[2] ? 1U : 2U);
  }
}

TEST(Summary, TheCostliestKernelsAreThoseOfBruteForce) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const auto trace = tests::load_description(random_run(seed));
    ASSERT_TRUE(trace);
    const TraceSummary summary = summarize(*trace, never);
    std::map<std::string, std::pair<double, std::uint64_t>> kernels;
    double all = 0;
    for (const tests::DecodedTrack& track : tests::decoded_tracks(*trace)) {
      if (track.name != "AMD" && track.name != "AMD:1") continue;
      for (const tests::DecodedEvent& span : track.events) {
        const std::string name = trace::plain_text(span.name);
        if (name.starts_with("copy ") || name.starts_with("batched ")) continue;
        kernels[name].first += static_cast<double>(span.duration);
        ++kernels[name].second;
        all += static_cast<double>(span.duration);
      }
    }
    ASSERT_EQ(summary.top_kernels.size(), std::min<std::size_t>(kernels.size(), 8));
    double before = 1e300;
    for (const TopKernel& top : summary.top_kernels) {
      const auto& [total, count] = kernels[trace::plain_text(top.raw_name)];
      EXPECT_NEAR(top.total, total, 1e-4);
      EXPECT_EQ(top.count, count);
      EXPECT_NEAR(top.share, total / all, 1e-6);
      EXPECT_LE(top.total, before);
      before = top.total;
      kernels.erase(trace::plain_text(top.raw_name));
    }
    for (const auto& [name, sum] : kernels) EXPECT_LE(sum.first, before + 1e-4) << name;
  }
}

TEST(RangeFacts, AreThoseOfBruteForceInAnyRange) {
  std::mt19937 random(3);
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const auto trace = tests::load_description(random_run(seed));
    ASSERT_TRUE(trace);
    const auto tracks = tests::decoded_tracks(*trace);
    for (int i = 0; i < 10; ++i) {
      const auto begin = static_cast<std::uint32_t>(random() % duration_us);
      const auto end = begin + 1 + static_cast<std::uint32_t>(random() % duration_us);
      const auto facts =
          range_facts(*trace, {trace::ns_from_unit(begin), trace::ns_from_unit(end)}, never);
      ASSERT_TRUE(facts);
      std::uint64_t before = 0;
      std::uint64_t after = 0;
      for (std::size_t t = 0; t < tracks.size(); ++t) {
        if (tracks[t].kind == TrackKind::spans) {
          EXPECT_NEAR(*facts->tracks[t].busy_share,
                      plain_busy(tracks[t], begin, end) / (end - begin), 1e-5);
          continue;
        }
        EXPECT_EQ(facts->tracks[t].begin_bytes, plain_live_bytes(tracks[t], begin));
        EXPECT_EQ(facts->tracks[t].end_bytes, plain_live_bytes(tracks[t], end));
        if (is_disk(tracks[t])) continue;
        before += plain_live_bytes(tracks[t], begin);
        after += plain_live_bytes(tracks[t], end);
      }
      EXPECT_EQ(facts->begin_bytes, before);
      EXPECT_EQ(facts->end_bytes, after);
    }
  }
}

TEST(Summary, StepsAreTheLargestFamilyOfMarkersFromOneToTheNext) {
  bytepack::TraceDescription description = random_run(1);
  description.markers = {{30.0, "step 2", ""},
                         {10.0, "step 0", ""},
                         {16.0, "step 1", ""},
                         {5.0, "eval 1", ""},
                         {7.0, "eval 2", ""}};
  const auto trace = tests::load_description(description);
  const TraceSummary summary = summarize(*trace, never);
  ASSERT_TRUE(summary.steps);
  EXPECT_EQ(summary.steps->family, "step ");
  EXPECT_EQ(summary.steps->count, 3U);
  EXPECT_DOUBLE_EQ(summary.steps->mean_length, 10);
  EXPECT_EQ(summary.marker_order, (std::vector<std::uint32_t>{3, 4, 1, 2, 0}));
}

}  // namespace
}  // namespace bytescope::query
