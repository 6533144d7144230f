#include "core/query/gaps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/query/gap_context.h"
#include "core/query/ranges.h"
#include "tests/support/random_spans.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using tests::SpanShape;
using trace::Trace;

std::vector<bytepack::SpanRecord> spans_of(const Trace& trace, std::uint32_t track) {
  io::PageReader reader(trace.file);
  std::vector<bytepack::SpanRecord> spans;
  for (std::uint32_t i = 0; i < trace.tracks[track].head.count; ++i)
    spans.push_back(trace.span(reader, track, i));
  return spans;
}

/// Every start in front of which nothing runs, looked at by itself.
std::vector<Gap> plain_gaps(const Trace& trace, std::uint32_t track, double a, double b,
                            double min_length) {
  const std::vector<bytepack::SpanRecord> spans = spans_of(trace, track);
  std::vector<Gap> gaps;
  for (std::uint32_t i = 1; i < spans.size(); ++i) {
    double end = -1;
    std::uint32_t before = 0;
    for (std::uint32_t k = 0; k < i; ++k) {
      if (spans[k].end() > end) {
        end = spans[k].end();
        before = k;
      }
    }
    const Gap gap{track, end, static_cast<double>(spans[i].start), before, i, false};
    if (gap.length() > 0 && gap.begin >= a && gap.end <= b && gap.length() >= min_length) {
      gaps.push_back(gap);
      gaps.back().below_resolution = gap.length() < gap_resolution;
    }
  }
  return gaps;
}

std::vector<Gap> longest_first(std::vector<Gap> gaps) {
  std::stable_sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) {
    return a.length() != b.length() ? a.length() > b.length() : a.begin < b.begin;
  });
  return gaps;
}

class GapsOfShape : public testing::TestWithParam<SpanShape> {
protected:
  std::shared_ptr<const Trace> loaded =
      tests::load_description(tests::one_track(tests::random_spans(GetParam(), 500, 21)));
  Cancel no_cancel;
};

TEST_P(GapsOfShape, AreThoseOfBruteForce) {
  const std::int64_t end_ns = trace::ns_from_unit(loaded->frame.duration_us);
  std::mt19937 random(2);
  for (int i = 0; i < 8; ++i) {
    GapRequest request;
    request.min_length = i % 4;
    request.limit = i % 3 == 0 ? 5 : 1000;
    double a = -1;
    double b = 1e300;
    if (i > 0) {
      const auto x = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end_ns + 1));
      const auto y = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end_ns + 1));
      request.range = TimeRange{std::min(x, y), std::max(x, y) + 1};
      a = static_cast<double>(request.range->begin_ns) / 1000;
      b = static_cast<double>(request.range->end_ns) / 1000;
    }
    const auto gaps = find_gaps(*loaded, request, no_cancel);
    ASSERT_TRUE(gaps);
    std::vector<Gap> plain = longest_first(plain_gaps(*loaded, 0, a, b, request.min_length));
    ASSERT_EQ(gaps->tracks.size(), 1U);
    EXPECT_EQ(gaps->tracks[0].gaps, plain.size());
    plain.resize(std::min(plain.size(), request.limit));
    EXPECT_EQ(gaps->gaps, plain);
  }
}

TEST_P(GapsOfShape, ReachTheEndsOfARange) {
  for (const Gap& gap : plain_gaps(*loaded, 0, -1, 1e300, 2)) {
    GapRequest request;
    request.range =
        TimeRange{std::llround(std::ceil(gap.begin * 1000)), std::llround(gap.end * 1000)};
    const double begin = static_cast<double>(request.range->begin_ns) / 1000;
    const auto gaps = find_gaps(*loaded, request, no_cancel);
    ASSERT_TRUE(gaps);
    EXPECT_EQ(gaps->gaps, plain_gaps(*loaded, 0, begin, gap.end, 2));
    if (begin == gap.begin) EXPECT_THAT(gaps->gaps, testing::Contains(gap));
  }
}

TEST_P(GapsOfShape, NeighboursAreTheNextOnesOnEitherSide) {
  const std::vector<Gap> all = plain_gaps(*loaded, 0, -1, 1e300, 2);
  std::mt19937 random(5);
  const std::int64_t end_ns = trace::ns_from_unit(loaded->frame.duration_us);
  for (int i = 0; i < 40; ++i) {
    const auto time =
        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end_ns + 2000));
    const double units = static_cast<double>(time) / 1000;
    const auto next =
        std::find_if(all.begin(), all.end(), [units](const Gap& gap) { return gap.begin > units; });
    const auto last =
        std::find_if(all.rbegin(), all.rend(), [units](const Gap& gap) { return gap.end < units; });
    const auto found_next = neighbour_gap(*loaded, 0, time, 1, 2, no_cancel);
    const auto found_last = neighbour_gap(*loaded, 0, time, -1, 2, no_cancel);
    ASSERT_EQ(found_next.has_value(), next != all.end());
    ASSERT_EQ(found_last.has_value(), last != all.rend());
    EXPECT_TRUE(!found_next || *found_next == *next);
    EXPECT_TRUE(!found_last || *found_last == *last);
  }
}

TEST_P(GapsOfShape, BusyTimesAreThoseOfBruteForce) {
  const std::vector<bytepack::SpanRecord> spans = spans_of(*loaded, 0);
  std::mt19937 random(8);
  for (int i = 0; i < 10; ++i) {
    std::array<double, 8> edges{};
    for (double& edge : edges)
      edge = static_cast<double>(random() % (loaded->frame.duration_us * 10 + 1)) / 10;
    std::sort(edges.begin(), edges.end());
    const std::vector<Stretch> ranges = {
        {edges[0], edges[1]}, {edges[1], edges[4]}, {edges[6], edges[7]}};
    const std::vector<double> busy = busy_times(*loaded, 0, ranges, no_cancel);
    ASSERT_EQ(busy.size(), ranges.size());
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      double covered = 0;
      double until = ranges[r].begin;
      for (const bytepack::SpanRecord& span : spans) {
        const double end = std::min(span.end(), ranges[r].end);
        covered += std::max(end - std::max(static_cast<double>(span.start), until), 0.0);
        until = std::max(until, end);
      }
      EXPECT_NEAR(busy[r], covered, 1e-5 * (1 + covered)) << r;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gaps, GapsOfShape, testing::ValuesIn(tests::span_shapes()),
                         [](const auto& shape) { return tests::name_of(shape.param); });

TEST(Gaps, GoBackOverManyRecords) {
  std::vector<bytepack::SpanDescription> spans;
  for (std::uint32_t i = 0; i < 60'000; ++i)
    spans.push_back({"E", i * 10 + (i >= 100 ? 50 : 0) + (i >= 50'000 ? 7 : 0), 10, "{}"});
  const auto trace = tests::load_description(tests::one_track(std::move(spans)));
  ASSERT_TRUE(trace);
  const auto last = neighbour_gap(*trace, 0, 600'000'000, -1, 2, never);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->after, 50'000U);
  EXPECT_EQ(last->length(), 7);
  const auto longest = neighbour_gap(*trace, 0, 600'000'000, -1, 20, never);
  ASSERT_TRUE(longest);
  EXPECT_EQ(longest->after, 100U);
  EXPECT_EQ(longest->before, 99U);
  EXPECT_FALSE(neighbour_gap(*trace, 0, 1'050'000, -1, 2, never));
}

TEST(Gaps, TellWhatHostAndCompilerDid) {
  bytepack::TraceDescription description;
  description.tracks = {
      {"AMD", bytepack::TrackKind::spans, {{"E", 0, 10, "{}"}, {"r", 110, 10, "{}"}}},
      {"TINY",
       bytepack::TrackKind::spans,
       {{"Schedule", 15, 90, "{}"}, {"lower", 20, 80, "{}"}, {"tiny", 55, 10, "{}"}}},
      {"USER", bytepack::TrackKind::spans, {{"load", 58, 4, "{}"}}},
      {"GC", bytepack::TrackKind::spans, {{"collect", 0, 61, "{}"}}},
      {"AMD Graph", bytepack::TrackKind::spans, {{"batched 2", 0, 10, "{}"}}}};
  const auto trace = tests::load_description(description);
  ASSERT_TRUE(trace);
  const auto gaps = find_gaps(*trace, {}, never);
  ASSERT_TRUE(gaps);
  ASSERT_EQ(gaps->gaps.size(), 1U);
  EXPECT_TRUE(gaps->tracks[0].has_batches);
  io::PageReader reader(trace->file);
  const GapContext context = gap_context(*trace, reader, gaps->gaps[0]);
  EXPECT_EQ(context.compiler, (GapCompany{{1, 1}, 0.8}));
  EXPECT_DOUBLE_EQ(context.compiler_share, 0.9);
  EXPECT_TRUE(context.compiling());
  EXPECT_EQ(context.host, (GapCompany{{3, 0}, 0.51}));
}

/// The share of a stretch that each span of a track covers.
std::vector<double> shares_of(const Trace& trace, std::uint32_t track, const Gap& gap) {
  std::vector<double> shares;
  for (const bytepack::SpanRecord& span : spans_of(trace, track)) {
    const double inside =
        std::min(span.end(), gap.end) - std::max(static_cast<double>(span.start), gap.begin);
    shares.push_back(std::max(inside / gap.length(), 0.0));
  }
  return shares;
}

/// What gap_context() promises of one track, span by span: the share of the deepest that covers
/// half, else the largest share. 0 where none has any.
double plain_share(const Trace& trace, std::uint32_t track, const Gap& gap) {
  const std::vector<double> shares = shares_of(trace, track, gap);
  const trace::SpanIndex& index = *trace.tracks[track].spans;
  double most = 0;
  for (std::uint32_t lane = index.lane_count; lane-- > 0;) {
    double of_lane = 0;
    for (std::uint32_t i = 0; i < shares.size(); ++i) {
      if (index.lane(i) == lane) of_lane = std::max(of_lane, shares[i]);
    }
    if (of_lane >= 0.5) return of_lane;
    most = std::max(most, of_lane);
  }
  return most;
}

TEST(GapContext, IsThatOfBruteForceInRandomTraces) {
  std::mt19937 random(20);
  const auto below = [&random](std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  int met = 0;
  for (int round = 0; round < 60; ++round) {
    bytepack::TraceDescription description;
    description.tracks = {{"AMD", bytepack::TrackKind::spans, {{"E", 0, 1, "{}"}}},
                          {"TINY", bytepack::TrackKind::spans, {}},
                          {"USER", bytepack::TrackKind::spans, {}}};
    for (const std::size_t track : {1U, 2U}) {
      std::uint32_t start = 0;
      const std::uint32_t pace = 2 + below(40);
      for (int i = 0; i < 700; ++i) {
        start += below(pace);
        const auto longest = below(50) == 0 ? 3000U : 30U;
        description.tracks[track].spans.push_back(
            {"host", start, static_cast<float>(below(longest)), "{}"});
      }
    }
    const auto trace = tests::load_description(description);
    ASSERT_TRUE(trace);
    io::PageReader reader(trace->file);
    const auto begin = static_cast<double>(below(3000));
    const Gap gap{0, begin, begin + 1 + static_cast<double>(below(4000)), 0, 0, false};
    const GapContext context = gap_context(*trace, reader, gap);
    for (const auto& [track, company] :
         {std::pair{1U, context.compiler}, std::pair{2U, context.host}}) {
      const double expected = plain_share(*trace, track, gap);
      ASSERT_EQ(company.has_value(), expected > 0) << round;
      if (!company) continue;
      ++met;
      EXPECT_DOUBLE_EQ(company->share, expected) << round;
      EXPECT_DOUBLE_EQ(shares_of(*trace, track, gap)[company->span.record], expected) << round;
    }
  }
  EXPECT_GT(met, 60);
}

TEST(RangeFacts, TellBusySharesAndMemoryAtBothEnds) {
  const auto trace = tests::load_description(tests::varied_trace('L'));
  ASSERT_TRUE(trace);
  const auto facts = range_facts(*trace, {2'000, 6'000}, never);
  ASSERT_TRUE(facts);
  ASSERT_EQ(facts->tracks.size(), trace->tracks.size());
  EXPECT_DOUBLE_EQ(*facts->tracks[0].busy_share, 3.5 / 4);
  EXPECT_EQ(*facts->tracks[1].busy_share, 1);
  EXPECT_FALSE(facts->tracks[0].begin_bytes);
  EXPECT_EQ(facts->tracks[2].begin_bytes, 400U);  // 100 floats
  EXPECT_EQ(facts->tracks[2].end_bytes, 50U);     // freed at 5, 50 bytes since 3
  EXPECT_EQ(facts->bytes_change(), -350);
}

}  // namespace
}  // namespace bytescope::query
