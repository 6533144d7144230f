#include "core/trace/span_builder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random_spans.h"
#include "tests/support/trace_maker.h"

namespace bytescope::trace {
namespace {

using tests::SpanShape;

/// All records of track 0.
std::vector<bytepack::SpanRecord> records_of(const Trace& trace) {
  io::PageReader reader(trace.file);
  std::vector<bytepack::SpanRecord> records;
  for (std::uint32_t i = 0; i < trace.tracks[0].head.count; ++i)
    records.push_back(trace.span(reader, 0, i));
  return records;
}

/// Time covered by records [begin, end) that pass `counts`, and by none before them that does.
template <class Counts>
double fresh_time(const std::vector<bytepack::SpanRecord>& records, std::uint32_t begin,
                  std::uint32_t end, Counts counts) {
  double furthest = 0;
  double sum = 0;
  for (std::uint32_t i = 0; i < end; ++i) {
    if (!counts(i)) continue;
    const double fresh =
        records[i].end() - std::max(furthest, static_cast<double>(records[i].start));
    if (i >= begin) sum += std::max(fresh, 0.0);
    furthest = std::max(furthest, records[i].end());
  }
  return sum;
}

void check_names(const SpanIndex& index, const std::vector<bytepack::SpanRecord>& records) {
  std::map<std::uint32_t, NameTotal> expected;
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    NameTotal& total = expected[records[i].name];
    const float duration = records[i].duration;
    total.shortest = total.count == 0 ? duration : std::min(total.shortest, duration);
    if (total.count == 0 || duration > total.longest) total.longest_record = i;
    total.longest = std::max(total.longest, duration);
    total.total += static_cast<double>(duration);
    ++total.count;
  }
  ASSERT_EQ(index.names.size(), expected.size());
  for (const auto& [name, total] : expected) {
    const NameTotal& found = index.names[index.slots.find(name)];
    EXPECT_EQ(found.name, name);
    EXPECT_EQ(found.count, total.count);
    EXPECT_NEAR(found.total, total.total, total.total * 1e-12);
    EXPECT_EQ(found.shortest, total.shortest);
    EXPECT_EQ(found.longest, total.longest);
    EXPECT_EQ(found.longest_record, total.longest_record);
  }
  EXPECT_EQ(index.slots.find(UINT32_MAX), NameSlots::none);
}

void check_lanes(const SpanIndex& index, const std::vector<bytepack::SpanRecord>& records) {
  std::vector<std::uint64_t> ends;
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    const auto free = std::find_if(ends.begin(), ends.end(),
                                   [&](std::uint64_t end) { return end <= records[i].start; });
    const auto lane = static_cast<std::uint32_t>(free - ends.begin());
    if (free == ends.end()) ends.push_back(0);
    ends[lane] = records[i].start + static_cast<std::uint64_t>(records[i].duration);
    ASSERT_EQ(index.lane(i), lane) << i;
  }
  EXPECT_EQ(index.lane_count, ends.size());
  EXPECT_EQ(index.lanes.size(), ends.size());
}

/// The blocks of a lane's finest level hold its spans in order, each once, and tell the truth.
void check_blocks(const SpanIndex& index, std::uint32_t lane,
                  const std::vector<bytepack::SpanRecord>& records) {
  const auto in_lane = [&](std::uint32_t i) { return index.lane(i) == lane; };
  std::uint32_t record = 0;
  std::uint32_t seen = 0;
  for (const SpanBlock& block : index.lanes[lane].levels[0]) {
    while (record < records.size() && !in_lane(record)) ++record;
    ASSERT_EQ(block.first, record);
    ASSERT_GT(block.count, 0);
    ASSERT_LE(block.count, index.block_spans);
    ASSERT_EQ(block.start, records[record].start);
    double extent = 0;
    float longest = -1;
    for (std::uint32_t left = block.count; left > 0; ++record) {
      if (!in_lane(record)) continue;
      --left;
      ++seen;
      const double since = records[record].start - block.start;
      extent = std::max(extent, since + static_cast<double>(records[record].duration));
      longest = std::max(longest, records[record].duration);
    }
    ASSERT_GE(static_cast<double>(block.extent), extent);
    ASSERT_LE(static_cast<double>(block.extent), extent * (1 + 1e-6));
    ASSERT_EQ(block.longest, longest);
    const double covered = fresh_time(records, block.first, record, in_lane);
    ASSERT_NEAR(block.covered, covered, covered * 1e-6 + 1e-5);
  }
  EXPECT_EQ(seen, index.lanes[lane].span_count);
}

/// Each block of a coarser level is the sum of eight.
void check_levels(const LaneIndex& lane) {
  for (std::size_t level = 1; level < lane.levels.size(); ++level) {
    const SpanBlocks& below = lane.levels[level - 1];
    ASSERT_EQ(lane.levels[level].size(), (below.size() + 7) / 8);
    for (std::size_t i = 0; i < lane.levels[level].size(); ++i) {
      const SpanBlock& block = lane.levels[level][i];
      std::uint32_t spans = 0;
      double covered = 0;
      for (std::size_t k = i * 8; k < std::min(below.size(), i * 8 + 8); ++k) {
        spans += level == 1 ? below[k].count : below[k].first;
        covered += static_cast<double>(below[k].covered);
        ASSERT_GE(block.end(), below[k].end());
        ASSERT_GE(block.longest, below[k].longest);
      }
      ASSERT_EQ(block.start, below[i * 8].start);
      ASSERT_EQ(block.first, spans);
      ASSERT_NEAR(block.covered, covered, covered * 1e-6);
    }
  }
  EXPECT_LE(lane.levels.back().size(), LaneIndex::fanout);
}

void check_index(const std::vector<bytepack::SpanDescription>& spans) {
  const auto trace = tests::load_description(tests::one_track(spans));
  ASSERT_NE(trace, nullptr);
  const SpanIndex& index = *trace->tracks[0].spans;
  const std::vector<bytepack::SpanRecord> records = records_of(*trace);
  check_names(index, records);
  check_lanes(index, records);
  const double busy = fresh_time(records, 0, static_cast<std::uint32_t>(records.size()),
                                 [](std::uint32_t) { return true; });
  EXPECT_NEAR(index.busy, busy, busy * 1e-9 + 1e-5);
  for (std::uint32_t lane = 0; lane < std::min(index.lane_count, 40U); ++lane) {
    SCOPED_TRACE("lane " + std::to_string(lane));
    check_blocks(index, lane, records);
    check_levels(index.lanes[lane]);
    if (testing::Test::HasFatalFailure()) return;
  }
}

class SpanBuilderOfShape : public testing::TestWithParam<SpanShape> {};

}  // namespace

TEST_P(SpanBuilderOfShape, TellsTheTruthAboutNamesLanesAndBlocks) {
  check_index(tests::random_spans(GetParam(), 2'500, 1));
}

TEST_P(SpanBuilderOfShape, TellsTheTruthWhereSpansBeginToOverlapMidway) {
  auto spans = tests::random_spans(SpanShape::one_lane, 1'500, 2);
  const std::uint32_t later = spans.back().start + 100;
  const auto more = tests::random_spans(GetParam(), 1'500, 3, "{}", later);
  spans.insert(spans.end(), more.begin(), more.end());
  check_index(spans);
}

INSTANTIATE_TEST_SUITE_P(All, SpanBuilderOfShape, testing::ValuesIn(tests::span_shapes()),
                         [](const auto& shape) { return tests::name_of(shape.param); });

TEST(SpanBuilder, CountsNamesBelowAndAboveItsTable) {
  // A table has room for as many names as there are spans, and grows in powers of two.
  constexpr std::uint32_t count = 1000;
  SpanBuilder builder(count, 16, false, false, [](std::uint32_t) { return Style(); });
  std::map<std::uint32_t, std::uint32_t> expected;
  SpanBatch batch;
  batch.count = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    batch.name[i] = i * i % 1500;
    batch.start[i] = i;
    batch.duration[i] = 1;
    ++expected[batch.name[i]];
  }
  builder.add(batch);
  const SpanIndex index = builder.finish();
  ASSERT_EQ(index.names.size(), expected.size());
  for (const auto& [name, spans] : expected)
    EXPECT_EQ(index.names[index.slots.find(name)].count, spans) << name;
}

TEST(SpanBuilder, HoldsTheLanesOfAVeryWideTrack) {
  std::vector<bytepack::SpanDescription> spans(700, {"r_1", 5, 100, "{}"});
  for (std::uint32_t i = 0; i < 700; ++i) spans.push_back({"r_2", 200 + i, 500, "{}"});
  check_index(spans);
}

TEST(SpanBuilder, TellsASpanTooLongForWholeUnitsFromOneThatFits) {
  std::vector<bytepack::SpanDescription> spans{
      {"r_1", 0, 3e9F, "{}"}, {"r_1", 2'500'000'000, 1, "{}"}, {"r_1", 3'100'000'000, 1, "{}"}};
  check_index(spans);
}

TEST(SpanBuilder, GivesChildrenThePhaseOfTheirTopLaneAncestor) {
  bytepack::TraceDescription trace = tests::one_track({{"Schedule 2", 0, 10, "{}"},
                                                       {"x", 1, 5, "{}"},
                                                       {"do_to_program for r_4", 11, 5, "{}"},
                                                       {"x", 12, 2, "{}"},
                                                       {"x", 17, 2, "{}"}});
  trace.tracks[0].name = "TINY";
  const auto loaded = tests::load_description(trace);
  ASSERT_NE(loaded, nullptr);
  io::PageReader reader(loaded->file);
  const auto category = [&](std::uint32_t i) { return loaded->style(reader, 0, i).category(); };
  EXPECT_EQ(category(0), Category::tiny_schedule);
  EXPECT_EQ(category(1), Category::tiny_schedule);
  EXPECT_EQ(category(2), Category::tiny_codegen);
  EXPECT_EQ(category(3), Category::tiny_codegen);
  EXPECT_EQ(category(4), Category::tiny_other);
}

TEST(SpanLoad, NamesTheFirstFaultyRecordBeyondTheFirstBatch) {
  auto spans = tests::random_spans(SpanShape::one_lane, 3'000, 4);
  spans[2'100].duration = -1;
  spans[2'200].start = 0;
  const auto loaded =
      tests::load_bytes(bytepack::encode(tests::one_track(spans), *bytepack::dialect_of('L')));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().where.record, 2'100U);
  EXPECT_NE(loaded.error().message.find("duration"), std::string::npos) << loaded.error().message;
}

}  // namespace bytescope::trace
