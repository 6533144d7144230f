// Spans of one name, and where kernels were compiled, against looking at everything.

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/query/links.h"
#include "core/trace/ansi.h"
#include "core/trace/loader.h"
#include "tests/support/opened.h"
#include "tests/support/random_spans.h"
#include "tests/support/trace_files.h"
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
                    span("do_to_program for r_8", 20, {}, 9, 3), span("other", 30, {}, 90),
                    span("Schedule 4 Kernels", 200, {}, 50, 7)};
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
  EXPECT_FALSE(program_links(*opened.trace, 7, never).compiled) << "a schedule is no program";
}

/// A kernel of the real traces that ran and how it was compiled, span by span.
struct PlainProgram {
  std::uint64_t runs = 0;
  std::optional<TrackRecord> first_run, compiled;
  std::uint32_t first_start = 0;
  float compile_duration = -1;
};

std::map<std::uint32_t, PlainProgram> plain_programs(const Opened& opened) {
  const trace::Trace& trace = *opened.trace;
  std::map<std::uint32_t, PlainProgram> programs;
  for (std::uint32_t track = 0; track < trace.tracks.size(); ++track) {
    const trace::TrackRole role = trace.tracks[track].role;
    for (std::uint32_t i = 0; trace.tracks[track].spans && i < trace.tracks[track].head.count;
         ++i) {
      const bytepack::SpanRecord one = trace.span(opened.reader, track, i);
      if (!one.ref) continue;
      PlainProgram& program = programs[*one.ref];
      const std::string name = trace::plain_text(trace.text(opened.reader, one.name));
      const bool compiles = name.starts_with("compile ") || name.starts_with("get_program") ||
                            name.starts_with("do_to_program");
      if (role == trace::TrackRole::device) {
        const bool is_first = program.runs++ == 0 || one.start < program.first_start;
        if (!is_first) continue;
        program.first_run = TrackRecord{track, i};
        program.first_start = one.start;
      } else if (role == trace::TrackRole::tiny && compiles &&
                 one.duration > program.compile_duration) {
        program.compiled = TrackRecord{track, i};
        program.compile_duration = one.duration;
      }
    }
  }
  return programs;
}

TEST(ProgramLinks, AreThoseOfBruteForceInRealTraces) {
  for (const std::string& path : tests::real_traces()) {
    const Opened opened(*trace::load_trace(path, {}, never));
    std::size_t looked_at = 0;
    for (const auto& [ref, program] : plain_programs(opened)) {
      if (++looked_at % 9 != 1) continue;
      const ProgramLinks found = program_links(*opened.trace, ref, never);
      EXPECT_EQ(found.runs, program.runs) << path << ref;
      EXPECT_EQ(found.first_run, program.first_run) << path << ref;
      EXPECT_EQ(found.compiled, program.compiled) << path << ref;
    }
  }
}

}  // namespace
}  // namespace bytescope::query
