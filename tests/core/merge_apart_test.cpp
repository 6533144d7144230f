// What means something in one file alone, in a merged trace: nothing leads from one to another.

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/page_reader.h"
#include "core/merge/merge.h"
#include "core/query/links.h"
#include "core/trace/memory_records.h"
#include "tests/support/merged_traces.h"
#include "tests/support/trace_maker.h"

namespace bytescope::merge {
namespace {

using tests::merged;
using tests::one_program;

TEST(Merge, RefsAndKeysOfOneFileNeverJoinThoseOfAnother) {
  const auto a = tests::load_description(one_program("r_1"));
  const auto b = tests::load_description(one_program("r_1"));
  const auto all = merged({{a, "a", 0}, {b, "b", 0}});
  ASSERT_TRUE(all) << text(all.error());
  io::PageReader reader((*all)->file);
  for (const std::uint32_t track : {0U, 3U}) {
    const bytepack::SpanRecord span = (*all)->span(reader, track, 0);
    EXPECT_EQ((*all)->own_ref(track, *span.ref), 3U);
    EXPECT_EQ((*all)->own_key(track, *span.key), 7U);
    const auto program = query::program_links(**all, *span.ref, never);
    ASSERT_TRUE(program.compiled);
    EXPECT_EQ(program.compiled->track, track + 1);
    const auto used = query::buffers_of_span(**all, reader, track, 0, {}, never);
    ASSERT_EQ(used.buffers.size(), 1U);
    EXPECT_EQ(used.buffers[0].track, track + 2);
  }
}

TEST(Merge, WhatLivesAtTheEndOfItsFileIsNotFreed) {
  const auto a = tests::load_description(one_program("r_1"));
  bytepack::TraceDescription longer = one_program("r_2");
  longer.duration_us = 1000;
  const auto all = merged({{a, "a", 0}, {tests::load_description(longer), "b", 50}});
  ASSERT_TRUE(all);
  EXPECT_EQ((*all)->frame.duration_us, 1050U);
  EXPECT_EQ((*all)->tracks[2].memory->never_freed, 1U);
  EXPECT_EQ((*all)->tracks[5].memory->never_freed, 0U);  // freed at 100 of 1000
  EXPECT_EQ((*all)->tracks[5].memory->begin_time, 50U);
}

TEST(Merge, LinksLeadToSpansOfTheirOwnFile) {
  bytepack::TraceDescription linked;
  linked.tracks.resize(2);
  linked.tracks[0].name = "WAVE:0";
  linked.tracks[0].spans = {{"issue", 1, 2.0F, "{}"}, {"issue", 4, 2.0F, "{}"}};
  linked.tracks[1].name = "ALUEXEC:0";
  linked.tracks[1].spans = {{"run", 5, 2.0F, R"({"\u006cink": "WAVE:0-1"})"}};
  const auto source = tests::load_description(linked);
  const auto all = merged({{source, "a-1", 0}, {source, "b", 9}});
  ASSERT_TRUE(all) << text(all.error());
  EXPECT_EQ((*all)->unit, trace::Unit::cycles);
  io::PageReader reader((*all)->file);
  for (const std::uint32_t first : {0U, 2U}) {
    const auto cause = query::cause_of_span(**all, reader, first + 1, 0);
    ASSERT_TRUE(cause);
    EXPECT_EQ(cause->track, first);
    EXPECT_EQ(cause->record, 1U);
  }
}

TEST(Merge, UsersWithoutARunTakeNoNumberOfAnotherFile) {
  // Dialect F: users have names and no runs, spans no keys.
  bytepack::TraceDescription oldest = one_program("r_1");
  for (bytepack::TrackDescription& track : oldest.tracks)
    for (bytepack::SpanDescription& span : track.spans) span.info.clear();
  const auto old = tests::load_description(oldest, 'F');
  ASSERT_TRUE(old);
  bytepack::TraceDescription newest = one_program("r_1");
  for (bytepack::SpanDescription& span : newest.tracks[0].spans) span.key = 0;
  const auto all = merged({{old, "a", 0}, {tests::load_description(newest), "b", 0}});
  ASSERT_TRUE(all) << text(all.error());
  io::PageReader reader((*all)->file);
  std::vector<bytepack::UserRecord> users;
  const trace::Track& memory = (*all)->tracks[2];
  trace::MemoryCursor cursor(reader, *(*all)->dialect, memory.head, memory.memory.get());
  while (cursor.next()) cursor.append_users(0, cursor.event().user_count, users);
  ASSERT_EQ(users.size(), 1U);
  const bytepack::SpanRecord run = (*all)->span(reader, 3, 0);
  EXPECT_NE(users[0].run, run.key);
  EXPECT_EQ((*all)->own_key(3, *run.key), 0U);
}

}  // namespace
}  // namespace bytescope::merge
