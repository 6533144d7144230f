// Spans of one name, and where kernels were compiled, against looking at everything.

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/query/links.h"
#include "core/trace/ansi.h"
#include "tests/support/opened.h"
#include "tests/support/random_spans.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using bytepack::SpanDescription;
using bytepack::TrackDescription;
using tests::Opened;
using tests::span;

/// Several tracks of random spans, some names in other colours.
bytepack::TraceDescription namesakes_trace(std::uint32_t seed) {
  bytepack::TraceDescription trace;
  std::mt19937 random(seed);
  for (const char* name : {"AMD", "AMD:1", "TINY"}) {
    TrackDescription track;
    track.name = name;
    track.spans = tests::random_spans(tests::span_shapes()[random() % 10], 300, seed++);
    for (SpanDescription& one : track.spans) {
      if (random() % 3 == 0) one.name = "\x1b[34m" + one.name + "\x1b[0m";
      if (random() % 2 == 0) one.ref = random() % 5;
    }
    trace.tracks.push_back(std::move(track));
  }
  return trace;
}

struct PlainNamesake {
  std::uint32_t start;
  std::uint32_t track;
  std::uint32_t record;
  float duration;
};

TEST(Namesakes, RankAndNeighboursAreThoseOfTheSlowTwin) {
  for (std::uint32_t seed = 1; seed < 4; ++seed) {
    const Opened opened(tests::load_description(namesakes_trace(seed)));
    const trace::Trace& trace = *opened.trace;
    for (std::uint32_t record = 0; record < 300; record += 13) {
      const std::uint32_t track = record % 3;
      const auto name_of = [&](std::uint32_t t, std::uint32_t i) {
        return trace::plain_text(trace.text(opened.reader, trace.span(opened.reader, t, i).name));
      };
      std::vector<PlainNamesake> same;
      for (std::uint32_t t = 0; t < 3; ++t) {
        for (std::uint32_t i = 0; i < trace.tracks[t].head.count; ++i) {
          const bytepack::SpanRecord one = trace.span(opened.reader, t, i);
          if (name_of(t, i) == name_of(track, record))
            same.push_back({one.start, t, i, one.duration});
        }
      }
      std::stable_sort(
          same.begin(), same.end(), [](const PlainNamesake& a, const PlainNamesake& b) {
            return std::tie(a.start, a.track, a.record) < std::tie(b.start, b.track, b.record);
          });
      const auto own = std::find_if(same.begin(), same.end(), [&](const PlainNamesake& one) {
        return one.track == track && one.record == record;
      });
      const auto rank = namesake_rank(trace, track, record, never);
      ASSERT_TRUE(rank);
      EXPECT_EQ(rank->total, same.size());
      EXPECT_EQ(rank->longer,
                std::count_if(same.begin(), same.end(), [&](const PlainNamesake& one) {
                  return one.duration > own->duration;
                }));
      EXPECT_EQ(rank->equal, std::count_if(same.begin(), same.end(), [&](const PlainNamesake& one) {
                  return one.duration == own->duration;
                }));
      const auto shorter = [](const PlainNamesake& a, const PlainNamesake& b) {
        return a.duration < b.duration;
      };
      const auto longest = std::max_element(same.begin(), same.end(), shorter);
      EXPECT_EQ(rank->longest, (TrackRecord{longest->track, longest->record}));
      const auto shortest = std::min_element(same.begin(), same.end(), shorter);
      EXPECT_EQ(rank->shortest, (TrackRecord{shortest->track, shortest->record}));
      const auto next = neighbour_namesake(trace, track, record, 1, never);
      ASSERT_EQ(next.has_value(), own + 1 != same.end());
      if (next) {
        EXPECT_EQ(*next, (TrackRecord{(own + 1)->track, (own + 1)->record}));
      }
      const auto previous = neighbour_namesake(trace, track, record, -1, never);
      ASSERT_EQ(previous.has_value(), own != same.begin());
      if (previous) {
        EXPECT_EQ(*previous, (TrackRecord{(own - 1)->track, (own - 1)->record}));
      }
    }
  }
}

TEST(ProgramLinks, TellWhereAKernelWasCompiledAndHowOftenItRan) {
  bytepack::TraceDescription description = tests::one_track(
      {span("r_8", 5, {}, 1, 3), span("r_8", 50, {}, 1, 3), span("E_4", 60, {}, 1, 4)});
  TrackDescription other = description.tracks[0];
  other.name = "AMD:1";
  other.spans = {span("r_8", 2, {}, 1, 3)};
  TrackDescription compiler;
  compiler.name = "TINY";
  compiler.spans = {span("JIT", 0, {}, 100, 3), span("do_to_program for r_8", 1, {}, 7, 3),
                    span("do_to_program for r_8", 20, {}, 9, 3), span("other", 30, {}, 90)};
  description.tracks.push_back(other);
  description.tracks.push_back(compiler);
  const Opened opened(tests::load_description(description));
  const ProgramLinks links = program_links(*opened.trace, 3, never);
  EXPECT_TRUE(links.complete);
  EXPECT_EQ(links.runs, 3U);
  EXPECT_EQ(links.first_run, std::optional(TrackRecord{1, 0}));
  EXPECT_EQ(links.compiled, std::optional(TrackRecord{2, 2}));
  EXPECT_EQ(links.compile_start, 20U);
  EXPECT_FLOAT_EQ(links.compile_duration, 9);
  EXPECT_EQ(program_links(*opened.trace, 9, never).runs, 0U);
  EXPECT_FALSE(program_links(*opened.trace, 4, never).compiled);
}

}  // namespace
}  // namespace bytescope::query
