#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/actions.h"
#include "app/panels/palette.h"
#include "tests/app/answer_trace.h"
#include "tests/app/viewer_stage.h"

namespace bytescope::tests {
namespace {

using app::AnswerKind;
using app::Key;
using app::Selection;
using query::TimeRange;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::int64_t us = 1000;
constexpr std::int64_t ms = 1000 * us;

class DockTest : public testing::Test {
protected:
  DockTest() : file(answer_bytes()) {
    stage.open(file.path());
    device = stage.track("AMD");
    memory = stage.track("AMD Memory");
  }

  app::DockState& dock() { return stage.view().dock; }
  app::DockTab& tab(AnswerKind kind) { return dock().tab(kind); }
  const app::Answer& answer(AnswerKind kind) {
    if (!tab(kind).answer) throw std::runtime_error("no answer");
    return *tab(kind).answer;
  }
  const std::optional<Selection>& selection() { return stage.state().selection; }
  const std::optional<TimeRange>& range() { return stage.state().range; }

  static Key key_of(char c) {
    const auto from = [c](Key first, char begin) {
      return static_cast<Key>(static_cast<int>(first) + (c - begin));
    };
    if (c >= 'a' && c <= 'z') return from(Key::a, 'a');
    if (c >= '0' && c <= '9') return from(Key::digit_0, '0');
    switch (c) {
      case ' ': return Key::space;
      case '/': return Key::slash;
      case '.': return Key::period;
      case ',': return Key::comma;
      case '[': return Key::left_bracket;
      case ']': return Key::right_bracket;
      default: return Key::grave_accent;
    }
  }
  /// As a keyboard writes: each key comes with its character.
  void write(const std::string& text) {
    for (const char c : text) {
      stage.key(key_of(c));
      stage.type(static_cast<char32_t>(c));
    }
  }
  void search(const std::string& text) {
    stage.key(Key::f, with_command);
    write(text);
    stage.settle();
  }
  void open(AnswerKind kind) {
    stage.viewer().open_tab(kind);
    stage.settle();
  }
  /// The middle of a row of the table as it is scrolled.
  Point row_place(std::size_t row) {
    const render::Box& area = stage.areas().dock;
    return {area.x0 + 60, area.y0 + 4 + 30 + 32 + 24 + static_cast<float>(row) * 20 + 10};
  }
  void click_row(std::size_t row, app::Modifiers modifiers = no_modifiers) {
    stage.rest();
    stage.click(row_place(row), app::MouseButton::left, modifiers);
    stage.settle();
  }
  void select(std::uint32_t track, std::uint32_t record) {
    stage.viewer().select_and_reveal(stage.span(track, record));
    stage.settle();
  }
  bool in_view(std::int64_t time_ns) {
    const TimeRange window = stage.state().viewport.window();
    return window.begin_ns <= time_ns && time_ns <= window.end_ns;
  }
  std::string clipboard() { return stage.offscreen().clipboard().clipboard_text(); }

  TemporaryFile file;
  ViewerStage stage;
  std::uint32_t device = 0;
  std::uint32_t memory = 0;
};

// Search ------------------------------------------------------------------------------------------

TEST_F(DockTest, CtrlFSearchesForWhatIsTyped) {
  const auto before = stage.state();
  search("r_3");
  EXPECT_EQ(dock().open, AnswerKind::search);
  EXPECT_EQ(dock().search_line, "r_3");
  EXPECT_EQ(answer(AnswerKind::search).table.row_count, 10U);
  EXPECT_EQ(stage.state().selection, before.selection) << "typing selects nothing";
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

// Tables ------------------------------------------------------------------------------------------

TEST_F(DockTest, ARowThatIsClickedIsSelectedAndRevealed) {
  search("r_3");
  stage.key(Key::escape);
  stage.state().viewport = stage.state().viewport.showing({0, 100 * us});
  click_row(4);
  EXPECT_EQ(selection(), stage.span(device, 23));
  EXPECT_TRUE(in_view(selection()->begin_ns));
  EXPECT_EQ(tab(AnswerKind::search).view.chosen, 4U);
}

TEST_F(DockTest, ARowThatIsDoubleClickedIsAllThatIsShown) {
  search("r_3");
  stage.rest();
  stage.click(row_place(2));
  stage.click(row_place(2));
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, 13));
  EXPECT_LT(stage.state().viewport.length_ns(), 200.0 * us);
}

TEST_F(DockTest, UpAndDownMoveInTheTableThatWasClicked) {
  search("r_3");
  stage.key(Key::escape);
  click_row(0);
  for (const std::uint32_t row : {1U, 2U, 3U}) {
    stage.key(Key::down);
    EXPECT_EQ(selection(), stage.span(device, 3 + 5 * row));
  }
  stage.key(Key::up);
  EXPECT_EQ(selection(), stage.span(device, 13));
  stage.key(Key::page_down);
  EXPECT_EQ(selection(), stage.span(device, 48)) << "the last";
  // A click on the timeline takes the keys back.
  stage.click(stage.place_of(device, 48));
  stage.key(Key::down);
  EXPECT_NE(selection()->track, device);
}

TEST_F(DockTest, CtrlCCopiesTheTableWhileItHasTheKeysElseTheFacts) {
  search("r_3");
  stage.key(Key::escape);
  click_row(1);
  stage.key(Key::c, with_command);
  EXPECT_THAT(clipboard(), StartsWith("name\tstart_us\tduration_us\ttrack\nr_3\t600\t120\tAMD\n"));
  stage.click(stage.place_of(device, 3));
  stage.key(Key::c, with_command);
  EXPECT_THAT(clipboard(), StartsWith("r_3\n"));
}

TEST_F(DockTest, ACopyRightBehindAnotherAnswerHasItsRows) {
  open(AnswerKind::gaps);
  click_row(0);
  tab(AnswerKind::gaps).choices[1] = 2;  // no gap is that long
  stage.offscreen().build();
  while (!stage.viewer().settled()) stage.viewer().poll();
  stage.viewer().poll();
  stage.viewer().copy_table();
  EXPECT_EQ(clipboard(), "track\tlength_us\tbegin_us\tbefore\tafter\tmeanwhile\n");
}

TEST_F(DockTest, TheFilterOfATabIsTypedIntoItsField) {
  stage.key(Key::i);
  stage.settle();
  const render::Box& area = stage.areas().dock;
  stage.click({area.x0 + 60, area.y0 + 4 + 30 + 16});
  write("r_2");
  stage.settle();
  EXPECT_EQ(tab(AnswerKind::statistics).view.filter, "r_2");
  EXPECT_EQ(tab(AnswerKind::statistics).view.order().size(), 1U);
}

// Statistics, compare -----------------------------------------------------------------------------

TEST_F(DockTest, IOpensStatisticsAndClosesThem) {
  stage.key(Key::i);
  stage.settle();
  EXPECT_EQ(dock().open, AnswerKind::statistics);
  EXPECT_EQ(answer(AnswerKind::statistics).table.row_count, 7U);
  EXPECT_TRUE(answer(AnswerKind::statistics).complete);
  EXPECT_LT(stage.areas().tracks.y1, stage.areas().dock.y1);
  stage.key(Key::i);
  stage.settle();
  EXPECT_FALSE(dock().open);
}

TEST_F(DockTest, IAsksAboutTheMeasuredRange) {
  stage.state().range = TimeRange{1 * ms, 2 * ms};
  stage.key(Key::i);
  stage.settle();
  EXPECT_EQ(answer(AnswerKind::statistics).request.range, (TimeRange{1 * ms, 2 * ms}));
  EXPECT_FALSE(answer(AnswerKind::statistics).request.whole);
}

TEST_F(DockTest, TheViewIsAskedAboutAsItMoves) {
  stage.key(Key::i);
  tab(AnswerKind::statistics).choices[0] = 1;
  stage.settle();
  EXPECT_TRUE(answer(AnswerKind::statistics).request.whole) << "the view shows everything";
  stage.state().viewport = stage.state().viewport.showing({1 * ms, 2 * ms});
  stage.settle();
  EXPECT_FALSE(answer(AnswerKind::statistics).request.whole);
  EXPECT_NEAR(static_cast<double>(answer(AnswerKind::statistics).request.range.begin_ns), 1e6, 2e3);
}

TEST_F(DockTest, AChosenRowStaysChosenWhereverItGoes) {
  stage.key(Key::i);
  stage.settle();
  click_row(3);
  const std::string name = answer(AnswerKind::statistics).table.text(3, 0);
  EXPECT_EQ(name, "r_2");
  // Three kernels are in this range, r_2 the second of them.
  tab(AnswerKind::statistics).choices[0] = 2;
  stage.state().range = TimeRange{250 * us, 700 * us};
  stage.settle();
  const std::size_t chosen = tab(AnswerKind::statistics).view.chosen;
  ASSERT_LT(chosen, answer(AnswerKind::statistics).table.row_count);
  EXPECT_EQ(answer(AnswerKind::statistics).table.text(chosen, 0), "r_2");
}

TEST_F(DockTest, CtrlClickComparesTwoSteps) {
  open(AnswerKind::steps);
  click_row(1);
  EXPECT_EQ(range(), (TimeRange{3 * ms, 6 * ms})) << "step 1";
  click_row(2, with_command);
  EXPECT_EQ(dock().open, AnswerKind::compare);
  EXPECT_EQ(dock().compared_a, (TimeRange{3 * ms, 6 * ms}));
  EXPECT_EQ(dock().compared_b, (TimeRange{1 * ms, 3 * ms}));
  EXPECT_EQ(answer(AnswerKind::compare).table.row_count, 7U) << "six kernels and the copy";
  EXPECT_EQ(range(), (TimeRange{3 * ms, 6 * ms})) << "comparing moves nothing";
}

// Live buffers ------------------------------------------------------------------------------------

TEST_F(DockTest, LOpensTheBuffersOfThePeakAndClosesThem) {
  stage.key(Key::l);
  stage.settle();
  EXPECT_EQ(dock().open, AnswerKind::live);
  EXPECT_EQ(answer(AnswerKind::live).table.row_count, 40U);
  click_row(0);
  ASSERT_TRUE(selection());
  EXPECT_EQ(selection()->kind, Selection::Kind::buffer);
  EXPECT_EQ(selection()->track, memory);
  EXPECT_TRUE(stage.row(memory).expanded);
  stage.key(Key::l);
  EXPECT_FALSE(dock().open);
}

TEST_F(DockTest, LOverAMemoryTrackPinsTheTimeOfThePointer) {
  const Point place{stage.x_of(1100 * us), stage.top_of(stage.row(memory)) +
                                               static_cast<float>(stage.row(memory).height_px) / 2};
  stage.move(place);
  stage.key(Key::l);
  stage.settle();
  EXPECT_EQ(answer(AnswerKind::live).table.row_count, 6U);
  EXPECT_THAT(answer(AnswerKind::live).headline, HasSubstr("live at"));
}

// Notes -------------------------------------------------------------------------------------------

TEST_F(DockTest, MPutsAMarkerAtThePointerAndDeleteRemovesIt) {
  stage.move({stage.x_of(2 * ms), stage.areas().tracks.y0 + 20});
  stage.key(Key::m);
  ASSERT_EQ(stage.view().notes().markers.size(), 1U);
  EXPECT_NEAR(static_cast<double>(stage.view().notes().markers[0].time_ns), 2e6, 2e4);
  EXPECT_EQ(stage.view().model().markers.size(), 5U) << "it stands among the file's";
  stage.key(Key::delete_forward);
  EXPECT_TRUE(stage.view().notes().markers.empty());
  EXPECT_EQ(stage.view().model().markers.size(), 4U);
}

TEST_F(DockTest, AMarkerIsNamedAndRemovedInItsList) {
  for (const std::int64_t time : {2 * ms, 5 * ms}) {
    stage.move({stage.x_of(time), stage.areas().tracks.y0 + 20});
    stage.key(Key::m);
  }
  open(AnswerKind::markers);
  click_row(1);  // step 0, mark 1, step 1, note, mark 2, step 2
  stage.key(Key::f2);
  stage.settle();
  write("warm up");
  stage.key(Key::enter);
  stage.settle();
  EXPECT_EQ(stage.view().notes().markers[0].name, "warm up");
  EXPECT_EQ(answer(AnswerKind::markers).table.text(1, 0), "warm up");
  EXPECT_EQ(tab(AnswerKind::markers).view.chosen, 1U) << "the row stays chosen";
  stage.key(Key::down);
  stage.key(Key::delete_forward);
  stage.settle();
  EXPECT_EQ(stage.view().notes().markers.size(), 2U) << "the file's are not removed";
  stage.key(Key::up);
  stage.key(Key::delete_forward);
  stage.settle();
  ASSERT_EQ(stage.view().notes().markers.size(), 1U);
  EXPECT_EQ(stage.view().notes().markers[0].name, "mark 2");
}

TEST_F(DockTest, KKeepsTheRangeWhichCanBeNamedAndRemoved) {
  stage.key(Key::k);
  EXPECT_FALSE(dock().open) << "there is no range";
  for (const TimeRange& measured : {TimeRange{1 * ms, 2 * ms}, TimeRange{4 * ms, 5 * ms}}) {
    stage.state().range = measured;
    stage.key(Key::k);
  }
  stage.settle();
  EXPECT_EQ(dock().open, AnswerKind::ranges);
  EXPECT_EQ(answer(AnswerKind::ranges).table.row_count, 3U) << "the measured one and two kept";
  click_row(1);
  EXPECT_EQ(range(), (TimeRange{1 * ms, 2 * ms}));
  stage.key(Key::f2);
  stage.settle();
  write("first");
  stage.key(Key::enter);
  stage.settle();
  EXPECT_EQ(stage.view().notes().ranges[0].name, "first");
  EXPECT_EQ(stage.view().notes().ranges[1].name, "range 2");
  click_row(2, with_command);
  EXPECT_EQ(dock().open, AnswerKind::compare);
  open(AnswerKind::ranges);
  click_row(1);
  for (int i = 0; i < 2; ++i)
    stage.offscreen().feed(
        {.kind = app::InputEvent::Kind::key, .key = Key::delete_forward, .down = true});
  stage.settle();
  ASSERT_EQ(stage.view().notes().ranges.size(), 1U)
      << "a second press finds a list that is not told yet";
  EXPECT_EQ(stage.view().notes().ranges[0].name, "range 2");
  EXPECT_EQ(tab(AnswerKind::ranges).view.chosen, 1U);
  stage.key(Key::delete_forward);
  stage.settle();
  EXPECT_TRUE(stage.view().notes().ranges.empty());
  EXPECT_TRUE(range());
  stage.key(Key::delete_forward);
  stage.settle();
  EXPECT_FALSE(range()) << "the measured one is in the list, too";
}

TEST_F(DockTest, EscapeLeavesANameAsItWas) {
  stage.state().range = TimeRange{1 * ms, 2 * ms};
  stage.key(Key::k);
  stage.settle();
  click_row(1);
  stage.key(Key::f2);
  stage.settle();
  write("x");
  stage.key(Key::escape);
  stage.key(Key::escape);
  stage.settle();
  EXPECT_FALSE(dock().renamed);
  EXPECT_EQ(stage.view().notes().ranges[0].name, "range 1");
  EXPECT_TRUE(range()) << "only the naming ended";
}

TEST_F(DockTest, RMeasuresFromThePointerToWhereItIsPressedAgain) {
  const float y = stage.areas().tracks.y0 + 20;
  stage.move({stage.x_of(2 * ms), y});
  stage.key(Key::r);
  stage.move({stage.x_of(4 * ms), y});
  stage.key(Key::r);
  stage.move({stage.x_of(8 * ms), y});
  ASSERT_TRUE(range());
  EXPECT_NEAR(static_cast<double>(range()->begin_ns), 2e6, 2e4);
  EXPECT_NEAR(static_cast<double>(range()->end_ns), 4e6, 2e4);
}

// Jumps -------------------------------------------------------------------------------------------

TEST_F(DockTest, CommaAndPeriodStepOverMarkers) {
  stage.state().viewport = stage.state().viewport.showing({0, 200 * us});
  for (const std::int64_t time : {1 * ms, 3 * ms, 4 * ms, 6 * ms, 6 * ms}) {
    stage.key(Key::period);
    EXPECT_TRUE(in_view(time)) << time;
    EXPECT_FALSE(in_view(time + ms)) << time;
  }
  for (const std::int64_t time : {4 * ms, 3 * ms, 1 * ms}) {
    stage.key(Key::comma);
    EXPECT_TRUE(in_view(time)) << time;
  }
}

TEST_F(DockTest, ASelectionMadeBehindAMarkerIsWhereTheNextStepBegins) {
  stage.state().viewport = stage.state().viewport.showing({0, 200 * us});
  for (int i = 0; i < 4; ++i) stage.key(Key::period);
  select(device, 6);  // at 1.2 ms
  stage.key(Key::period);
  EXPECT_TRUE(in_view(3 * ms));
}

TEST_F(DockTest, GStepsOverEveryGapInOrder) {
  select(device, 0);
  for (std::uint32_t i = 0; i + 1 < plain_kernels; ++i) {
    stage.key(Key::g);
    stage.settle();
    const std::int64_t begin = (120 + 200 * std::int64_t{i}) * us;
    ASSERT_EQ(range(), (TimeRange{begin, begin + 80 * us})) << i;
    ASSERT_TRUE(in_view(begin));
  }
  const auto last = range();
  stage.key(Key::g);
  stage.settle();
  EXPECT_EQ(range(), last) << "there is none behind";
  for (int i = static_cast<int>(plain_kernels) - 3; i >= 0; --i) {
    stage.key(Key::g, with_shift);
    stage.settle();
    ASSERT_EQ(range()->begin_ns, (120 + 200 * std::int64_t{i}) * us);
  }
}

TEST_F(DockTest, GBeginsAtTheMarkerGoneToLast) {
  select(device, 0);
  stage.key(Key::g);
  stage.settle();
  for (int i = 0; i < 2; ++i) stage.key(Key::period);  // to 3 ms
  stage.key(Key::g);
  stage.settle();
  EXPECT_EQ(range()->begin_ns, 3120 * us);
}

TEST_F(DockTest, PGoesToThePeak) {
  stage.state().viewport = stage.state().viewport.showing({0, 200 * us});
  stage.key(Key::p);
  EXPECT_TRUE(in_view(7800 * us));
  stage.state().viewport = stage.state().viewport.showing({0, 200 * us});
  stage.key(Key::p, with_shift);
  EXPECT_TRUE(in_view(7800 * us)) << "there is only one";
}

TEST_F(DockTest, NStepsOverSpansOfTheSameName) {
  select(device, 2);
  for (std::uint32_t i = 1; i < 10; ++i) {
    stage.key(Key::n);
    stage.settle();
    ASSERT_EQ(selection(), stage.span(device, 2 + 5 * i));
  }
  stage.key(Key::n);
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, 47)) << "the last";
  stage.key(Key::n, with_shift);
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, 42));
}

TEST_F(DockTest, BracketsWalkFromProducerToConsumer) {
  select(device, 10);
  stage.key(Key::left_bracket);
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, 9)) << "wrote what it reads";
  stage.key(Key::right_bracket);
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, 10));
  stage.viewer().select_and_reveal(app::buffer_selection(stage.trace(), memory, 0));
  const std::uint32_t key = stage.trace().tracks[memory].memory->buffers[0].key;
  stage.key(Key::right_bracket);
  stage.settle();
  EXPECT_EQ(selection(), stage.span(device, key + 1)) << "the first that reads it";
}

// Documents ---------------------------------------------------------------------------------------

TEST_F(DockTest, ClosingATabLeavesTheAnswersOfOthersAlone) {
  const TemporaryFile other(plain_bytes());
  stage.open(other.path());
  stage.key(Key::tab, with_command);
  stage.viewer().open_tab(AnswerKind::statistics);
  stage.offscreen().build();  // asked, and not shown an answer yet
  const std::uint64_t second = stage.viewer().session().documents()[1].id;
  stage.viewer().close(second);
  stage.settle();
  EXPECT_EQ(answer(AnswerKind::statistics).table.row_count, 7U);
}

TEST_F(DockTest, ClosingATabThatIsAnsweredEndsTheQuestion) {
  const TemporaryFile other(plain_bytes());
  stage.open(other.path());
  for (const Key key : {Key::i, Key::l}) {
    stage.key(key);
    stage.key(Key::f, with_command);
    write("e");
    const std::weak_ptr<const trace::Trace> trace = stage.view().trace();
    stage.key(Key::w, with_command);
    stage.settle();
    EXPECT_TRUE(trace.expired()) << "a closed file is let go";
    stage.open(other.path());
  }
}

TEST_F(DockTest, QuestionsThatReplacedOneAnotherAreAllAnswered) {
  stage.viewer().open_tab(AnswerKind::statistics);
  stage.offscreen().build();
  stage.viewer().open_tab(AnswerKind::gaps);
  stage.offscreen().build();
  stage.viewer().open_tab(AnswerKind::peaks);
  stage.offscreen().build();
  for (const AnswerKind kind : {AnswerKind::gaps, AnswerKind::statistics, AnswerKind::peaks}) {
    open(kind);
    EXPECT_TRUE(tab(kind).answer && tab(kind).answer->complete) << static_cast<int>(kind);
  }
}

TEST_F(DockTest, TwoDocumentsAskOneAfterTheOther) {
  const TemporaryFile other(plain_bytes());
  stage.viewer().open_tab(AnswerKind::gaps);
  stage.offscreen().build();
  stage.open(other.path());
  stage.viewer().open_tab(AnswerKind::statistics);
  stage.offscreen().build();
  stage.key(Key::tab, with_command);
  stage.settle();
  EXPECT_EQ(answer(AnswerKind::gaps).table.row_count, plain_kernels - 1);
  stage.key(Key::tab, with_command);
  stage.settle();
  EXPECT_EQ(answer(AnswerKind::statistics).table.row_count, 6U);
}

TEST_F(DockTest, WhatIsTypedIntoADocumentsFieldStaysWithIt) {
  const TemporaryFile other(plain_bytes());
  stage.open(other.path());
  search("half");
  stage.key(Key::tab, with_command);
  search("r_");
  stage.key(Key::tab, with_command);
  stage.settle();
  EXPECT_EQ(dock().search_line, "half");
  stage.key(Key::tab, with_command);
  stage.settle();
  EXPECT_EQ(dock().search_line, "r_");
}

TEST_F(DockTest, KeysActAfterADocumentWasClosedWhileTyping) {
  search("r_");
  stage.key(Key::w, with_command);
  stage.key(Key::slash, with_shift);
  stage.type(U'?');
  stage.key(Key::escape);  // leaves the help page, were it open
  stage.open(file.path());
  stage.key(Key::i);
  EXPECT_EQ(dock().open, AnswerKind::statistics);
}

TEST_F(DockTest, ReloadKeepsThePanelAndAsksAnew) {
  search("r_3");
  open(AnswerKind::statistics);
  const std::weak_ptr<const trace::Trace> old = stage.view().trace();
  bytepack::TraceDescription changed = answer_trace();
  changed.tracks.erase(changed.tracks.begin() + 2, changed.tracks.end());
  changed.tracks.erase(changed.tracks.begin());
  changed.tracks[0].spans.resize(4);
  file.write(bytepack::encode(changed, *bytepack::dialect_of('L')));
  stage.key(Key::f5);
  stage.settle();
  EXPECT_EQ(dock().open, AnswerKind::statistics);
  EXPECT_EQ(dock().search_line, "r_3");
  EXPECT_EQ(answer(AnswerKind::statistics).table.row_count, 4U);
  EXPECT_TRUE(old.expired()) << "the file as it was is let go";
  stage.key(Key::f3);
  stage.settle();
  EXPECT_EQ(selection(), stage.span(0, 3));
}

TEST_F(DockTest, ReloadLetsGoOfTheFileThatAClosedPanelAskedAbout) {
  open(AnswerKind::statistics);
  click_row(0);  // with its histogram
  stage.viewer().toggle_tab(AnswerKind::statistics);
  const std::weak_ptr<const trace::Trace> old = stage.view().trace();
  stage.key(Key::f5);
  stage.settle();
  EXPECT_FALSE(dock().open);
  EXPECT_TRUE(old.expired());
}

TEST_F(DockTest, ReloadWithAPanelThatMakesNoSenseAnyMoreIsHarmless) {
  for (const AnswerKind kind : {AnswerKind::live, AnswerKind::steps, AnswerKind::peaks}) {
    open(kind);
    click_row(0);
    bytepack::TraceDescription changed = plain_trace();
    changed.tracks.resize(1);
    changed.markers.clear();
    file.write(bytepack::encode(changed, *bytepack::dialect_of('L')));
    stage.key(Key::f5);
    stage.settle();
    stage.key(Key::down);
    stage.key(Key::c, with_command);
    EXPECT_EQ(answer(kind).table.row_count, 0U);
    file.write(answer_bytes());
    stage.key(Key::f5);
    stage.settle();
    EXPECT_GT(answer(kind).table.row_count, 0U);
  }
}

TEST_F(DockTest, AWindowTooLowForThePanelTakesKeysAllTheSame) {
  ViewerStage low(render::dark_theme(), {800, 260});
  low.open(file.path());
  low.key(Key::f, with_command);
  low.settle();
  EXPECT_TRUE(low.viewer().settled()) << "nothing waits for a field that is not there";
  low.key(Key::i);
  low.settle();
  low.key(Key::c, with_command);
  EXPECT_EQ(low.view().dock.open, AnswerKind::statistics);
}

TEST_F(DockTest, SurvivesHundredsOfThingsInThePanelWithoutAPlan) {
  const TemporaryFile other(plain_bytes());
  std::mt19937 random(20'260'106);
  const auto below = [&](int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random);
  };
  const std::vector<Key> keys = {Key::i,
                                 Key::l,
                                 Key::m,
                                 Key::k,
                                 Key::r,
                                 Key::g,
                                 Key::p,
                                 Key::n,
                                 Key::f2,
                                 Key::f3,
                                 Key::comma,
                                 Key::period,
                                 Key::down,
                                 Key::up,
                                 Key::enter,
                                 Key::escape,
                                 Key::page_down,
                                 Key::delete_forward,
                                 Key::left_bracket,
                                 Key::right_bracket};
  for (int step = 0; step < 300; ++step) {
    SCOPED_TRACE(step);
    if (stage.viewer().active() == nullptr) stage.open(file.path());
    const render::Box& area = stage.areas().dock;
    const Point place{static_cast<float>(below(static_cast<int>(area.x1))),
                      area.y0 + static_cast<float>(below(280))};
    switch (below(10)) {
      case 0:
        stage.click(place, app::MouseButton::left, below(3) == 0 ? with_command : no_modifiers);
        break;
      case 1: stage.click(row_place(static_cast<std::size_t>(below(6)))); break;
      case 2:
        stage.viewer().open_tab(static_cast<AnswerKind>(below(app::answer_kind_count)));
        break;
      case 3: stage.key(Key::f, with_command); break;
      case 4: write(below(2) == 0 ? "e" : "r_3"); break;
      case 5: stage.key(below(2) == 0 ? Key::c : Key::p, with_command); break;
      case 6:
        if (below(4) == 0) stage.key(Key::f5);
        if (below(8) == 0) stage.viewer().open(other.path());
        if (below(8) == 0) stage.viewer().close_active();
        if (below(4) == 0) stage.key(Key::tab, with_command);
        break;
      case 7: stage.settle(); break;
      default:
        stage.key(keys[static_cast<std::size_t>(below(static_cast<int>(keys.size())))],
                  below(4) == 0 ? with_shift : no_modifiers);
        break;
    }
  }
  stage.settle();
}

// The palette -------------------------------------------------------------------------------------

TEST(PaletteMatches, HoldEveryWordWhateverItsCaseAndOrder) {
  const std::vector<app::PaletteRow> rows = {
      {"Next idle gap", "G", "Answers"}, {"Idle gaps", "", "Answers"}, {"Zoom in", "W", "Moving"}};
  EXPECT_THAT(app::palette_matches(rows, "GAP next"), ElementsAre(0U));
  EXPECT_THAT(app::palette_matches(rows, "gap"), ElementsAre(0U, 1U));
  EXPECT_THAT(app::palette_matches(rows, "moving"), ElementsAre(2U));
  EXPECT_THAT(app::palette_matches(rows, "  "), ElementsAre(0U, 1U, 2U));
  EXPECT_TRUE(app::palette_matches(rows, "nothing").empty());
}

TEST_F(DockTest, CtrlPDoesWhatIsTyped) {
  stage.key(Key::p, with_command);
  write("idle gaps");
  stage.key(Key::enter);
  stage.settle();
  EXPECT_EQ(dock().open, AnswerKind::gaps);
  EXPECT_EQ(answer(AnswerKind::gaps).table.row_count, plain_kernels - 1);
  stage.key(Key::i);
  EXPECT_EQ(dock().open, AnswerKind::statistics) << "keys act again";
}

TEST_F(DockTest, AWindowWithThePaletteOrAFieldRests) {
  stage.key(Key::p, with_command);
  stage.settle();
  EXPECT_FALSE(stage.viewer().wants_frame());
  stage.key(Key::escape);
  search("r_3");
  EXPECT_FALSE(stage.viewer().wants_frame());
}

TEST_F(DockTest, CtrlPTakesTheKeyboardFromAField) {
  search("r_3");
  stage.key(Key::p, with_command);
  write("statistics");
  stage.key(Key::enter);
  stage.settle();
  EXPECT_EQ(dock().search_line, "r_3");
  EXPECT_EQ(dock().open, AnswerKind::statistics);
}

TEST_F(DockTest, ThePaletteChoosesWithUpAndDownAndLeavesWithEscape) {
  stage.key(Key::p, with_command);
  write("zoom");
  stage.key(Key::down);
  stage.key(Key::down);
  stage.key(Key::up);
  const double before = stage.state().viewport.length_ns();
  stage.state().viewport = stage.state().viewport.zoomed(4, 0);
  stage.key(Key::enter);
  stage.settle();
  EXPECT_GT(stage.state().viewport.length_ns(), before / 4) << "the second one, zoom out";
  const auto state = stage.state();
  stage.key(Key::p, with_command);
  write("zoom");
  stage.key(Key::escape);
  stage.key(Key::escape);
  stage.settle();
  EXPECT_EQ(stage.state(), state);
}

TEST_F(DockTest, EveryActionOfThePaletteCanBeRun) {
  for (const app::WindowAction& action : app::window_actions()) {
    const std::string id = action.id;
    if (id == "program.quit" || id == "file.close") continue;
    SCOPED_TRACE(id);
    select(device, 3);
    stage.state().range = TimeRange{1 * ms, 2 * ms};
    if (action.available(stage.viewer())) action.run(stage.viewer());
    stage.settle();
    ASSERT_NE(stage.viewer().active(), nullptr);
    stage.key(Key::escape);
  }
}

}  // namespace
}  // namespace bytescope::tests
