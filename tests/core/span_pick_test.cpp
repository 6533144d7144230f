#include "core/query/span_pick.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random_spans.h"
#include "tests/support/shape_name.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using tests::SpanShape;
using trace::Trace;

constexpr std::uint32_t span_count = 400;

/// Records of a lane, in file order.
std::vector<std::uint32_t> records_of(const Trace& trace, std::uint32_t lane) {
  std::vector<std::uint32_t> records;
  for (std::uint32_t i = 0; i < trace.tracks[0].head.count; ++i) {
    if (trace.tracks[0].spans->lane(i) == lane) records.push_back(i);
  }
  return records;
}

/// The last span that covers the time, else the first of the nearest.
std::optional<std::uint32_t> plain_span_at(const Trace& trace,
                                           const std::vector<std::uint32_t>& lane,
                                           std::int64_t time_ns, double tolerance_ns) {
  io::PageReader reader(trace.file);
  std::optional<std::uint32_t> best;
  double best_ns = tolerance_ns;
  for (const std::uint32_t record : lane) {
    const bytepack::SpanRecord span = trace.span(reader, 0, record);
    const auto since = static_cast<double>(time_ns - trace::ns_from_unit(span.start));
    const double past_end = since - static_cast<double>(span.duration) * 1000;
    const double away = std::max({-since, past_end, 0.0});
    if (away == 0 || (best ? away < best_ns : away <= best_ns)) {
      best = record;
      best_ns = away;
    }
  }
  return best;
}

/// Times of interest around some spans of a lane.
std::vector<std::int64_t> times_of(const Trace& trace, const std::vector<std::uint32_t>& lane) {
  io::PageReader reader(trace.file);
  std::vector<std::int64_t> times{0, trace::ns_from_unit(trace.frame.duration_us) + 5'000};
  const std::size_t step = std::max<std::size_t>(lane.size() / 25, 1);
  for (std::size_t i = 0; i < lane.size(); i += step) {
    const bytepack::SpanRecord span = trace.span(reader, 0, lane[i]);
    const std::int64_t start = trace::ns_from_unit(span.start);
    const auto length = static_cast<std::int64_t>(static_cast<double>(span.duration) * 1000);
    for (const std::int64_t at : {start - 1, start, start + length / 2, start + length,
                                  start + length + 1, start + length + 700}) {
      times.push_back(at);
    }
  }
  return times;
}

void compare_picks(const Trace& trace) {
  io::PageReader reader(trace.file);
  for (std::uint32_t lane = 0; lane < std::min(trace.tracks[0].spans->lane_count, 6U); ++lane) {
    const std::vector<std::uint32_t> records = records_of(trace, lane);
    for (const std::int64_t time : times_of(trace, records)) {
      for (const double tolerance : {0.0, 3.0, 5'000.0, 1e12}) {
        ASSERT_EQ(span_at(trace, reader, 0, lane, time, tolerance),
                  plain_span_at(trace, records, time, tolerance))
            << "lane " << lane << " at " << time << " ns, tolerance " << tolerance;
      }
    }
  }
}

class PickOfShape : public testing::TestWithParam<SpanShape> {};

}  // namespace

TEST_P(PickOfShape, FindsWhatLookingAtEverySpanFinds) {
  const auto trace =
      tests::load_description(tests::one_track(tests::random_spans(GetParam(), span_count, 1)));
  ASSERT_NE(trace, nullptr);
  compare_picks(*trace);
}

TEST_P(PickOfShape, FindsWhatLookingAtEverySpanFindsWhereTheyOverlapInOneLane) {
  const auto spans = tests::random_spans(GetParam(), span_count, 2, "");
  const auto trace = tests::load_bytes(tests::encode_in_one_lane(spans));
  ASSERT_TRUE(trace) << text(trace.error());
  compare_picks(**trace);
}

TEST_P(PickOfShape, StepsThroughEachLaneInOrder) {
  const auto trace =
      tests::load_description(tests::one_track(tests::random_spans(GetParam(), span_count, 3)));
  ASSERT_NE(trace, nullptr);
  for (std::uint32_t lane = 0; lane < trace->tracks[0].spans->lane_count; ++lane) {
    const std::vector<std::uint32_t> records = records_of(*trace, lane);
    for (std::size_t i = 0; i < records.size(); ++i) {
      const auto before = neighbour_in_lane(*trace, 0, records[i], -1);
      const auto after = neighbour_in_lane(*trace, 0, records[i], 1);
      ASSERT_EQ(before, i == 0 ? std::nullopt : std::optional(records[i - 1]));
      ASSERT_EQ(after, i + 1 == records.size() ? std::nullopt : std::optional(records[i + 1]));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PickOfShape, testing::ValuesIn(tests::span_shapes()),
                         tests::shape_name);

TEST(SpanPick, KnowsNothingOfMissingLanesAndRecords) {
  const auto trace = tests::load_description(tests::one_track({{"r_1", 5, 2, "{}"}}));
  io::PageReader reader(trace->file);
  EXPECT_EQ(span_at(*trace, reader, 0, 0, 6'000, 0), 0U);
  EXPECT_EQ(span_at(*trace, reader, 0, 1, 6'000, 0), std::nullopt);
  EXPECT_EQ(span_at(*trace, reader, 0, 0, 4'000, 999), std::nullopt);
  EXPECT_EQ(span_at(*trace, reader, 0, 0, 4'000, 1'000), 0U);
  EXPECT_EQ(neighbour_in_lane(*trace, 0, 1, 1), std::nullopt);
  EXPECT_FALSE(occurrence(*trace, 0, 1, Cancel()));
}

TEST(SpanPick, FindsNeighboursFarApartInATrackOfManyLanes) {
  std::vector<bytepack::SpanDescription> spans(30, {"r_1", 0, 1'000'000, "{}"});
  for (std::uint32_t i = 0; i < 3'000; ++i) spans.push_back({"E_1", i * 2, 1, "{}"});
  spans.push_back({"r_2", 2'000'000, 1, "{}"});
  spans.push_back({"r_2", 2'000'000, 1, "{}"});
  const auto trace = tests::load_description(tests::one_track(spans));
  ASSERT_EQ(trace->tracks[0].spans->lane(3'031), 1U);
  EXPECT_EQ(neighbour_in_lane(*trace, 0, 3'031, -1), 1U);
  EXPECT_EQ(neighbour_in_lane(*trace, 0, 1, 1), 3'031U);
  EXPECT_EQ(neighbour_in_lane(*trace, 0, 5, 1), std::nullopt);
}

TEST(SpanPick, CountsTheSpansOfANameUpToARecord) {
  const auto spans = tests::random_spans(SpanShape::nested, span_count, 4);
  const auto trace = tests::load_description(tests::one_track(spans));
  ASSERT_NE(trace, nullptr);
  for (std::uint32_t record = 0; record < span_count; ++record) {
    const auto is_same = [&](const bytepack::SpanDescription& span) {
      return span.name == spans[record].name;
    };
    const auto here = spans.begin() + record;
    const auto found = occurrence(*trace, 0, record, Cancel());
    ASSERT_TRUE(found);
    ASSERT_EQ(found->rank, std::count_if(spans.begin(), here, is_same) + 1);
    ASSERT_EQ(found->total, std::count_if(spans.begin(), spans.end(), is_same));
  }
}

TEST(SpanPick, StopsCountingWhenCancelled) {
  const auto trace = tests::load_description(
      tests::one_track(tests::random_spans(SpanShape::one_lane, span_count, 5)));
  Cancel cancel;
  cancel.request();
  EXPECT_FALSE(occurrence(*trace, 0, span_count - 1, cancel));
}

}  // namespace bytescope::query
