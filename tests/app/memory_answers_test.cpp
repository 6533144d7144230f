#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/answers_test.h"

namespace bytescope::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::answer_to;

TEST_F(AnswersTest, LiveBuffersAreThoseOfThePeakAndLeadToThem) {
  const auto found = answer_to(request(AnswerKind::live));
  EXPECT_THAT(found->headline, HasSubstr("40.0 MB in 40 buffers live at the peak"));
  ASSERT_EQ(found->table.row_count, 40U);
  EXPECT_THAT(found->notice, IsEmpty());
  std::set<std::uint32_t> seen;
  for (std::size_t row = 0; row < 40; ++row) {
    const auto selection = std::get<Selection>(target(*found, row));
    EXPECT_EQ(selection, buffer_selection(*trace, memory, selection.number));
    EXPECT_EQ(found->table.number(row, 4) * 1000, static_cast<double>(selection.begin_ns));
    EXPECT_EQ(found->table.text(row, 0), "float");
    EXPECT_EQ(found->table.text(row, 6),
              fmt::format("r_{}", static_cast<int>(found->table.number(row, 7)) % 5));
    seen.insert(selection.number);
  }
  EXPECT_EQ(seen.size(), 40U);
}

TEST_F(AnswersTest, LiveBuffersAreGrouped) {
  AnswerRequest asked = request(AnswerKind::live);
  asked.choices[1] = 1;
  const auto by_type = answer_to(asked);
  EXPECT_THAT(numbers(*by_type, 1), ElementsAre(40));
  EXPECT_EQ(std::get<Selection>(target(*by_type, 0)).track, memory);
  asked.choices[1] = 2;
  const auto by_writer = answer_to(asked);
  EXPECT_THAT(column(*by_writer, 0), ElementsAre("r_0", "r_1", "r_2", "r_3", "r_4"));
  EXPECT_THAT(numbers(*by_writer, 1), testing::Each(8));
  asked.choices[1] = 3;
  const auto by_lifetime = answer_to(asked);
  EXPECT_THAT(column(*by_lifetime, 0), testing::UnorderedElementsAre("long-lived", "transient"));
  EXPECT_EQ(by_lifetime->table.number(0, 1) + by_lifetime->table.number(1, 1), 40);
}

TEST_F(AnswersTest, LiveBuffersAtAnInstantAndOfARange) {
  AnswerRequest asked = request(AnswerKind::live);
  asked.choices[0] = 1;
  EXPECT_THAT(answer_to(asked)->notice, HasSubstr("press L"));
  asked.time_ns = 1 * ms;
  EXPECT_EQ(answer_to(asked)->table.row_count, 6U);
  asked.time_ns = -5;
  EXPECT_EQ(answer_to(asked)->table.row_count, 1U) << "a pointer left of the trace means its begin";
  AnswerRequest range = within(AnswerKind::live, 1 * ms, 2 * ms);
  range.choices[0] = 2;
  const auto found = answer_to(range);
  EXPECT_EQ(found->table.row_count, 5U);
  EXPECT_THAT(found->headline, HasSubstr("allocated in the range"));
  range.whole = true;
  EXPECT_THAT(answer_to(range)->notice, HasSubstr("Measure a range"));
}

TEST_F(AnswersTest, AMemoryTrackThatIsNotThereIsTheLastOne) {
  AnswerRequest asked = request(AnswerKind::live);
  asked.choices[2] = 200;
  EXPECT_EQ(answer_to(asked)->table.row_count, 40U);
}

TEST_F(AnswersTest, PeaksLeadToTheirInstant) {
  const auto found = answer_to(request(AnswerKind::peaks));
  EXPECT_THAT(column(*found, 0), ElementsAre("AMD Memory"));
  EXPECT_EQ(found->table.number(0, 1), 40e6);
  EXPECT_EQ(target(*found, 0), RowTarget(7800 * us));
}

}  // namespace
}  // namespace bytescope::app
