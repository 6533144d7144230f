#include "core/query/visible.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random_spans.h"
#include "tests/support/shape_name.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using tests::SpanShape;
using trace::Category;
using trace::SpanBlock;
using trace::Trace;

/// What a column shows, found by looking at every span of the lane.
struct PlainColumn {
  std::uint32_t count = 0;
  float longest = -1;
  std::uint32_t record = 0;
  trace::Style style;
  double covered = 0;
  double reduce = 0;
  double elementwise = 0;
};

double end_of(const Columns& columns, std::uint32_t c) { return columns.ns_per_column * (c + 1.0); }

/// Length of the part of [begin, end) inside column c, relative to the window.
double part_in(const Columns& columns, std::uint32_t c, double begin, double end) {
  return std::max(0.0,
                  std::min(end, end_of(columns, c)) - std::max(begin, columns.ns_per_column * c));
}

std::vector<PlainColumn> brute_force(const Trace& trace, std::uint32_t lane,
                                     const Columns& columns) {
  std::vector<PlainColumn> cells(columns.count);
  io::PageReader reader(trace.file);
  double furthest = -1e300;
  for (std::uint32_t i = 0; i < trace.tracks[0].head.count; ++i) {
    if (trace.tracks[0].spans->lane(i) != lane) continue;
    const bytepack::SpanRecord span = trace.span(reader, 0, i);
    const auto start = static_cast<double>(std::int64_t{span.start} * 1000 - columns.begin_ns);
    const double end = start + static_cast<double>(span.duration) * 1000;
    const double fresh = std::max(start, furthest);
    furthest = std::max(furthest, end);
    const trace::Style style = trace.style(reader, 0, i);
    for (std::uint32_t c = 0; c < columns.count; ++c) {
      const double begin_of_column = columns.ns_per_column * c;
      if (start >= end_of(columns, c) || (end <= begin_of_column && start < begin_of_column))
        continue;
      PlainColumn& cell = cells[c];
      ++cell.count;
      const double covered = part_in(columns, c, fresh, std::max(end, fresh));
      cell.covered += covered;
      if (style.category() == Category::reduce) cell.reduce += covered;
      if (style.category() == Category::elementwise) cell.elementwise += covered;
      if (span.duration > cell.longest) {
        cell.longest = span.duration;
        cell.record = i;
        cell.style = style;
      }
    }
  }
  return cells;
}

/// A block that the query takes whole, and where it lies relative to the window.
struct TakenBlock {
  double start = 0;
  double end = 0;
  double covered = 0;
  bool touches(const Columns& columns, std::uint32_t c) const {
    const double begin_of_column = columns.ns_per_column * c;
    return start < end_of(columns, c) && (end > begin_of_column || start >= begin_of_column);
  }
  bool straddles(double edge) const { return start < edge && end > edge; }
};

/// The blocks no wider than a column whose parents are wider.
std::vector<TakenBlock> taken_blocks(const trace::LaneIndex& lane, const Columns& columns) {
  std::vector<TakenBlock> taken;
  for (std::size_t level = 0; level < lane.levels.size(); ++level) {
    for (std::size_t i = 0; i < lane.levels[level].size(); ++i) {
      const SpanBlock& block = lane.levels[level][i];
      const auto is_narrow = [&](const SpanBlock& b) {
        return static_cast<double>(b.extent) * 1000 <= columns.ns_per_column;
      };
      const bool has_narrow_parent =
          level + 1 < lane.levels.size() &&
          is_narrow(lane.levels[level + 1][i / trace::LaneIndex::fanout]);
      if (!is_narrow(block) || has_narrow_parent) continue;
      const auto start = static_cast<double>(std::int64_t{block.start} * 1000 - columns.begin_ns);
      taken.push_back({start, start + static_cast<double>(block.extent) * 1000,
                       static_cast<double>(block.covered) * 1000});
    }
  }
  return taken;
}

/// Runs in order, disjoint, inside the window, and each with something in it.
void expect_well_formed(const std::vector<VisibleRun>& runs, const Columns& columns) {
  std::uint32_t last = 0;
  for (const VisibleRun& run : runs) {
    ASSERT_GE(run.begin_column, last);
    ASSERT_GT(run.end_column, run.begin_column);
    ASSERT_LE(run.end_column, columns.count);
    ASSERT_GT(run.count, 0U);
    ASSERT_GE(run.busy, 0.0F);
    ASSERT_LE(run.busy, 1.0F);
    ASSERT_LE(run.reduce + run.elementwise, run.busy * 1.0001F + 1e-6F);
    last = run.end_column;
  }
}

/// Mean over the columns of a run.
template <class Member>
double mean(const std::vector<PlainColumn>& cells, const VisibleRun& run, Member member) {
  double sum = 0;
  for (std::uint32_t c = run.begin_column; c < run.end_column; ++c) sum += cells[c].*member;
  return sum / (run.end_column - run.begin_column);
}

/// Everything where all records were read.
void expect_exact(const std::vector<VisibleRun>& runs, const std::vector<PlainColumn>& cells,
                  const Columns& columns) {
  std::vector<bool> shown(cells.size());
  for (const VisibleRun& run : runs) {
    std::uint32_t most = 0;
    for (std::uint32_t c = run.begin_column; c < run.end_column; ++c) {
      shown[c] = true;
      most = std::max(most, cells[c].count);
      ASSERT_EQ(run.style, cells[c].style);
      if (run.dense()) {
        ASSERT_EQ(run.record, VisibleRun::unknown);
        ASSERT_EQ(run.count, cells[c].count);
      } else {
        ASSERT_EQ(run.record, cells[c].record) << "column " << c;
      }
    }
    ASSERT_EQ(run.count, most);
    const double width = columns.ns_per_column;
    ASSERT_NEAR(run.busy, mean(cells, run, &PlainColumn::covered) / width, 1e-6);
    ASSERT_NEAR(run.reduce, mean(cells, run, &PlainColumn::reduce) / width, 1e-6);
    ASSERT_NEAR(run.elementwise, mean(cells, run, &PlainColumn::elementwise) / width, 1e-6);
  }
  for (std::size_t c = 0; c < cells.size(); ++c) ASSERT_EQ(shown[c], cells[c].count > 0) << c;
}

/// What holds where blocks were taken whole.
void expect_close(const std::vector<VisibleRun>& runs, const std::vector<PlainColumn>& cells,
                  const std::vector<TakenBlock>& taken, const Columns& columns) {
  std::vector<const VisibleRun*> shown(cells.size(), nullptr);
  for (const VisibleRun& run : runs) {
    for (std::uint32_t c = run.begin_column; c < run.end_column; ++c) shown[c] = &run;
  }
  double total = 0;
  double true_total = 0;
  for (std::uint32_t c = 0; c < cells.size(); ++c) {
    const double begin = columns.ns_per_column * c;
    const double end = end_of(columns, c);
    double allowed = columns.ns_per_column * 1e-5;
    bool has_edge_block = false;
    for (const TakenBlock& block : taken) {
      if (!block.straddles(begin) && !block.straddles(end)) continue;
      has_edge_block = true;
      allowed += block.covered;
    }
    true_total += cells[c].covered;
    if (shown[c] == nullptr) {
      ASSERT_EQ(cells[c].count, 0U) << "touched column " << c << " is missing";
      continue;
    }
    total += static_cast<double>(shown[c]->busy) * columns.ns_per_column;
    if (cells[c].count == 0) {
      ASSERT_TRUE(std::any_of(taken.begin(), taken.end(),
                              [&](const TakenBlock& block) { return block.touches(columns, c); }))
          << "nothing touches column " << c;
    }
    if (shown[c]->end_column - shown[c]->begin_column > 1) continue;  // a mean over columns
    ASSERT_NEAR(shown[c]->busy * columns.ns_per_column, cells[c].covered, allowed) << c;
    if (has_edge_block) continue;
    ASSERT_EQ(shown[c]->count, cells[c].count) << c;
    ASSERT_EQ(shown[c]->style, cells[c].style) << c;
  }
  double allowed = columns.ns_per_column * 1e-5 * static_cast<double>(cells.size());
  for (const TakenBlock& block : taken) {
    const double window = columns.ns_per_column * columns.count;
    if (block.straddles(0) || block.straddles(window)) allowed += block.covered;
  }
  ASSERT_NEAR(total, true_total, allowed);
}

/// Compares one view with the truth, with a reader and without.
void compare(const Trace& trace, std::uint32_t lane, const Columns& columns) {
  const std::vector<PlainColumn> cells = brute_force(trace, lane, columns);
  const trace::LaneIndex& index = trace.tracks[0].spans->lanes[lane];
  const std::vector<TakenBlock> taken = taken_blocks(index, columns);
  io::PageReader reader(trace.file);
  std::vector<VisibleRun> runs;
  append_visible(trace, 0, lane, columns, &reader, runs);
  expect_well_formed(runs, columns);
  if (testing::Test::HasFatalFailure()) return;
  if (taken.empty()) {
    expect_exact(runs, cells, columns);
  } else {
    expect_close(runs, cells, taken, columns);
  }
  if (testing::Test::HasFatalFailure()) return;
  runs.clear();
  append_visible(trace, 0, lane, columns, nullptr, runs);
  expect_well_formed(runs, columns);
  std::vector<bool> shown(columns.count);
  for (const VisibleRun& run : runs) {
    for (std::uint32_t c = run.begin_column; c < run.end_column; ++c) shown[c] = true;
  }
  for (std::uint32_t c = 0; c < columns.count; ++c)
    ASSERT_TRUE(shown[c] || cells[c].count == 0) << "without a reader column " << c << " is lost";
}

/// Compares views of every lane (at most the first ten) at many zooms and places. The widths of
/// columns have few digits, so that no edge is rounded.
void compare_views(const Trace& trace) {
  const std::int64_t begin = [&] {
    io::PageReader reader(trace.file);
    return trace::ns_from_unit(trace.span(reader, 0, 0).start);
  }();
  const std::int64_t end = trace::ns_from_unit(trace.frame.duration_us);
  const std::uint32_t lanes = std::min(trace.tracks[0].spans->lane_count, 10U);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    for (double ns = 0.125; ns < static_cast<double>(end - begin) * 2; ns *= 12) {
      const auto window = static_cast<std::int64_t>(ns * 61);
      for (const std::int64_t at : {begin - window / 2, begin, begin + (end - begin) / 3,
                                    begin + (end - begin) / 2 + 123, end - window / 2}) {
        SCOPED_TRACE("lane " + std::to_string(lane) + " at " + std::to_string(at) + " ns, " +
                     std::to_string(ns) + " ns per column");
        compare(trace, lane, {at, ns, 61});
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

class VisibleOfShape : public testing::TestWithParam<SpanShape> {};

}  // namespace

TEST_P(VisibleOfShape, EqualsLookingAtEverySpan) {
  const auto trace =
      tests::load_description(tests::one_track(tests::random_spans(GetParam(), 900, 1)));
  ASSERT_NE(trace, nullptr);
  compare_views(*trace);
}

TEST_P(VisibleOfShape, EqualsLookingAtEverySpanInTheLanesOfTheFile) {
  const auto spans = tests::random_spans(GetParam(), 300, 2, "");
  const auto trace = tests::load_description(tests::one_track(spans), 'A');
  ASSERT_NE(trace, nullptr);
  compare_views(*trace);
}

TEST_P(VisibleOfShape, EqualsLookingAtEverySpanWhereTheyOverlapInOneLane) {
  const auto spans = tests::random_spans(GetParam(), 300, 3, "");
  const auto trace = tests::load_bytes(tests::encode_in_one_lane(spans));
  ASSERT_TRUE(trace) << text(trace.error());
  ASSERT_EQ((*trace)->tracks[0].spans->lane_count, 1U);
  compare_views(**trace);
}

TEST_P(VisibleOfShape, StaysExactLateInALongTrace) {
  const std::uint32_t late = 4'200'000'000;
  auto spans = tests::random_spans(GetParam(), 60, 4, "{}", late);
  spans.insert(spans.begin(), {"first", 0, 1, "{}"});
  for (const bytepack::SpanDescription& span : spans) ASSERT_LT(span.start, UINT32_MAX);
  const auto trace = tests::load_description(tests::one_track(spans));
  ASSERT_NE(trace, nullptr);
  io::PageReader reader(trace->file);
  for (std::uint32_t i = 1; i < spans.size(); i += 7) {
    const std::int64_t start = trace::ns_from_unit(spans[i].start);
    const auto end = start + static_cast<std::int64_t>(spans[i].duration * 1000);
    for (const std::int64_t edge : {start, end}) {
      SCOPED_TRACE(edge);
      compare(*trace, trace->tracks[0].spans->lane(i), {edge - 10, 0.125, 200});
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, VisibleOfShape, testing::ValuesIn(tests::span_shapes()),
                         tests::shape_name);

TEST(Visible, ShowsEdgesToATenthOfANanosecondAfterSeventyMinutes) {
  const std::uint32_t late = 4'259'000'001;
  const auto trace = tests::load_description(
      tests::one_track({{"first", 0, 1, "{}"}, {"r_1", late, 0.0625F, "{}"}}));
  ASSERT_NE(trace, nullptr);
  io::PageReader reader(trace->file);
  std::vector<VisibleRun> runs;
  append_visible(*trace, 0, 0, {trace::ns_from_unit(late) - 5, 0.1, 1920}, &reader, runs);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].begin_column, 50U);
  EXPECT_EQ(runs[0].end_column, 675U);
  EXPECT_EQ(runs[0].record, 1U);
}

TEST(Visible, AddsRunsBehindWhatIsThere) {
  const auto trace = tests::load_description(tests::one_track({{"r_1", 0, 2, "{}"}}));
  io::PageReader reader(trace->file);
  std::vector<VisibleRun> runs;
  append_visible(*trace, 0, 0, {0, 1000, 2}, &reader, runs);
  append_visible(*trace, 0, 0, {0, 1000, 2}, &reader, runs);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1].begin_column, 0U);
  append_visible(*trace, 0, 0, {0, 1000, 0}, &reader, runs);
  append_visible(*trace, 0, 7, {0, 1000, 2}, &reader, runs);
  EXPECT_EQ(runs.size(), 2U);
}

TEST(Visible, ShowsTheFirstOfEquallyLongSpans) {
  const auto trace = tests::load_description(
      tests::one_track({{"E_1", 1, 0.5F, "{}"}, {"r_1", 1, 0.5F, "{}"}, {"r_2", 1, 0.25F, "{}"}}));
  io::PageReader reader(trace->file);
  std::vector<VisibleRun> runs;
  append_visible(*trace, 0, 0, {0, 2000, 1}, nullptr, runs);
  append_visible(*trace, 0, 0, {1000, 100, 1}, &reader, runs);
  ASSERT_EQ(runs.size(), 2U);
  for (const VisibleRun& run : runs) EXPECT_EQ(run.style.category(), Category::elementwise);
  EXPECT_EQ(runs[1].record, 0U);
}

/// Even a giant at the start of a lane must not make every later view look at all blocks: pages
/// that were read tell.
TEST(Visible, LooksOnlyAtBlocksInViewBesideAGiantInTheSameLane) {
  const std::uint32_t count = 20'000;
  const auto spans = tests::random_spans(SpanShape::giant_over_all, count, 5, "");
  const auto trace = tests::load_bytes(tests::encode_in_one_lane(spans));
  ASSERT_TRUE(trace) << text(trace.error());
  const auto& blocks = (*trace)->tracks[0].spans->lanes[0].levels[0];
  const auto wide = std::count_if(blocks.begin(), blocks.end(),
                                  [](const SpanBlock& block) { return block.extent > 1000; });
  EXPECT_EQ(wide, 1);
}

}  // namespace bytescope::query
