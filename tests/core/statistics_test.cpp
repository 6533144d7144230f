#include "core/query/statistics.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/query/percentiles.h"
#include "core/query/span_scan.h"
#include "tests/core/statistics_twin.h"
#include "tests/support/random_spans.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using tests::SpanShape;
using trace::Trace;

double plain_percentile(const std::vector<double>& sorted, double hundredths) {
  const double rank = std::ceil(static_cast<double>(sorted.size()) * hundredths / 100);
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

void expect_row(const StatisticsRow& row, PlainRow plain, double total) {
  std::sort(plain.lengths.begin(), plain.lengths.end());
  double sum = 0;
  for (const double length : plain.lengths) sum += length;
  const double error = 1e-9 * (1 + sum);
  EXPECT_EQ(row.count, plain.lengths.size()) << row.name;
  EXPECT_EQ(row.cut, plain.cut) << row.name;
  EXPECT_NEAR(row.total, sum, error) << row.name;
  EXPECT_NEAR(row.self, sum - plain.nested, error * 10) << row.name;
  EXPECT_NEAR(row.mean, sum / static_cast<double>(row.count), error) << row.name;
  EXPECT_NEAR(row.share, total > 0 ? sum / total : 0, 1e-9) << row.name;
  EXPECT_EQ(row.shortest, plain.lengths.front()) << row.name;
  EXPECT_EQ(row.longest, plain.lengths.back()) << row.name;
  EXPECT_EQ(row.p50, plain_percentile(plain.lengths, 50)) << row.name;
  EXPECT_EQ(row.p90, plain_percentile(plain.lengths, 90)) << row.name;
  EXPECT_EQ(row.p99, plain_percentile(plain.lengths, 99)) << row.name;
  ASSERT_EQ(row.flops.has_value(), plain.flops_time > 0) << row.name;
  if (row.flops) {
    EXPECT_NEAR(*row.flops * plain.flops_time / plain.flops, 1, 1e-9);
  }
}

void compare(const Trace& trace, const StatisticsRequest& request) {
  const auto answer = statistics(trace, request, never);
  ASSERT_TRUE(answer);
  const auto plain = plain_rows(trace, request);
  double total = 0;
  for (const auto& [key, row] : plain) {
    for (const double length : row.lengths) total += length;
  }
  ASSERT_EQ(answer->rows.size(), plain.size());
  EXPECT_NEAR(answer->total, total, 1e-9 * (1 + total));
  for (std::size_t i = 0; i < answer->rows.size(); ++i) {
    const StatisticsRow& row = answer->rows[i];
    EXPECT_GE(answer->rows[i == 0 ? 0 : i - 1].total, row.total);
    const auto found = plain.find({row.name, row.track});
    ASSERT_NE(found, plain.end()) << row.name;
    expect_row(row, found->second, total);
    const double around = plain_total_around(trace, request, row);
    EXPECT_NEAR(row.track_share, around > 0 ? row.total / around : 0, 1e-9) << row.name;
    const auto longest =
        nth_occurrence(trace, request, key_of(row), {row.longest, row.longest}, 0, never);
    EXPECT_EQ(longest, row.longest_at);
    EXPECT_EQ(nth_occurrence(trace, request, key_of(row), {row.shortest, row.shortest}, 0, never),
              row.shortest_at);
    EXPECT_TRUE(nth_occurrence(trace, request, key_of(row), {row.p50, row.p50}, 0, never));
  }
}

/// Infos with rates for some spans, none for others.
bytepack::TraceDescription with_rates(SpanShape shape, std::uint32_t count, std::uint32_t seed) {
  bytepack::TraceDescription trace;
  for (const char* name : {"AMD", "AMD:1"}) {
    bytepack::TrackDescription track;
    track.name = name;
    track.spans = tests::random_spans(shape, count, seed++);
    for (std::size_t i = 0; i < track.spans.size(); ++i) {
      if (i % 7 == 0 && track.name == "AMD:1") track.spans[i].name = "only_here";
      if (i % 3 != 0)
        track.spans[i].info = "{\"FLOPS\": " + std::to_string(1'000'000 + i % 40) + ", \"B\": 64}";
    }
    trace.tracks.push_back(std::move(track));
  }
  return trace;
}

class StatisticsOfShape : public testing::TestWithParam<SpanShape> {};

TEST_P(StatisticsOfShape, AgreeWithBruteForce) {
  const auto trace = tests::load_description(with_rates(GetParam(), 400, 7));
  ASSERT_TRUE(trace);
  compare(*trace, {});
  StatisticsRequest request;
  request.piece_spans = 30;
  request.by_track = true;
  compare(*trace, request);
  request.by_name = false;
  compare(*trace, request);
}

TEST_P(StatisticsOfShape, AgreeWithBruteForceInRanges) {
  const auto trace = tests::load_description(with_rates(GetParam(), 300, 11));
  ASSERT_TRUE(trace);
  const std::int64_t end = trace::ns_from_unit(trace->frame.duration_us);
  std::mt19937 random(3);
  for (int i = 0; i < 8; ++i) {
    StatisticsRequest request;
    const auto a = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end + 1));
    const auto b = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end + 1));
    request.range = TimeRange{std::min(a, b), std::max(a, b) + 1};
    request.whole_spans = i % 2 == 1;
    request.without_variants = i % 4 > 1;
    request.threads = i % 3 == 0 ? 1 : 3;
    request.piece_spans = i % 3 == 1 ? 1 << 18 : 20;
    compare(*trace, request);
  }
}

INSTANTIATE_TEST_SUITE_P(Statistics, StatisticsOfShape, testing::ValuesIn(tests::span_shapes()),
                         [](const auto& shape) { return tests::name_of(shape.param); });

TEST(Statistics, MergeNamesThatDifferInColoursOnly) {
  const auto trace = tests::load_description(tests::one_track(
      {{"\x1b[34mE_4\x1b[0m", 0, 2, "{}"}, {"E_4", 10, 3, "{}"}, {"E_4", 20, 4, "{}"}}));
  ASSERT_TRUE(trace);
  const auto answer = statistics(*trace, {}, never);
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->rows.size(), 1U);
  EXPECT_EQ(answer->rows[0].name, "E_4");
  EXPECT_EQ(answer->rows[0].count, 3U);
  EXPECT_EQ(answer->rows[0].total, 9);
}

TEST(Statistics, LeaveOutCompilerBatchesAndUserUnlessAskedFor) {
  const auto trace = tests::load_description(tests::varied_trace('L'));
  ASSERT_TRUE(trace);
  EXPECT_EQ(default_statistics_tracks(*trace), std::vector<std::uint32_t>{0});
  StatisticsRequest request;
  request.tracks = {1};
  const auto answer = statistics(*trace, request, never);
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->rows.size(), 4U);
  EXPECT_EQ(answer->rows[0].name, "Schedule 2");
  EXPECT_EQ(answer->rows[0].self, 5);  // 9 us without the 4 us of do_to_program in it
  EXPECT_EQ(answer->rows[1].self, 3);
}

TEST(Statistics, CountACopysBytesByTheShareOfItThatCounts) {
  const auto trace = tests::load_description(tests::one_track(
      {{"AMD -> CPU", 0, 10, R"({"B/s": 2000000, "B": 20})"}, {"E", 20, 1, R"({"B/s": "ERR"})"}}));
  ASSERT_TRUE(trace);
  StatisticsRequest request;
  request.range = TimeRange{5'000, 100'000};
  const auto answer = statistics(*trace, request, never);
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->rows.size(), 2U);
  EXPECT_EQ(answer->rows[0].bytes, 10);
  EXPECT_EQ(answer->rows[0].bytes_per_s, 2e6);
  EXPECT_EQ(answer->rows[0].cut, 1U);
  EXPECT_FALSE(answer->rows[1].bytes);
  EXPECT_FALSE(answer->rows[1].bytes_per_s);
}

TEST(Statistics, AgreeWithBruteForceWhereASampleTellsWhatToKeep) {
  // More spans than are kept without a sample, in several pieces.
  auto spans = tests::random_spans(SpanShape::short_spans, 420'000, 5);
  for (std::size_t i = 0; i < spans.size(); ++i)
    spans[i].duration = static_cast<float>(std::exp(static_cast<double>(i * 7919 % 1000) / 200));
  const auto trace = tests::load_description(tests::one_track(std::move(spans)), 'L');
  ASSERT_TRUE(trace);
  std::map<std::uint32_t, std::vector<float>> of_name;
  SpanReader reader(*trace);
  reader.for_each(0, {0, trace->tracks[0].head.count}, [&](std::uint32_t, const auto& span) {
    of_name[span.name].push_back(span.duration);
    return true;
  });
  const auto answer = statistics(*trace, {}, never);
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->rows.size(), of_name.size());
  io::PageReader pages(trace->file);
  for (auto& [name, lengths] : of_name) {
    std::sort(lengths.begin(), lengths.end());
    const std::string text = trace->text(pages, name);
    const auto row = std::find_if(answer->rows.begin(), answer->rows.end(),
                                  [&text](const StatisticsRow& r) { return r.name == text; });
    ASSERT_NE(row, answer->rows.end());
    ASSERT_EQ(row->count, lengths.size());
    EXPECT_EQ(row->p50, static_cast<double>(lengths[nearest_rank(lengths.size(), 0)]));
    EXPECT_EQ(row->p90, static_cast<double>(lengths[nearest_rank(lengths.size(), 1)]));
    EXPECT_EQ(row->p99, static_cast<double>(lengths[nearest_rank(lengths.size(), 2)]));
  }
}

TEST(Statistics, WeighRatesOfMoreInfosThanAreHeldAtOnce) {
  std::vector<bytepack::SpanDescription> spans;
  double time = 0;
  double flops = 0;
  for (std::uint32_t i = 0; i < 280'000; ++i) {
    const auto duration = static_cast<float>(1 + i % 7);
    spans.push_back({"E", i * 8, duration, "{\"FLOPS\": " + std::to_string(i) + "}"});
    time += static_cast<double>(duration);
    flops += static_cast<double>(duration) * i;
  }
  const auto trace = tests::load_description(tests::one_track(std::move(spans)));
  ASSERT_TRUE(trace);
  const auto answer = statistics(*trace, {}, never);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->rows[0].total, time);
  EXPECT_NEAR(*answer->rows[0].flops / (flops / time), 1, 1e-12);
}

TEST(Statistics, GiveAFirstAnswerWithExactTotals) {
  const auto trace = tests::load_description(with_rates(SpanShape::heavy_tailed, 2000, 9));
  ASSERT_TRUE(trace);
  const Statistics first = first_statistics(*trace, {}, never);
  const auto exact = statistics(*trace, {}, never);
  ASSERT_TRUE(exact);
  EXPECT_TRUE(first.approximate);
  EXPECT_FALSE(exact->approximate);
  ASSERT_EQ(first.rows.size(), exact->rows.size());
  for (std::size_t i = 0; i < first.rows.size(); ++i) {
    EXPECT_EQ(first.rows[i].name, exact->rows[i].name);
    EXPECT_EQ(first.rows[i].count, exact->rows[i].count);
    EXPECT_NEAR(first.rows[i].total, exact->rows[i].total, 1e-6 * exact->rows[i].total);
    EXPECT_EQ(first.rows[i].longest_at, exact->rows[i].longest_at);
  }
}

TEST(Statistics, HistogramsHoldEverySpanOfARow) {
  const auto trace = tests::load_description(with_rates(SpanShape::heavy_tailed, 1000, 4));
  ASSERT_TRUE(trace);
  StatisticsRequest request;
  request.range = TimeRange{0, trace::ns_from_unit(trace->frame.duration_us / 2)};
  const auto answer = statistics(*trace, request, never);
  ASSERT_TRUE(answer);
  for (const StatisticsRow& row : answer->rows) {
    const auto histogram = duration_histogram(*trace, request, row, never);
    ASSERT_TRUE(histogram);
    std::uint64_t sum = 0;
    for (const DurationHistogram::Bin& bin : histogram->bin) {
      sum += bin.count;
      EXPECT_EQ(bin.first, nth_occurrence(*trace, request, key_of(row), bin.durations, 0, never));
      if (bin.count == 0) continue;
      EXPECT_TRUE(
          nth_occurrence(*trace, request, key_of(row), bin.durations, bin.count - 1, never));
      EXPECT_FALSE(nth_occurrence(*trace, request, key_of(row), bin.durations, bin.count, never));
    }
    EXPECT_EQ(sum, row.count) << row.name;
  }
}

TEST(Statistics, StopWhenCancelled) {
  const auto trace = tests::load_description(with_rates(SpanShape::nested, 500, 1));
  ASSERT_TRUE(trace);
  Cancel cancel;
  cancel.request();
  const auto answer = statistics(*trace, {}, cancel);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::cancelled);
}

}  // namespace
}  // namespace bytescope::query
