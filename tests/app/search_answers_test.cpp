#include <cmath>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/answers_test.h"

namespace bytescope::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::answer_to;

TEST_F(AnswersTest, SearchListsHitsInTimeAndLeadsToThem) {
  const auto found = searched("r_3");
  EXPECT_TRUE(found->complete);
  EXPECT_EQ(found->headline, "10 hits");
  EXPECT_THAT(found->notice, HasSubstr("AMD 10"));
  EXPECT_THAT(column(*found, 0), testing::Each("r_3"));
  EXPECT_THAT(column(*found, 3), testing::Each("AMD"));
  ASSERT_EQ(found->table.row_count, 10U);
  for (std::uint32_t i = 0; i < 10; ++i) {
    EXPECT_EQ(target(*found, i), span(device, 3 + 5 * i));
    EXPECT_EQ(found->table.number(i, 1), (3 + 5 * i) * 200);
    EXPECT_EQ(found->table.number(i, 2), 120);
  }
}

TEST_F(AnswersTest, SearchFindsMarkersWhichLeadToTheirTime) {
  const auto found = searched("STEP");
  EXPECT_THAT(column(*found, 0), ElementsAre("step 0", "step 1", "step 2"));
  EXPECT_THAT(column(*found, 3), testing::Each("marker"));
  EXPECT_THAT(column(*found, 2), testing::Each(""));
  EXPECT_TRUE(std::isnan(found->table.number(0, 2))) << "a marker has no duration";
  EXPECT_EQ(target(*found, 1), RowTarget(3 * ms));
}

TEST_F(AnswersTest, SearchSaysWhatItWantsAndWhatItCannotRead) {
  const auto nothing = searched("");
  EXPECT_EQ(nothing->table.row_count, 0U);
  EXPECT_FALSE(nothing->notice.empty());
  EXPECT_TRUE(nothing->error.empty());
  const auto broken = searched("/(/");
  EXPECT_FALSE(broken->error.empty());
  EXPECT_EQ(broken->table.row_count, 0U);
  const auto missing = searched("no such kernel");
  EXPECT_EQ(missing->headline, "0 hits");
  EXPECT_TRUE(missing->complete);
}

TEST_F(AnswersTest, ANarrowerSearchFindsTheSame) {
  AnswerRequest asked = request(AnswerKind::search);
  asked.text = "r_3 dur>100us";
  asked.known_search = searched("r_3")->search;
  const auto found = answer_to(asked);
  EXPECT_EQ(found->table.row_count, 10U);
  EXPECT_EQ(found->request.known_search, nullptr) << "else all searches would stay in memory";
}

TEST(ManyHits, AreListedByTimeAndByDuration) {
  std::vector<bytepack::SpanDescription> spans;
  for (std::uint32_t i = 0; i < 7000; ++i)
    spans.push_back({"E", i * 100, static_cast<float>(i % 70 + 1), "{}"});
  spans[6500].duration = 99;
  const auto trace = tests::load_description(tests::one_track(std::move(spans)));
  ASSERT_TRUE(trace);
  AnswerRequest request;
  request.kind = AnswerKind::search;
  request.trace = trace;
  request.text = "E";
  const auto found = answer_to(request);
  TableView view;
  view.follow(found->table, 1);
  ASSERT_EQ(view.order().size(), 5000U);
  EXPECT_EQ(found->table.number(view.order().back(), 1), 499'900) << "the first 5,000 in time";
  constexpr std::size_t duration = 2;
  view.sort_by(found->table, duration);
  view.follow(found->table, 1);
  ASSERT_EQ(view.order().size(), 5000U);
  EXPECT_EQ(found->table.number(view.order()[0], duration), 99);
  EXPECT_EQ(found->table.number(view.order()[100], duration), 70) << "all of the second longest";
  const auto target =
      found->target(view.order()[0], *std::make_unique<io::PageReader>(trace->file));
  EXPECT_EQ(std::get<Selection>(target).number, 6500U);
  view.sort_by(found->table, duration);
  view.follow(found->table, 1);
  EXPECT_EQ(view.order().size(), 5000U) << "the other way around: of those listed by time";
}

}  // namespace
}  // namespace bytescope::app
