#include "tests/app/answers_test.h"

#include <cmath>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/query/memory_curve.h"
#include "core/trace/ansi.h"

namespace bytescope::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using tests::answer_to;
using tests::Answers;
using tests::answers_to;
using tests::plain_kernels;

TEST(AnswerTabs, StandInTheOrderOfTheirKindsWithIdsOfTheirOwn) {
  std::set<std::string> ids;
  ASSERT_EQ(answer_tabs().size(), answer_kind_count);
  for (std::size_t i = 0; i < answer_kind_count; ++i) {
    const AnswerTab& tab = answer_tabs()[i];
    EXPECT_EQ(static_cast<std::size_t>(tab.kind), i);
    EXPECT_EQ(answer_tab_named(tab.id), &tab);
    EXPECT_LE(tab.choices.size(), most_choices);
    ids.insert(tab.id);
  }
  EXPECT_EQ(ids.size(), answer_kind_count);
  EXPECT_EQ(answer_tab_named("nothing"), nullptr);
}

TEST_F(AnswersTest, StatisticsAreEstimatedFirstThenExact) {
  const Answers all = answers_to(request(AnswerKind::statistics));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_FALSE(all[0]->complete);
  EXPECT_TRUE(all[1]->complete);
  EXPECT_LT(all[0]->version, all[1]->version);
  const Answer& exact = *all[1];
  EXPECT_EQ(exact.headline, "53 spans, 15.2 ms in all");
  EXPECT_EQ(column(exact, 0)[0], "E_4");
  EXPECT_THAT(numbers(exact, 1), ElementsAre(1, 10, 10, 10, 10, 10, 2));
  EXPECT_THAT(numbers(exact, 2), ElementsAre(9000, 1200, 1200, 1200, 1200, 1200, 160));
  EXPECT_EQ(exact.table.share(0), 1);
  EXPECT_NEAR(exact.table.share(1), 1200.0 / 9000, 1e-9);
  EXPECT_EQ(target(exact, 0), span(2, 0));
  EXPECT_EQ(target(exact, 1), span(device, 0)) << "the first of the longest r_0";
}

TEST_F(AnswersTest, StatisticsOfARangeSayHowManySpansWereCut) {
  const auto found = answer_to(within(AnswerKind::statistics, 100 * us, 260 * us));
  std::map<std::string, double> totals;
  for (std::size_t row = 0; row < found->table.row_count; ++row)
    totals[found->table.text(row, 0)] = found->table.number(row, 2);
  EXPECT_EQ(totals, (std::map<std::string, double>{{"E_4", 160}, {"r_0", 20}, {"r_1", 60}}));
  EXPECT_THAT(found->notice, HasSubstr("3 spans cross an end"));
}

TEST_F(AnswersTest, StatisticsGroupByTrackToo) {
  AnswerRequest asked = request(AnswerKind::statistics);
  asked.choices = {0, 3, 0};
  EXPECT_THAT(column(*answer_to(asked), 0), ElementsAre("AMD:1", "AMD", "AMD:SDMA:0"));
  asked.choices = {0, 2, 0};
  EXPECT_THAT(column(*answer_to(asked), 0), testing::Contains(HasSubstr("r_0  \u00B7  AMD")));
}

TEST_F(AnswersTest, EmptyColumnsAreLeftOut) {
  const auto found = answer_to(request(AnswerKind::statistics));
  for (const TableColumn& shown : found->table.columns) EXPECT_NE(shown.title, "FLOPS");
}

TEST_F(AnswersTest, CompareTellsEveryKernelOfBothSides) {
  AnswerRequest asked = within(AnswerKind::compare, 200 * us, 400 * us);
  asked.other_range = {0, 200 * us};
  const auto found = answer_to(asked);
  std::map<std::string, double> changes;
  for (std::size_t row = 0; row < found->table.row_count; ++row)
    changes[found->table.text(row, 0)] = found->table.number(row, 5);
  EXPECT_EQ(
      changes,
      (std::map<std::string, double>{
          {"E_4", 100}, {"gone  r_0", -120}, {"new  r_1", 120}, {"new  1.00 MB, AMD <- CPU", 80}}));
  for (std::size_t row = 1; row < found->table.row_count; ++row)
    EXPECT_GE(std::abs(found->table.number(row - 1, 5)), std::abs(found->table.number(row, 5)));
  for (std::size_t row = 0; row < found->table.row_count; ++row) {
    if (found->table.text(row, 0) == "gone  r_0") {
      EXPECT_EQ(target(*found, row), span(device, 0));
      EXPECT_EQ(found->table.text(row, 4), "\u2013");
      EXPECT_EQ(found->table.text(row, 5), "\u2212120 \u00B5s");
    }
    if (found->table.text(row, 0) == "E_4") {
      EXPECT_EQ(found->table.number(row, 8),
                found->table.number(row, 7) - found->table.number(row, 6));
      EXPECT_THAT(found->table.text(row, 8), testing::StartsWith("+"));
    } else {
      EXPECT_EQ(found->table.text(row, 8), "\u2013") << "a side has no mean";
    }
    if (found->table.text(row, 0) == "new  r_1") {
      EXPECT_EQ(target(*found, row), span(device, 1));
    }
  }
}

TEST_F(AnswersTest, CompareAsksForTwoStretches) {
  const auto found = answer_to(request(AnswerKind::compare));
  EXPECT_EQ(found->table.row_count, 0U);
  EXPECT_THAT(found->notice, HasSubstr("Choose two stretches"));
}

TEST_F(AnswersTest, GapsLeadToTheirStretchAndTellTheirNeighbours) {
  const auto found = answer_to(request(AnswerKind::gaps));
  ASSERT_EQ(found->table.row_count, plain_kernels - 1);
  for (std::size_t row = 0; row < found->table.row_count; ++row) {
    const auto begin = static_cast<std::int64_t>(120 + 200 * row) * us;
    EXPECT_EQ(target(*found, row), RowTarget(query::TimeRange{begin, begin + 80 * us}));
    EXPECT_EQ(found->table.text(row, 3), fmt::format("r_{}", row % 5));
    EXPECT_EQ(found->table.text(row, 4), fmt::format("r_{}", (row + 1) % 5));
    EXPECT_EQ(trace::plain_text(found->table.text(row, 5)), "half 100%");
  }
  EXPECT_THAT(found->headline, StartsWith("49 gaps on 2 devices, 3.92 ms idle"));
  EXPECT_THAT(found->notice, HasSubstr("below the file's resolution"));
}

TEST_F(AnswersTest, GapsHaveALeastLengthAndARange) {
  AnswerRequest asked = request(AnswerKind::gaps);
  asked.choices[1] = 2;
  EXPECT_EQ(answer_to(asked)->table.row_count, 0U);
  EXPECT_EQ(answer_to(within(AnswerKind::gaps, 1 * ms, 2100 * us))->table.row_count, 5U);
}

TEST_F(AnswersTest, StepsAreSlowestFirst) {
  const auto found = answer_to(request(AnswerKind::steps));
  EXPECT_THAT(column(*found, 0),
              ElementsAre(HasSubstr("step 2"), HasSubstr("step 1"), HasSubstr("step 0")));
  EXPECT_THAT(numbers(*found, 1), ElementsAre(4000, 3000, 2000));
  EXPECT_EQ(target(*found, 0), RowTarget(query::TimeRange{6 * ms, 10 * ms}));
  EXPECT_EQ(target(*found, 2), RowTarget(query::TimeRange{1 * ms, 3 * ms}));
  EXPECT_THAT(found->headline, HasSubstr("3 steps, slowest step 2"));
  EXPECT_THAT(found->notice, HasSubstr("to the end of the trace"));
  EXPECT_EQ(found->table.number(2, 7), 0.6) << "AMD in step 0";
  EXPECT_THAT(found->table.text(0, 0), HasSubstr("to the end of the trace"));
  EXPECT_THAT(found->table.text(2, 0), testing::Not(HasSubstr("to the end of the trace")));
  const trace::MemoryIndex& index = *found->request.trace->tracks[3].memory;
  const auto live = [&](std::int64_t ns) {
    const trace::LifetimeBytes bytes =
        query::live_bytes_at(index, static_cast<std::uint32_t>(ns / 1000));
    return static_cast<double>(bytes[0] + bytes[1] + bytes[2]);
  };
  for (std::size_t row = 0; row < found->table.row_count; ++row) {
    const auto step = std::get<query::TimeRange>(target(*found, row));
    EXPECT_EQ(found->table.number(row, 6), live(step.end_ns) - live(step.begin_ns)) << row;
  }
}

TEST_F(AnswersTest, CopiesTellRoutesAndWhatIsExposed) {
  AnswerRequest asked = request(AnswerKind::copies);
  const auto routes = answer_to(asked);
  EXPECT_THAT(column(*routes, 0), ElementsAre("CPU \u2192 AMD"));
  EXPECT_EQ(routes->table.number(0, 1), 2);
  EXPECT_EQ(routes->table.number(0, 2), 160);
  EXPECT_EQ(routes->table.number(0, 3), 2.0 * 1048576);
  asked.choices[1] = 1;
  const auto exposed = answer_to(asked);
  EXPECT_THAT(column(*exposed, 0), ElementsAre("AMD"));
  EXPECT_EQ(exposed->table.number(0, 2), 160);
  EXPECT_EQ(std::get<query::TimeRange>(target(*exposed, 0)), (query::TimeRange{320'000, 400'000}));
  EXPECT_EQ(answer_to(within(AnswerKind::copies, 6 * ms, 7 * ms))->notice,
            "There are no copies here.");
}

TEST_F(AnswersTest, RangesListTheMeasuredOneBeforeTheKept) {
  AnswerRequest asked = within(AnswerKind::ranges, 1 * ms, 3 * ms);
  asked.notes.ranges = {{{5 * ms, 6 * ms}, "kept"}};
  const auto found = answer_to(asked);
  EXPECT_THAT(column(*found, 0), ElementsAre("measured", "kept"));
  EXPECT_EQ(target(*found, 1), RowTarget(query::TimeRange{5 * ms, 6 * ms}));
  EXPECT_EQ(found->note_of_row(0), std::nullopt);
  EXPECT_EQ(found->note_of_row(1), 0U);
  EXPECT_EQ(found->table.number(0, 6), 10e6) << "ten buffers more";
  asked.whole = true;
  EXPECT_EQ(answer_to(asked)->note_of_row(0), 0U);
}

TEST_F(AnswersTest, MarkersListTheFilesAndOnesOwnByTime) {
  AnswerRequest asked = request(AnswerKind::markers);
  asked.notes.markers = {{2 * ms, "mine"}, {3 * ms, "at step 1"}};
  const auto found = answer_to(asked);
  EXPECT_THAT(column(*found, 0),
              ElementsAre("step 0", "mine", "step 1", "at step 1", "note", "step 2"));
  EXPECT_THAT(column(*found, 2),
              ElementsAre("the file", "you", "the file", "you", "the file", "the file"));
  EXPECT_EQ(found->note_of_row(2), std::nullopt) << "the file's, though at the time of an own one";
  EXPECT_EQ(found->note_of_row(3), 1U);
  EXPECT_EQ(target(*found, 1), RowTarget(2 * ms));
}

TEST(InstructionsAnswer, CountsExecutionsAndLeadsThereAndBack) {
  bytepack::TraceDescription description;
  description.more_json = R"("pcMap": {"256": "s_nop", "264": "v_add", "272": "s_end"})";
  bytepack::TrackDescription wave;
  wave.name = "WAVE:0";
  wave.spans = {{"SALU", 0, 4.0F, R"({"pc": 256})"},
                {"VALU", 10, 6.0F, R"({"pc": 264})"},
                {"VALU", 20, 10.0F, R"({"pc": 264})"},
                {"VALU", 40, 1.0F, "{}"}};
  description.tracks = {wave};
  AnswerRequest asked;
  asked.kind = AnswerKind::instructions;
  asked.trace = tests::load_description(description);
  EXPECT_TRUE(answer_tab(asked.kind).makes_sense(*asked.trace));
  const auto found = answer_to(asked);
  io::PageReader reader(asked.trace->file);
  EXPECT_THAT(column(*found, 0), ElementsAre("s_nop", "v_add", "s_end"));
  EXPECT_THAT(column(*found, 1), ElementsAre("0x100", "0x108", "0x110"));
  EXPECT_THAT(numbers(*found, 2), ElementsAre(1, 2, 0));
  EXPECT_EQ(found->table.number(1, 3), 16);
  EXPECT_EQ(found->table.number(1, 4), 8);
  EXPECT_EQ(found->table.text(2, 4), "") << "never executed";
  EXPECT_EQ(found->target(1, reader), RowTarget(span_selection(*asked.trace, reader, 0, 1)));
  EXPECT_EQ(found->target(2, reader), RowTarget());
  EXPECT_EQ(found->row_of_span(0, 2, reader), 1U);
  EXPECT_EQ(found->row_of_span(0, 3, reader), std::nullopt);
}

}  // namespace
}  // namespace bytescope::app
