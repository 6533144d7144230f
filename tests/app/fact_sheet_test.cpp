#include "app/fact_sheet.h"

#include <algorithm>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/summary_facts.h"
#include "core/query/links.h"
#include "core/trace/loader.h"
#include "tests/support/merged_traces.h"
#include "tests/support/trace_files.h"
#include "tests/support/trace_maker.h"

namespace bytescope::app {
namespace {

using bytepack::MemoryDescription;
using bytepack::TraceDescription;
using bytepack::TrackDescription;
using bytepack::TrackKind;
using testing::HasSubstr;

/// The value of a row, or "(none)".
std::string value_of(const FactSheet& sheet, const std::string& label,
                     const std::string& section = "") {
  for (const FactSection& part : sheet.sections) {
    if (part.title != section) continue;
    for (const FactRow& row : part.rows)
      if (row.label == label) return row.value;
  }
  return "(none)";
}

const FactSection* section_of(const FactSheet& sheet, const std::string& title) {
  const auto found = std::find_if(sheet.sections.begin(), sheet.sections.end(),
                                  [&](const FactSection& part) { return part.title == title; });
  return found == sheet.sections.end() ? nullptr : &*found;
}

/// A trace with a reader of its own.
struct Opened {
  explicit Opened(std::shared_ptr<const trace::Trace> opened)
      : trace(std::move(opened)), reader(trace->file) {}
  std::uint32_t track(const std::string& name) const {
    for (std::uint32_t i = 0; i < trace->tracks.size(); ++i)
      if (trace->tracks[i].head.name == name) return i;
    ADD_FAILURE() << "no track " << name;
    return 0;
  }
  FactSheet span(const std::string& name, std::uint32_t record, bool full = true,
                 std::optional<query::Occurrence> occurrence = {}) {
    if (!full) return span_sheet(*trace, reader, track(name), record, occurrence);
    FactSheet sheet = full_span_sheet(*trace, reader, track(name), record, never);
    add_trace_facts(sheet, *trace, reader, track(name), record, never);
    if (occurrence) tell_occurrence(sheet, record, *occurrence);
    return sheet;
  }
  FactSheet buffer(const std::string& name, std::uint32_t ordinal, bool full = true) {
    return full ? full_buffer_sheet(*trace, reader, track(name), ordinal, never)
                : buffer_sheet(*trace, reader, track(name), ordinal);
  }
  std::shared_ptr<const trace::Trace> trace;
  io::PageReader reader;
};

Opened open_real(const std::string& name) {
  for (const std::string& path : tests::real_traces()) {
    if (path.find(name) == std::string::npos) continue;
    auto loaded = trace::load_trace(path, {}, never);
    if (loaded) return Opened(*loaded);
  }
  ADD_FAILURE() << "no trace " << name;
  return Opened(tests::load_description(tests::varied_trace('L')));
}

constexpr const char* kernel = "r_\x1b[34m64\x1b[0m_\x1b[34m16\x1b[0m_\x1b[31m512\x1b[0m";

/// One device with kernels that share keys, a batch, a copy engine, and buffers used by them.
TraceDescription linked_trace() {
  TraceDescription trace;
  trace.dtype_bytes = {{"float", 4}};
  TrackDescription device;
  device.name = "AMD";
  device.spans = {{kernel, 2, 3, "{}", 5, 10},
                  {"E_8", 6, 1, "{}", std::nullopt, 10},   // a stale key
                  {kernel, 8, 3, "{}", std::nullopt, 10},  // a replay
                  {"E_4", 12, 1, "{}", std::nullopt, 20},  // ran in the batch
                  {"E_4", 14, 1, "{}"}};
  TrackDescription graph;
  graph.name = "AMD Graph";
  graph.spans = {{"batched 2", 12, 3, "{}", std::nullopt, 20}};
  TrackDescription copies;
  copies.name = "AMD:SDMA:0";
  copies.spans = {{kernel, 3, 1, "{}", std::nullopt, 10}};
  TrackDescription memory;
  memory.name = "AMD Memory";
  memory.kind = TrackKind::memory;
  memory.memory = {
      MemoryDescription{true, 1, 1, "float", 1000},
      MemoryDescription{true, 1, 2, "float", 2000},
      MemoryDescription{true, 1, 3, "float", 250},
      MemoryDescription{
          false, 20, 1, "", 0, {{10, "r_64_16_512", 1, 0}, {11, "r_64_16_512", 0, 1}}},
      MemoryDescription{false, 21, 2, "", 0, {{10, kernel, 0, 1}, {20, "batched 2", 3, 2}}},
      MemoryDescription{false, 30, 3, "", 0}};
  trace.tracks = {device, graph, copies, memory};
  trace.duration_us = 30;
  return trace;
}

TEST(SpanSheet, TellsPlaceNameAndDimensions) {
  Opened opened(tests::load_description(linked_trace()));
  const FactSheet sheet = opened.span("AMD", 2, false, query::Occurrence{2, 2});
  EXPECT_EQ(sheet.raw_title, kernel);
  EXPECT_EQ(value_of(sheet, "start"), "0.000 008 s");
  EXPECT_EQ(value_of(sheet, "duration"), "3.00 µs");
  EXPECT_EQ(value_of(sheet, "span"), "#2 · 2 of 2");
  EXPECT_EQ(value_of(sheet, "global"), "64 × 16");
  EXPECT_EQ(value_of(sheet, "reduce"), "512");
  EXPECT_EQ(value_of(sheet, "key"), "10");
  EXPECT_EQ(value_of(sheet, "ref"), "(none)");
  EXPECT_EQ(sheet.sections.size(), 1U) << "a tooltip has no long sections";
  EXPECT_EQ(value_of(opened.span("AMD", 0), "ref"), "5");
}

TEST(SpanSheet, JoinsBuffersOnlyWhereKeyAndPlainNameAgree) {
  Opened opened(tests::load_description(linked_trace()));
  const FactSheet sheet = opened.span("AMD", 0);
  const FactSection* buffers = section_of(sheet, "Buffers");
  ASSERT_TRUE(buffers);
  ASSERT_EQ(buffers->rows.size(), 2U);
  EXPECT_EQ(buffers->rows[0].label, "write data0");
  EXPECT_EQ(buffers->rows[0].value, "8.00 kB");
  EXPECT_EQ(buffers->rows[1].label, "read data1");
  EXPECT_EQ(buffers->rows[1].value, "4.00 kB");
  ASSERT_TRUE(buffers->rows[1].link);
  EXPECT_EQ(buffers->rows[1].link->kind, Selection::Kind::buffer);
  EXPECT_EQ(buffers->rows[1].link->number, 0U);
  EXPECT_EQ(buffers->rows[1].link->begin_ns, 1000);
  EXPECT_EQ(buffers->rows[1].link->length_ns, 19'000);
  EXPECT_FALSE(section_of(sheet, "Buffers of its batch"));
}

TEST(SpanSheet, AStaleKeyACopyAndNoKeyJoinNothing) {
  Opened opened(tests::load_description(linked_trace()));
  const FactSheet stale = opened.span("AMD", 1);
  ASSERT_TRUE(section_of(stale, "Buffers"));
  EXPECT_EQ(section_of(stale, "Buffers")->rows[0].label, "none under this name and key");
  EXPECT_FALSE(section_of(opened.span("AMD:SDMA:0", 0), "Buffers"));
  EXPECT_FALSE(section_of(opened.span("AMD", 4), "Buffers"));
}

TEST(SpanSheet, AKernelOfABatchShowsTheBuffersOfTheBatchApart) {
  Opened opened(tests::load_description(linked_trace()));
  const FactSheet sheet = opened.span("AMD", 3);
  EXPECT_FALSE(section_of(sheet, "Buffers"));
  ASSERT_TRUE(section_of(sheet, "Buffers of its batch"));
  EXPECT_EQ(section_of(sheet, "Buffers of its batch")->rows[0].label, "read, write data3");
  const FactSheet batch = opened.span("AMD Graph", 0);
  ASSERT_TRUE(section_of(batch, "Buffers"));
  EXPECT_EQ(section_of(batch, "Buffers")->rows.size(), 1U);
}

TEST(BufferSheet, TellsSizeTimesAndUsers) {
  Opened opened(tests::load_description(linked_trace()));
  const FactSheet sheet = opened.buffer("AMD Memory", 0);
  EXPECT_EQ(value_of(sheet, "size"), "4.00 kB · 4,000 B");
  EXPECT_EQ(value_of(sheet, "type"), "float");
  EXPECT_EQ(value_of(sheet, "elements"), "1,000");
  EXPECT_EQ(value_of(sheet, "allocated"), "0.000 001 s");
  EXPECT_EQ(value_of(sheet, "freed"), "0.000 020 s");
  EXPECT_EQ(value_of(sheet, "lived"), "19.0 µs · long-lived");
  EXPECT_EQ(value_of(sheet, "users"), "2");
  const FactSection* users = section_of(sheet, "Users");
  ASSERT_TRUE(users);
  ASSERT_EQ(users->rows.size(), 2U);
  EXPECT_EQ(users->rows[0].label, "read data1");
  EXPECT_EQ(users->rows[0].value, "r_64_16_512 · 2 spans · 3.00 µs");
  ASSERT_TRUE(users->rows[0].link);
  EXPECT_EQ(users->rows[0].link->number, 0U);
  EXPECT_EQ(users->rows[0].link->track, opened.track("AMD"));
  EXPECT_EQ(users->rows[1].value, "r_64_16_512 · no span") << "the key is another";
  EXPECT_FALSE(users->rows[1].link);
}

TEST(BufferSheet, ABatchLinksToItsSpanOfTheGraphTrack) {
  Opened opened(tests::load_description(linked_trace()));
  const FactSheet sheet = opened.buffer("AMD Memory", 1);
  const FactSection* users = section_of(sheet, "Users");
  ASSERT_TRUE(users);
  ASSERT_TRUE(users->rows[1].link);
  EXPECT_EQ(users->rows[1].link->track, opened.track("AMD Graph"));
  EXPECT_EQ(users->rows[1].value, "batched 2 · 2 spans · 3.00 µs")
      << "the batch and the kernel in it";
}

TEST(BufferSheet, SaysAliveAtTheEndAndNoRecordedUser) {
  Opened opened(tests::load_description(linked_trace()));
  const FactSheet sheet = opened.buffer("AMD Memory", 2);
  EXPECT_EQ(value_of(sheet, "freed"), "alive at the end");
  EXPECT_EQ(value_of(sheet, "lived"), "29.0 µs · never freed");
  EXPECT_EQ(value_of(sheet, "users"), "no recorded user");
  EXPECT_FALSE(section_of(sheet, "Users"));
}

TEST(BufferSheet, OldDialectsHaveNoUsersAndNoKeys) {
  for (const char letter : {'A', 'D'}) {
    Opened opened(tests::load_description(tests::varied_trace(letter), letter));
    const FactSheet sheet = opened.buffer("AMD Memory", 0);
    EXPECT_EQ(value_of(sheet, "users"), "not in this file") << letter;
    EXPECT_EQ(value_of(sheet, "number") == "0", letter == 'A');
  }
}

TEST(Sheets, NumbersOutOfRangeGiveEmptySheets) {
  Opened opened(tests::load_description(linked_trace()));
  EXPECT_TRUE(opened.span("AMD", 99).sections.empty());
  EXPECT_TRUE(opened.buffer("AMD Memory", 99).sections.empty());
  EXPECT_TRUE(opened.buffer("AMD", 0).sections.empty());
  EXPECT_TRUE(full_span_sheet(*opened.trace, opened.reader, 99, 0, {}).sections.empty());
  EXPECT_TRUE(memory_sheet(*opened.trace, 99, 0).sections.empty());
}

TEST(MemorySheet, TellsLiveBytesByLifetimeAndBuffers) {
  Opened opened(tests::load_description(linked_trace()));
  const std::uint32_t track = opened.track("AMD Memory");
  const FactSheet sheet = memory_sheet(*opened.trace, track, 5000);
  EXPECT_EQ(value_of(sheet, "live"), "13.0 kB");
  EXPECT_EQ(value_of(sheet, "buffers"), "3");
  EXPECT_EQ(value_of(sheet, "never freed"), "1.00 kB");
  EXPECT_EQ(value_of(sheet, "long-lived"), "12.0 kB");
  EXPECT_EQ(value_of(sheet, "transient"), "(none)");
  EXPECT_EQ(value_of(sheet, "of the peak"), "100% of 13.0 kB");
  EXPECT_EQ(live_memory(*opened.trace, track, 20'500)->buffers, 2U);
  EXPECT_EQ(live_memory(*opened.trace, track, 20'500)->bytes, 9000U);
  EXPECT_EQ(live_memory(*opened.trace, track, -5)->bytes, 0U);
  EXPECT_FALSE(live_memory(*opened.trace, opened.track("AMD"), 0));
}

TEST(MemorySheet, ALineTellsItsValueAtTheTime) {
  Opened opened(tests::load_description(tests::varied_trace('L')));
  const std::uint32_t track = opened.track("Shader Clock");
  EXPECT_EQ(value_of(memory_sheet(*opened.trace, track, 3'999), "value"), "5 Hz");
  EXPECT_EQ(value_of(memory_sheet(*opened.trace, track, 4'000), "value"), "900 Hz");
  EXPECT_EQ(value_of(memory_sheet(*opened.trace, track, 1e9), "value"), "7 Hz");
}

TEST(SpanSheet, LongTextsAreCut) {
  const std::string info = R"({"metadata": ")" + std::string(100'000, 'x') + "\"}";
  Opened opened(tests::load_description(tests::one_track({{"k", 0, 1, info}})));
  const FactSheet sheet = opened.span("AMD", 0);
  ASSERT_TRUE(section_of(sheet, "From"));
  EXPECT_LE(section_of(sheet, "From")->rows[0].value.size(), 4000U);
}

TEST(LinkLimits, EndALookAfterSoManyRecordsOrBuffers) {
  Opened opened(tests::load_description(linked_trace()));
  const std::uint32_t device = opened.track("AMD");
  const std::uint32_t memory = opened.track("AMD Memory");
  query::LinkLimits limits;
  const auto buffers = [&] {
    return query::buffers_of_span(*opened.trace, opened.reader, device, 0, limits, never);
  };
  EXPECT_EQ(buffers().buffers.size(), 2U);
  EXPECT_TRUE(buffers().complete);
  limits.most_buffers = 1;
  EXPECT_EQ(buffers().buffers.size(), 1U);
  EXPECT_EQ(buffers().more, 1U);
  limits.most_records = 6;  // three allocations, a free, its two users
  EXPECT_EQ(buffers().buffers.size(), 1U);
  EXPECT_EQ(buffers().more, 0U);
  EXPECT_FALSE(buffers().complete);
  bytepack::UserRecord user;
  user.run = 20;
  user.name = opened.trace->span(opened.reader, opened.track("AMD Graph"), 0).name;
  const auto spans = [&](const query::LinkLimits& within) {
    return query::spans_of_users(*opened.trace, opened.reader, {memory, {&user, 1}}, within, never);
  };
  limits.most_records = 1;  // the batch, none of the kernels
  EXPECT_EQ(spans(limits).spans[0].count, 1U);
  EXPECT_FALSE(spans(limits).complete);
  EXPECT_EQ(spans({}).spans[0].count, 2U);
  EXPECT_TRUE(spans({}).complete);
}

TEST(RealTraces, AKernelHasRatesWithUnits) {
  if (tests::real_traces().empty()) GTEST_SKIP();
  for (const char* name : {"2026-05-04-c02e390c2b-dpviz", "2026-03-12-d3eef70162-dpviz"}) {
    Opened opened = open_real(name);
    const std::uint32_t track = opened.track("NULL");
    bool found = false;
    for (std::uint32_t i = 0; i < opened.trace->tracks[track].head.count && !found; ++i) {
      const FactSheet sheet = span_sheet(*opened.trace, opened.reader, track, i, {});
      if (value_of(sheet, "compute") == "(none)") continue;
      found = true;
      EXPECT_THAT(value_of(sheet, "compute"), HasSubstr("FLOPS"));
      EXPECT_THAT(value_of(sheet, "memory"), HasSubstr("B/s"));
      EXPECT_THAT(value_of(sheet, "loads and stores"), HasSubstr("B/s"));
    }
    EXPECT_TRUE(found) << name;
  }
}

TEST(RealTraces, SomeKernelsJoinTheirBuffersBothWays) {
  if (tests::real_traces().empty()) GTEST_SKIP();
  Opened opened = open_real("2026-08-22-a9069c177a-marksnull");
  const std::uint32_t memory = opened.track("NULL Memory");
  const std::size_t count = opened.trace->tracks[memory].memory->buffers.size();
  std::size_t linked = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const FactSheet sheet = full_buffer_sheet(*opened.trace, opened.reader, memory, i, never);
    const FactSection* users = section_of(sheet, "Users");
    if (users == nullptr) continue;
    for (const FactRow& row : users->rows) {
      if (!row.link) continue;
      ++linked;
      if (linked % 50 != 1) continue;
      const query::UsedBuffers back = query::buffers_of_span(
          *opened.trace, opened.reader, row.link->track, row.link->number, {}, never);
      EXPECT_TRUE(std::any_of(back.buffers.begin(), back.buffers.end(),
                              [i](const query::UsedBuffer& used) { return used.ordinal == i; }))
          << "buffer " << i << " of span " << row.link->number;
    }
  }
  EXPECT_GT(linked, 0U);
}

TEST(RealTraces, ASpanOfTheUserHasItsCallStack) {
  if (tests::real_traces().empty()) GTEST_SKIP();
  Opened opened = open_real("2026-08-22-a9069c177a-marksnull");
  const std::uint32_t track = opened.track("USER");
  bool found = false;
  for (std::uint32_t i = 0; i < opened.trace->tracks[track].head.count && !found; ++i) {
    const FactSheet sheet = full_span_sheet(*opened.trace, opened.reader, track, i, never);
    const FactSection* stack = section_of(sheet, "Call stack");
    if (stack == nullptr) continue;
    found = true;
    EXPECT_TRUE(stack->rows[0].is_text);
    EXPECT_THAT(stack->rows[0].value, HasSubstr(".py:"));
  }
  EXPECT_TRUE(found);
}

TEST(RealTraces, ShaderTracesTellClocksInstructionsAndCauses) {
  if (tests::real_traces().empty()) GTEST_SKIP();
  Opened opened = open_real("2026-05-04-c02e390c2b-sqtt-gfx1100-gemm");
  bool has_instruction = false;
  bool has_cause = false;
  for (std::uint32_t t = 0; t < opened.trace->tracks.size(); ++t) {
    const bytepack::TrackHead& head = opened.trace->tracks[t].head;
    for (std::uint32_t i = 0; head.kind == TrackKind::spans && i < head.count; ++i) {
      const FactSheet sheet = full_span_sheet(*opened.trace, opened.reader, t, i, never);
      EXPECT_THAT(value_of(sheet, "start"), HasSubstr(" clk"));
      EXPECT_THAT(value_of(sheet, "duration"), HasSubstr(" clk"));
      has_instruction = has_instruction || value_of(sheet, "instruction") != "(none)";
      for (const FactRow& row : sheet.sections[0].rows)
        has_cause = has_cause || (row.label == "caused by" && row.link);
    }
  }
  EXPECT_TRUE(has_instruction);
  EXPECT_TRUE(has_cause);
}

TEST(SummaryFacts, TellWhatIsThereAndNothingElse) {
  const auto trace = tests::load_description(tests::varied_trace('L'));
  const SummaryFacts facts = summary_facts(*trace, query::summarize(*trace, Cancel()));
  std::string all;
  for (const SummaryRow& row : facts.rows) all += row.label + "=" + row.value + ";";
  EXPECT_THAT(all, HasSubstr("duration=12.0 µs;events=15;"));
  EXPECT_THAT(all, HasSubstr("peak=450 B  AMD;"));
  EXPECT_THAT(all, testing::Not(HasSubstr("least busy"))) << "there is one device only";
  ASSERT_EQ(facts.kernels.size(), 2U);
  EXPECT_EQ(facts.kernels[0].facts[0].value, facts.kernels[0].share_text);
  EXPECT_FALSE(facts.file.empty());
}

TEST(SummaryFacts, OfAMergedTraceTellTheEndsOfTheFilesNames) {
  const auto source = tests::load_description(tests::varied_trace('L'));
  const auto trace = tests::merged({{source, "2026-05-04-a-long-run-gpt.bin", 0},
                                    {source, "2026-05-04-a-long-run-\u00E4\u00E4mlp.bin", 5}});
  ASSERT_TRUE(trace.has_value());
  const SummaryFacts facts = summary_facts(**trace, query::summarize(**trace, never));
  std::string all;
  for (const SummaryRow& row : facts.rows) all += row.label + "=" + row.value + ";";
  EXPECT_THAT(all, HasSubstr("  \u2026run-gpt.bin/AMD;"));
  EXPECT_EQ(facts.file.back().value, "+5 \u00B5s");
}

}  // namespace
}  // namespace bytescope::app
