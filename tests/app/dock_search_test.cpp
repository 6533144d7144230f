// Searching, and going from hit to hit.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/dock_stage.h"

namespace bytescope::tests {
namespace {

TEST_F(DockTest, CtrlFSearchesForWhatIsTyped) {
  const auto before = stage.state();
  search("r_3");
  EXPECT_EQ(dock().open, AnswerKind::search);
  EXPECT_EQ(dock().search_line, "r_3");
  EXPECT_EQ(answer(AnswerKind::search).table.row_count, 10U);
  EXPECT_EQ(stage.state().selection, before.selection) << "typing selects nothing";
}

TEST_F(DockTest, AHitThatItsInfoTellsShowsWhatWasFound) {
  search("r_3");
  EXPECT_EQ(answer(AnswerKind::search).table.columns.size(), 4U) << "the names tell";
  bytepack::TraceDescription trace = answer_trace();
  trace.tracks[1].spans[4].info = R"("12 GFLOPS, bfloat16")";
  file.write(bytepack::encode(trace, *bytepack::dialect_of('L')));
  stage.key(Key::f5);
  stage.settle();
  search("bfloat r_");
  const app::Table& table = answer(AnswerKind::search).table;
  ASSERT_EQ(table.row_count, 1U);
  ASSERT_EQ(table.columns.size(), 5U);
  EXPECT_THAT(table.text(0, 4), testing::HasSubstr("12 GFLOPS, \033[33mbfloat\033[0m16"));
}

TEST_F(DockTest, ASlashOpensTheSearchWithoutStandingInIt) {
  stage.key(Key::slash);
  stage.type(U'/');
  write("e");
  stage.settle();
  EXPECT_EQ(dock().open, AnswerKind::search);
  EXPECT_EQ(dock().search_line, "e");
}

TEST_F(DockTest, NoLetterActsWhileAFieldHasTheKeyboard) {
  const auto before = stage.state();
  const std::string letters = "wsadfghijklmnopqrtuvxyzbce ?/,.[]0";
  search(letters);
  EXPECT_EQ(dock().search_line, letters);
  EXPECT_EQ(stage.state(), before);
  EXPECT_TRUE(stage.view().notes().markers.empty());
  EXPECT_EQ(dock().open, AnswerKind::search);
  for (const Key key :
       {Key::left, Key::up, Key::down, Key::home, Key::delete_forward, Key::page_up})
    stage.key(key);
  EXPECT_EQ(stage.state(), before);
}

TEST_F(DockTest, LettersRightBehindCtrlFDoNotActEither) {
  // Both in one frame, as when the machine is slow.
  app::OffscreenViewer& offscreen = stage.offscreen();
  offscreen.feed(
      {.kind = app::InputEvent::Kind::key, .key = Key::f, .down = true, .modifiers = with_command});
  offscreen.feed({.kind = app::InputEvent::Kind::key, .key = Key::m, .down = true});
  offscreen.frame();
  offscreen.feed({.kind = app::InputEvent::Kind::key, .key = Key::i, .down = true});
  offscreen.frame();
  EXPECT_TRUE(stage.view().notes().markers.empty());
  EXPECT_EQ(dock().open, AnswerKind::search);
}

TEST_F(DockTest, EnterGoesFromHitToHitAndAround) {
  search("r_3");
  for (std::uint32_t i = 0; i < 12; ++i) {
    stage.key(Key::enter);
    stage.settle();
    ASSERT_EQ(selection(), stage.span(device, 3 + 5 * (i % 10))) << i;
    ASSERT_TRUE(in_view(selection()->begin_ns));
  }
  EXPECT_EQ(dock().search_line, "r_3");
  stage.key(Key::enter, with_shift);
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, 3));
  stage.key(Key::enter, with_shift);
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, 48)) << "around the beginning";
}

TEST_F(DockTest, TheListFollowsTheHits) {
  search("r_3");
  for (std::uint32_t i = 0; i < 3; ++i) {
    stage.key(Key::enter);
    stage.settle();
    EXPECT_EQ(tab(AnswerKind::search).view.chosen, i);
  }
  stage.key(Key::f3, with_shift);
  EXPECT_EQ(tab(AnswerKind::search).view.chosen, 1U);
}

TEST_F(DockTest, ATypedTimeIsGoneToAndMarked) {
  const std::int64_t begin = stage.state().viewport.window().begin_ns;
  for (int i = 0; i < 12; ++i) stage.wheel({600, 300}, 4, with_command);
  ASSERT_FALSE(in_view(7 * ms));
  search("0.007 000 s");
  stage.key(Key::enter);
  stage.settle();
  EXPECT_TRUE(in_view(7 * ms));
  EXPECT_NEAR(stage.x_of(7 * ms), stage.areas().tracks.x0 + stage.areas().tracks.width() / 2, 2);
  EXPECT_NE(stage.state().viewport.window().begin_ns, begin);
}

TEST_F(DockTest, TypingGoesOnBehindEnter) {
  search("r_3");
  stage.key(Key::enter);
  const auto state = stage.state();
  write("m");
  stage.settle();
  EXPECT_TRUE(stage.view().notes().markers.empty());
  EXPECT_EQ(dock().search_line, "r_3m");
  EXPECT_EQ(stage.state().selection, state.selection);
}

TEST_F(DockTest, CtrlFSelectsTheLineSoThatTypingReplacesIt) {
  search("r_3");
  search("e");
  EXPECT_EQ(dock().search_line, "e") << "in the field";
  stage.key(Key::escape);
  search("half");
  EXPECT_EQ(dock().search_line, "half") << "from elsewhere";
}

TEST_F(DockTest, EnterWaitsForTheAnswerToTheLineAsItStands) {
  search("r_3");
  stage.key(Key::f, with_command);
  // A line replaced, and Enter before the worker can have answered.
  app::OffscreenViewer& offscreen = stage.offscreen();
  stage.key(Key::grave_accent);
  for (const char32_t c : std::u32string(U"e_4"))
    offscreen.feed({.kind = app::InputEvent::Kind::character, .character = c});
  offscreen.frame();
  stage.key(Key::enter);
  stage.settle();
  EXPECT_EQ(dock().search_line, "e_4");
  EXPECT_EQ(selection(), stage.span(stage.track("AMD:1"), 0));
}

TEST_F(DockTest, F3StepsOverHitsOfSpansAndMarkersInTimeWithThePanelClosed) {
  search("/^(r_0|step .)$/");
  std::vector<std::int64_t> times;
  for (std::size_t row = 0; row < answer(AnswerKind::search).table.row_count; ++row)
    times.push_back(answer(AnswerKind::search).search->by_time[row].start_ns);
  ASSERT_EQ(times.size(), 13U);
  stage.key(Key::escape);
  stage.key(Key::escape);
  EXPECT_FALSE(dock().open);
  // r_0 at 1, 3 and 6 ms begins with a marker: each is stepped to.
  const auto& hits = tab(AnswerKind::search).answer->search->by_time;
  std::vector<std::optional<Selection>> selected;
  for (std::size_t round = 0; round < 2; ++round) {
    for (const query::SearchHit& hit : hits) {
      stage.key(Key::f3);
      if (!hit.is_marker()) {
        ASSERT_EQ(selection(), stage.span(hit.track, hit.record));
      }
      selected.push_back(selection());
      ASSERT_TRUE(in_view(hit.start_ns));
    }
  }
  // The same way back.
  for (std::size_t i = selected.size() - 1; i-- > 0;) {
    stage.key(Key::f3, with_shift);
    const query::SearchHit& hit = hits[i % hits.size()];
    if (!hit.is_marker()) {
      ASSERT_EQ(selection(), stage.span(hit.track, hit.record)) << i;
    }
  }
}

TEST_F(DockTest, F3WithoutASearchAsksForOne) {
  stage.key(Key::f3);
  EXPECT_EQ(dock().open, AnswerKind::search);
  write("r_1");
  stage.settle();
  EXPECT_EQ(dock().search_line, "r_1");
}

TEST_F(DockTest, ALineThatIsATimeLeadsThere) {
  stage.state().viewport = stage.state().viewport.showing({0, 100 * us});
  search("7.5ms");
  stage.key(Key::enter);
  stage.settle();
  EXPECT_TRUE(in_view(7500 * us));
  EXPECT_FALSE(selection());
}

TEST_F(DockTest, ASearchThatCannotBeReadSaysWhy) {
  search("/(/");
  EXPECT_FALSE(answer(AnswerKind::search).error.empty());
  stage.key(Key::enter);
  stage.settle();
  EXPECT_FALSE(selection());
}

TEST_F(DockTest, EscapeLeavesTheFieldThenRangeSelectionAndPanel) {
  search("r_3");
  select(device, 3);
  stage.key(Key::f, with_command);
  stage.state().range = TimeRange{1 * ms, 2 * ms};
  stage.key(Key::escape);
  EXPECT_EQ(dock().search_line, "r_3") << "the text stays";
  EXPECT_TRUE(range());
  stage.key(Key::escape);
  EXPECT_FALSE(range());
  EXPECT_TRUE(selection());
  stage.key(Key::escape);
  EXPECT_FALSE(selection());
  EXPECT_TRUE(dock().open);
  stage.key(Key::escape);
  EXPECT_FALSE(dock().open);
  EXPECT_EQ(dock().search_line, "r_3");
}

TEST_F(DockTest, EscapeInTheMiddleOfTypingKeepsWhatWasTyped) {
  search("r_");
  stage.key(Key::escape);
  EXPECT_EQ(dock().search_line, "r_");
  stage.key(Key::i);
  EXPECT_EQ(dock().open, AnswerKind::statistics) << "letters are keys again";
}

}  // namespace
}  // namespace bytescope::tests
