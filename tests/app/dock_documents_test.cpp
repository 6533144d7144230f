// The panel among several documents, and without a plan.

#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/dock_stage.h"

namespace bytescope::tests {
namespace {

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

TEST_F(DockTest, ADocumentIsComparedWithAnother) {
  bytepack::TraceDescription changed = answer_trace();
  changed.tracks[1].spans.resize(changed.tracks[1].spans.size() / 2);
  const TemporaryFile other(bytepack::encode(changed, *bytepack::dialect_of('L')));
  const std::uint64_t first = stage.viewer().active_document()->id;
  std::shared_ptr<const trace::Trace> first_trace = stage.view().trace();
  stage.open(other.path());
  dock().compared_document = first;
  open(AnswerKind::compare);
  EXPECT_EQ(answer(AnswerKind::compare).request.other_trace, first_trace);
  EXPECT_GT(answer(AnswerKind::compare).table.row_count, 0U);
  EXPECT_LT(answer(AnswerKind::compare).table.number(0, 5), 0) << "half of its kernels are gone";
  EXPECT_EQ(tab(AnswerKind::compare).choices[1], 1);
  tab(AnswerKind::compare).choices[0] = 1;
  stage.settle();
  EXPECT_THAT(answer(AnswerKind::compare).headline, testing::HasSubstr("memory track"));
  const std::weak_ptr<const trace::Trace> closed = first_trace;
  first_trace = nullptr;
  stage.viewer().close(first);
  stage.settle();
  EXPECT_EQ(dock().compared_document, 0U);
  EXPECT_TRUE(closed.expired()) << "a closed file is let go";
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
    bytepack::TraceDescription changed = answer_trace();
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

}  // namespace
}  // namespace bytescope::tests
