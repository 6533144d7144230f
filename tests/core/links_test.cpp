#include "core/query/links.h"

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/ansi.h"
#include "core/trace/loader.h"
#include "core/trace/memory_records.h"
#include "tests/support/random_spans.h"
#include "tests/support/trace_files.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using bytepack::MemoryDescription;
using bytepack::SpanDescription;
using bytepack::TrackDescription;
using bytepack::UserRecord;

const Cancel never;

/// A trace with what it takes to ask it.
struct Opened {
  explicit Opened(std::shared_ptr<const trace::Trace> opened)
      : trace(std::move(opened)), reader(trace->file) {}
  std::uint32_t track(std::string_view name) const {
    for (std::uint32_t i = 0; i < trace->tracks.size(); ++i)
      if (trace->tracks[i].head.name == name) return i;
    ADD_FAILURE() << name;
    return 0;
  }
  std::shared_ptr<const trace::Trace> trace;
  mutable io::PageReader reader;
};

SpanDescription span(std::string name, std::uint32_t start, std::optional<std::uint32_t> key,
                     float duration = 2, std::optional<std::uint32_t> ref = {}) {
  return {std::move(name), start, duration, "{}", ref, key};
}

/// Two batches on a device, of which the first runs twice; a kernel with the stale key of a batch;
/// a copy with the key and name of a user.
bytepack::TraceDescription batch_trace(bool with_graph = true) {
  bytepack::TraceDescription trace;
  trace.dtype_bytes = {{"float", 4}};
  trace.duration_us = 1000;
  TrackDescription device;
  device.name = "AMD";
  device.spans = {span("r_\x1b[34m8\x1b[0m", 10, 1),
                  span("E_4", 20, 2),
                  span("copy 4096", 25, 7),
                  span("r_8", 100, 50),
                  span("E_4", 104, 50),
                  span("E_4", 130, 50),
                  span("r_8", 200, 50),
                  span("r_8", 300, 3)};
  TrackDescription graph;
  graph.name = "AMD Graph";
  graph.spans = {span("<batched 9>", 90, {}, 5), span("batched 2", 100, {}, 10),
                 span("batched 3", 128, {}, 10), span("batched 2", 200, {}, 10)};
  TrackDescription memory;
  memory.name = "AMD Memory";
  memory.kind = bytepack::TrackKind::memory;
  memory.memory = {
      MemoryDescription{true, 0, 1, "float", 100},
      MemoryDescription{true, 1, 2, "float", 10},
      MemoryDescription{true, 2, 3, "float", 1},
      MemoryDescription{false,
                        500,
                        1,
                        "",
                        0,
                        {{1, "r_8", 0, 1},
                         {2, "E_4", 1, 0},
                         {50, "batched 2", 0, 0},
                         {3, "r_8", 2, 2},
                         {9, "r_8", 0, 0},
                         {1, "E_4", 0, 0}}},
      MemoryDescription{
          false, 600, 2, "", 0, {{2, "E_4", 0, 1}, {7, "copy 4096", 0, 0}, {3, "r_8", 1, 0}}},
      MemoryDescription{false, 1000, 3, "", 0, {}}};
  trace.tracks = {device, memory};
  if (with_graph) trace.tracks.push_back(graph);
  return trace;
}

std::string text_of(const std::vector<UserSpan>& spans) {
  std::string text;
  for (const UserSpan& one : spans)
    text +=
        one.span ? fmt::format("{}:{}x{} ", one.span->track, one.span->record, one.count) : "none ";
  return text;
}

std::string text_of(const UsedBuffers& used) {
  std::string text;
  for (const UsedBuffer& one : used.buffers)
    text += fmt::format("{}{}:{} {} ", one.by_batch ? "batch " : "", one.ordinal, one.bytes,
                        one.user.mode.value_or(9));
  return text;
}

TEST(Links, AUserIsASpanOfItsKeyAndItsPlainName) {
  const Opened opened(tests::load_description(batch_trace()));
  const BufferLinks first = links_of_buffer(*opened.trace, opened.reader, 1, 0, never);
  EXPECT_EQ(first.total, 6U);
  // The batch: its two runs and the three spans with its key under them.
  EXPECT_EQ(text_of(first.spans.spans), "0:0x1 0:1x1 2:1x5 0:7x1 none none ");
  const BufferLinks second = links_of_buffer(*opened.trace, opened.reader, 1, 1, never);
  EXPECT_EQ(text_of(second.spans.spans), "0:1x1 none 0:7x1 ");
  EXPECT_EQ(links_of_buffer(*opened.trace, opened.reader, 1, 2, never).total, 0U);
}

TEST(Links, WithoutAGraphTrackABatchIsAllSpansOfItsKey) {
  const Opened opened(tests::load_description(batch_trace(false)));
  const BufferLinks first = links_of_buffer(*opened.trace, opened.reader, 1, 0, never);
  EXPECT_EQ(text_of(first.spans.spans), "0:0x1 0:1x1 0:3x4 0:7x1 none none ");
}

TEST(Links, AKernelHasTheBuffersOfItsRun) {
  const Opened opened(tests::load_description(batch_trace()));
  const auto used = [&](std::uint32_t track, std::uint32_t record) {
    return buffers_of_span(*opened.trace, opened.reader, track, record, {}, never);
  };
  EXPECT_EQ(text_of(used(0, 0)), "0:400 1 ");
  EXPECT_EQ(text_of(used(0, 1)), "1:40 1 0:400 0 ");
  EXPECT_EQ(text_of(used(0, 2)), "");
  EXPECT_FALSE(used(0, 2).can_be_known);
  EXPECT_EQ(text_of(used(0, 3)), "batch 0:400 0 ");
  EXPECT_EQ(text_of(used(0, 5)), "") << "its key is that of a batch it did not run in";
  EXPECT_TRUE(used(0, 5).can_be_known);
  EXPECT_EQ(text_of(used(2, 1)), "0:400 0 ") << "the run of a batch is that of its kernels";
  EXPECT_EQ(text_of(used(2, 2)), "");
}

TEST(Links, OldDialectsJoinNothing) {
  for (const char letter : {'C', 'E', 'F', 'G'}) {
    bytepack::TraceDescription description = batch_trace();
    for (TrackDescription& track : description.tracks)
      for (SpanDescription& one : track.spans) one.info = "";
    const Opened opened(tests::load_description(description, letter));
    EXPECT_FALSE(buffers_of_span(*opened.trace, opened.reader, 0, 0, {}, never).can_be_known);
    for (const UserSpan& user :
         links_of_buffer(*opened.trace, opened.reader, 1, 0, never).spans.spans)
      EXPECT_FALSE(user.span) << letter;
  }
}

TEST(Links, ProducersWroteLastAndConsumersReadNext) {
  const Opened opened(tests::load_description(batch_trace()));
  const auto place = [](std::uint32_t track, std::uint32_t record) {
    return std::optional(TrackRecord{track, record});
  };
  const trace::Trace& trace = *opened.trace;
  io::PageReader& reader = opened.reader;
  EXPECT_EQ(producer_of_buffer(trace, reader, 1, 0, never), place(0, 7));
  EXPECT_EQ(producer_of_buffer(trace, reader, 1, 0, never, 250'000), place(0, 0));
  EXPECT_EQ(producer_of_buffer(trace, reader, 1, 0, never, 0), place(0, 0));
  EXPECT_EQ(producer_of_buffer(trace, reader, 1, 2, never), std::nullopt);
  EXPECT_EQ(consumer_of_buffer(trace, reader, 1, 0, never), place(0, 1));
  EXPECT_EQ(consumer_of_buffer(trace, reader, 1, 0, never, 50'000), place(2, 1));
  EXPECT_EQ(consumer_of_buffer(trace, reader, 1, 0, never, 150'000), place(2, 3));
  EXPECT_EQ(consumer_of_buffer(trace, reader, 1, 0, never, 400'000), std::nullopt);
  EXPECT_EQ(producer_of_span(trace, reader, 0, 1, never), place(0, 0));
  EXPECT_EQ(producer_of_span(trace, reader, 0, 0, never), std::nullopt);
  EXPECT_EQ(producer_of_span(trace, reader, 0, 7, never), place(0, 1));
  EXPECT_EQ(consumer_of_span(trace, reader, 0, 0, never), place(0, 1));
  EXPECT_EQ(consumer_of_span(trace, reader, 0, 1, never), place(0, 7));
  EXPECT_EQ(producer_of_span(trace, reader, 2, 3, never), place(0, 0));
}

std::string plain_name(const Opened& opened, const UserRecord& user) {
  return user.name ? trace::plain_text(opened.trace->text(opened.reader, *user.name)) : "";
}

/// The slow twin of the join: every span against every user.
TEST(Links, AreThoseOfTheSlowTwinInRealTraces) {
  std::size_t links = 0;
  for (const std::string& path : tests::real_traces()) {
    const bool is_looked_at =
        path.find("dpviz") != std::string::npos || path.find("marksnull") != std::string::npos;
    if (!is_looked_at) continue;
    const Opened opened(*trace::load_trace(path, {}, never));
    const trace::Trace& trace = *opened.trace;
    for (std::uint32_t track = 0; track < trace.tracks.size(); ++track) {
      if (!trace.tracks[track].memory) continue;
      const std::string& name = trace.tracks[track].head.name;
      const std::string device_name = name.substr(0, name.size() - 7);
      const std::size_t count = trace.tracks[track].memory->buffers.size();
      for (std::uint32_t ordinal = 0; ordinal < count; ordinal += 9) {
        const BufferLinks found = links_of_buffer(trace, opened.reader, track, ordinal, never);
        for (std::size_t u = 0; u < found.users.size(); ++u) {
          if (names_batch(plain_name(opened, found.users[u]))) {
            const auto batch = found.spans.spans[u].span;
            ASSERT_TRUE(batch);
            EXPECT_EQ(trace.tracks[batch->track].role, trace::TrackRole::graph);
            EXPECT_EQ(found.spans.spans[u].count, 33U) << "the batch and its kernels";
            continue;
          }
          std::vector<std::uint32_t> expected;
          for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
            if (trace.tracks[t].head.name != device_name) continue;
            for (std::uint32_t i = 0; i < trace.tracks[t].head.count; ++i) {
              const bytepack::SpanRecord one = trace.span(opened.reader, t, i);
              if (!one.key || one.key != found.users[u].run || !found.users[u].name) continue;
              const std::string a = trace::plain_text(trace.text(opened.reader, one.name));
              if (a == plain_name(opened, found.users[u])) expected.push_back(i);
            }
          }
          EXPECT_EQ(found.spans.spans[u].count, expected.size());
          ASSERT_EQ(found.spans.spans[u].span.has_value(), !expected.empty());
          if (expected.empty()) continue;
          ++links;
          EXPECT_EQ(found.spans.spans[u].span->record, expected.front());
          if (links % 40 != 1) continue;
          const UsedBuffers back = buffers_of_span(
              trace, opened.reader, found.spans.spans[u].span->track, expected.back(), {}, never);
          EXPECT_TRUE(
              std::any_of(back.buffers.begin(), back.buffers.end(), [&](const UsedBuffer& used) {
                return used.track == track && used.ordinal == ordinal;
              }));
        }
      }
    }
  }
  if (!tests::real_traces().empty()) {
    EXPECT_GT(links, 100U);
  }
}

TEST(Links, LimitsAndCancellingEndALook) {
  const Opened opened(tests::load_description(batch_trace()));
  LinkLimits limits;
  limits.most_records = 5;
  EXPECT_FALSE(buffers_of_span(*opened.trace, opened.reader, 0, 1, limits, never).complete);
  limits = {};
  limits.most_buffers = 1;
  EXPECT_EQ(buffers_of_span(*opened.trace, opened.reader, 0, 1, limits, never).more, 1U);
  Cancel cancel;
  cancel.request();
  EXPECT_FALSE(buffers_of_span(*opened.trace, opened.reader, 0, 1, {}, cancel).complete);
  EXPECT_FALSE(links_of_buffer(*opened.trace, opened.reader, 1, 0, cancel).spans.complete);
  EXPECT_FALSE(namesake_rank(*opened.trace, 0, 0, cancel));
  EXPECT_FALSE(neighbour_namesake(*opened.trace, 0, 0, 1, cancel));
  EXPECT_FALSE(program_links(*opened.trace, 1, cancel).complete);
}

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

struct PlainSpan {
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
      std::vector<PlainSpan> same;
      for (std::uint32_t t = 0; t < 3; ++t) {
        for (std::uint32_t i = 0; i < trace.tracks[t].head.count; ++i) {
          const bytepack::SpanRecord one = trace.span(opened.reader, t, i);
          if (name_of(t, i) == name_of(track, record))
            same.push_back({one.start, t, i, one.duration});
        }
      }
      std::stable_sort(same.begin(), same.end(), [](const PlainSpan& a, const PlainSpan& b) {
        return std::tie(a.start, a.track, a.record) < std::tie(b.start, b.track, b.record);
      });
      const auto own = std::find_if(same.begin(), same.end(), [&](const PlainSpan& one) {
        return one.track == track && one.record == record;
      });
      const auto rank = namesake_rank(trace, track, record, never);
      ASSERT_TRUE(rank);
      EXPECT_EQ(rank->total, same.size());
      EXPECT_EQ(rank->longer, std::count_if(same.begin(), same.end(), [&](const PlainSpan& one) {
                  return one.duration > own->duration;
                }));
      EXPECT_EQ(rank->equal, std::count_if(same.begin(), same.end(), [&](const PlainSpan& one) {
                  return one.duration == own->duration;
                }));
      const auto shorter = [](const PlainSpan& a, const PlainSpan& b) {
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

TEST(Causes, ASpansLinkLeadsToItsCauseAndBack) {
  bytepack::TraceDescription description = tests::one_track({{"a", 0, 1, "{}"}, {"b", 5, 1, "{}"}});
  description.tracks[0].name = "WAVE:0";
  TrackDescription row;
  row.name = "ALUEXEC:0";
  row.spans = {{"x", 1, 1, R"({"link": "WAVE:0-1"})"},
               {"y", 2, 1, R"({"link": "WAVE:0-12"})"},
               {"z", 3, 1, R"({"link": "WAVE:0-1"})"},
               {"w", 4, 1, R"({"metadata": "WAVE:0-1"})"},
               {"v", 5, 1, R"({"link": "NONE-0"})"}};
  description.tracks.push_back(row);
  description.more_json = R"("pcMap": {})";
  const Opened opened(tests::load_description(description));
  const auto cause = [&](std::uint32_t record) {
    return cause_of_span(*opened.trace, opened.reader, 1, record);
  };
  EXPECT_EQ(cause(0), std::optional(TrackRecord{0, 1}));
  EXPECT_EQ(cause(1), std::nullopt);
  EXPECT_EQ(cause(3), std::nullopt);
  EXPECT_EQ(cause(4), std::nullopt);
  EXPECT_EQ(effects_of_span(*opened.trace, 0, 1, never),
            (std::vector<TrackRecord>{{1, 0}, {1, 2}}));
  EXPECT_EQ(effects_of_span(*opened.trace, 0, 1, never, 1).size(), 1U);
  EXPECT_TRUE(effects_of_span(*opened.trace, 0, 0, never).empty());
}

TEST(Causes, EffectsAndCausesAgreeInRealShaderTraces) {
  std::size_t linked = 0;
  for (const std::string& path : tests::real_traces()) {
    if (path.find("sqtt-gfx1200-handwritten") == std::string::npos) continue;
    const Opened opened(*trace::load_trace(path, {}, never));
    for (std::uint32_t track = 0; track < opened.trace->tracks.size(); ++track) {
      if (!opened.trace->tracks[track].spans) continue;
      for (std::uint32_t i = 0; i < opened.trace->tracks[track].head.count; i += 50) {
        const auto cause = cause_of_span(*opened.trace, opened.reader, track, i);
        if (!cause) continue;
        ++linked;
        const auto back = effects_of_span(*opened.trace, cause->track, cause->record, never);
        EXPECT_NE(std::find(back.begin(), back.end(), TrackRecord{track, i}), back.end());
      }
    }
  }
  if (!tests::real_traces().empty()) {
    EXPECT_GT(linked, 0U);
  }
}

TEST(Links, FollowAFileThatChanges) {
  const tests::TemporaryFile file(bytepack::encode(batch_trace(), *bytepack::dialect_of('L')));
  const Opened opened(*trace::load_trace(file.path(), {}, never));
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::byte> garbage(opened.trace->file->size_bytes());
    for (std::byte& byte : garbage) byte = static_cast<std::byte>(random() % 4);
    file.write(garbage);
    const Opened again(opened.trace);
    for (std::uint32_t record = 0; record < 4; ++record) {
      for (const std::uint32_t track : {0U, 2U}) {
        producer_of_span(*again.trace, again.reader, track, record, never);
        neighbour_namesake(*again.trace, track, record, -1, never);
        cause_of_span(*again.trace, again.reader, track, record);
      }
      if (record < 3) consumer_of_buffer(*again.trace, again.reader, 1, record, never);
    }
  }
}

}  // namespace
}  // namespace bytescope::query
