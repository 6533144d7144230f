// Everything by keyboard: controls that Tab walks through, tables, choices, and what stays told
// until a key is pressed.

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/actions.h"
#include "app/panels/control_focus.h"
#include "tests/app/dock_stage.h"
#include "tests/support/plain_trace.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::tests {
namespace {

using app::ControlFocus;
using app::InputEvent;
using testing::ElementsAre;

/// One frame of controls with the ids 1 to `count`; answers which has the focus, 0 for none.
std::uint32_t focused_of(ControlFocus& focus, std::uint32_t count) {
  focus.begin_frame();
  std::uint32_t focused = 0;
  for (std::uint32_t id = 1; id <= count; ++id)
    if (focus.list(id).has_focus) focused = id;
  return focused;
}

TEST(ControlFocus, WalksAroundBothWays) {
  ControlFocus focus;
  focus.walk(1);
  EXPECT_FALSE(focus.has_controls()) << "nothing is there yet";
  EXPECT_EQ(focused_of(focus, 3), 0U);
  for (const std::uint32_t id : {1U, 2U, 3U, 1U}) {
    focus.walk(1);
    EXPECT_EQ(focused_of(focus, 3), id);
  }
  focus.walk(-1);
  EXPECT_EQ(focused_of(focus, 3), 3U);
}

TEST(ControlFocus, PressesOnceAndOnlyWhatHasTheFocus) {
  ControlFocus focus;
  focused_of(focus, 2);
  focus.press();
  focus.walk(1);
  focus.begin_frame();
  EXPECT_FALSE(focus.list(1).is_pressed);
  focus.press();
  focus.begin_frame();
  EXPECT_TRUE(focus.list(1).is_pressed);
  focus.begin_frame();
  EXPECT_FALSE(focus.list(1).is_pressed);
  focus.leave();
  EXPECT_FALSE(focus.is_at_control());
}

TEST(ControlFocus, OfADialogKeepsToIt) {
  ControlFocus focus;
  focus.begin_frame();
  focus.list(1);
  focus.begin_dialog();
  focus.list(2);
  for (int i = 0; i < 3; ++i) {
    focus.walk(1);
    focus.begin_frame();
    EXPECT_FALSE(focus.list(1).has_focus);
    focus.begin_dialog();
    EXPECT_TRUE(focus.list(2).has_focus);
  }
}

TEST(ControlFocus, AFieldWaitsForTheKeyboardAndLetsItGo) {
  ControlFocus focus;
  const auto frame = [&focus](bool is_active) {
    focus.begin_frame();
    focus.list_field(1, is_active);
    focus.list(2);
  };
  frame(false);
  focus.walk(1);
  EXPECT_TRUE(focus.awaits(1));
  frame(false);
  EXPECT_TRUE(focus.is_at_field());
  frame(true);
  EXPECT_FALSE(focus.awaits(1));
  focus.walk(1);
  frame(true);
  EXPECT_TRUE(focus.has_left_field(1));
  EXPECT_TRUE(focus.is_at_control());
}

TEST(ControlFocus, WaitsNoLongerForAFieldThatIsGoneOrGetsNoKeyboard) {
  ControlFocus focus;
  for (const bool is_gone : {true, false}) {
    focus.begin_frame();
    focus.list_field(1, false);
    focus.walk(1);
    EXPECT_TRUE(focus.wants_frame());
    for (int i = 0; i < 6; ++i) {
      focus.begin_frame();
      if (!is_gone) focus.list_field(1, false);
    }
    EXPECT_FALSE(focus.wants_frame());
    EXPECT_FALSE(focus.is_at_field());
  }
}

TEST(ControlFocus, OfAControlThatIsGoneIsNowhere) {
  ControlFocus focus;
  focused_of(focus, 2);
  focus.walk(-1);
  EXPECT_EQ(focused_of(focus, 2), 2U);
  focused_of(focus, 1);
  EXPECT_FALSE(focus.is_at_control());
  focus.walk(1);
  EXPECT_EQ(focused_of(focus, 1), 1U);
}

TEST(Keyboard, TheStartPageIsWalkedAndPressed) {
  ViewerStage stage;
  stage.settle();
  stage.key(Key::tab);
  stage.key(Key::enter);
  EXPECT_TRUE(stage.viewer().is_dialog_open()) << "the first button opens the chooser";
}

TEST(Keyboard, ARecentFileIsOpenedByTabAndSpace) {
  const TemporaryFolder folder;
  const std::string path = folder / "recent.bin";
  const std::vector<std::byte> bytes = plain_bytes();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  app::Remembered remembered;
  remembered.recent = {path};
  ViewerStage stage;
  stage.viewer().recall(remembered);
  stage.settle();
  for (int i = 0; i < 3; ++i) stage.key(Key::tab);
  stage.key(Key::space);
  stage.settle();
  EXPECT_EQ(stage.viewer().title(), "recent.bin \u2013 bytescope");
}

TEST(Keyboard, ARingShowsWhatHasTheFocusUntilTheMouseIsUsed) {
  ViewerStage stage;
  stage.settle();
  const render::Color ring = stage.viewer().theme().focus;
  const auto ring_pixels = [&] {
    stage.offscreen().frame();
    const render::Picture picture = stage.offscreen().pixels();
    return std::count_if(picture.pixels.begin(), picture.pixels.end(), [&](render::Color pixel) {
      return pixel.r == ring.r && pixel.g == ring.g && pixel.b == ring.b;
    });
  };
  EXPECT_EQ(ring_pixels(), 0);
  stage.key(Key::tab);
  EXPECT_GT(ring_pixels(), 300) << "around a button of 132 by 30";
  stage.click({20, 600});
  EXPECT_EQ(ring_pixels(), 0);
}

TEST(Keyboard, TabLeadsToTheOffsetOfTheSecondFile) {
  const TemporaryFolder folder;
  const std::vector<std::string> paths = {folder / "a.bin", folder / "b.bin"};
  const std::vector<std::byte> bytes = plain_bytes();
  for (const std::string& path : paths) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  ViewerStage stage;
  stage.viewer().open_together(paths);
  stage.offscreen().frame();
  stage.settle();
  const auto settle_after_action = [&] {
    stage.offscreen().frame();
    stage.settle();
  };
  const auto type = [&](std::string_view text) {
    for (const char letter : text) stage.type(static_cast<char32_t>(letter));
  };
  app::action_named("file.together")->run(stage.viewer());
  settle_after_action();
  type("1 ms");
  stage.key(Key::tab);
  stage.settle();
  type("3 ms");
  stage.key(Key::tab, with_shift);
  stage.settle();
  type("2 ms");
  stage.key(Key::enter);
  settle_after_action();
  EXPECT_THAT(stage.viewer().active_document()->offsets_us, ElementsAre(2000, 3000));
  EXPECT_FALSE(stage.viewer().is_dialog_open());
  // From a field to a button: what is typed then is not for the field.
  app::action_named("file.together")->run(stage.viewer());
  settle_after_action();
  for (int i = 0; i < 2; ++i) stage.key(Key::tab);
  stage.settle();
  stage.key(Key::space);
  settle_after_action();
  EXPECT_FALSE(stage.viewer().is_dialog_open()) << "the button behind the fields is Cancel";
  EXPECT_THAT(stage.viewer().active_document()->offsets_us, ElementsAre(2000, 3000));
}

TEST_F(DockTest, RowsHaveTheArrowsAsSoonAsAPanelIsOpened) {
  const query::TimeRange before = stage.state().viewport.window();
  stage.key(Key::i);
  stage.settle();
  stage.key(Key::down);
  EXPECT_EQ(tab(AnswerKind::statistics).view.chosen,
            tab(AnswerKind::statistics).view.order().front());
  EXPECT_EQ(stage.state().viewport.window(), before);
  // A click on the timeline gives them back to it.
  stage.click(stage.place_of(device, 3));
  stage.key(Key::escape);
  stage.key(Key::down);
  EXPECT_NE(stage.state().viewport.window(), before);
}

TEST_F(DockTest, KeysTakeTheNextOfAChoice) {
  open(AnswerKind::statistics);
  const auto& choices = tab(AnswerKind::statistics).choices;
  for (const int wanted : {1, 2, 0}) {
    stage.key(Key::digit_1);
    EXPECT_EQ(choices[0], wanted);
  }
  stage.key(Key::digit_2);
  EXPECT_EQ(choices[1], 1);
  stage.key(Key::digit_3);
  EXPECT_EQ(choices[2], 1);
  open(AnswerKind::gaps);
  EXPECT_FALSE(app::action_named("choice.third")->available(stage.viewer()));
  open(AnswerKind::peaks);
  EXPECT_FALSE(app::action_named("choice.first")->available(stage.viewer()));
}

TEST_F(DockTest, ADocumentToCompareWithIsChosenByKeys) {
  const TemporaryFile other(answer_bytes());
  stage.open(other.path());
  open(AnswerKind::compare);
  const std::uint64_t first = stage.viewer().session().documents()[0].id;
  EXPECT_EQ(dock().compared_document, first) << "no stretches are chosen";
  stage.key(Key::digit_2);
  EXPECT_EQ(dock().compared_document, 0U);
  stage.key(Key::digit_2);
  EXPECT_EQ(dock().compared_document, first);
}

TEST_F(DockTest, TwoStretchesAreComparedByKeys) {
  stage.state().range = TimeRange{1 * ms, 2 * ms};
  stage.key(Key::c);
  EXPECT_FALSE(dock().open) << "only marked";
  stage.key(Key::c);
  EXPECT_FALSE(dock().open) << "with itself";
  stage.state().range = TimeRange{4 * ms, 5 * ms};
  stage.key(Key::c);
  stage.settle();
  EXPECT_EQ(dock().open, AnswerKind::compare);
  EXPECT_EQ(dock().compared_a, (TimeRange{1 * ms, 2 * ms}));
  EXPECT_EQ(dock().compared_b, (TimeRange{4 * ms, 5 * ms}));
  EXPECT_GT(answer(AnswerKind::compare).table.row_count, 0U);
}

TEST_F(DockTest, TabWalksThePanelFromItsTabsOn) {
  open(AnswerKind::statistics);
  stage.key(Key::tab);
  stage.key(Key::enter);
  stage.settle();
  EXPECT_EQ(dock().open, AnswerKind::search) << "its first tab";
}

TEST(ControlFocus, OnlyWhatHasPartsIsSteppedThrough) {
  ControlFocus focus;
  const auto steps_of_second = [&] {
    focus.begin_frame();
    focus.list(1);
    return focus.list(2, /*has_steps=*/true).steps;
  };
  steps_of_second();
  focus.walk(1);
  EXPECT_FALSE(focus.is_at_steps());
  focus.step(1);
  focus.walk(1);
  EXPECT_TRUE(focus.is_at_steps());
  EXPECT_EQ(steps_of_second(), 0) << "that step was for nobody";
  focus.step(1);
  focus.step(1);
  EXPECT_EQ(steps_of_second(), 2);
  EXPECT_EQ(steps_of_second(), 0);
  focus.step(-1);
  focus.leave();
  EXPECT_EQ(steps_of_second(), 0);
}

TEST_F(DockTest, BarsOfTheHistogramAreWalkedAndPressedByKeys) {
  bytepack::TraceDescription trace = answer_trace();
  for (std::size_t i = 0; i < trace.tracks[1].spans.size(); ++i) {
    trace.tracks[1].spans[i].name = "r_0";
    trace.tracks[1].spans[i].duration = static_cast<float>(10 + i);
  }
  file.write(bytepack::encode(trace, *bytepack::dialect_of('L')));
  stage.key(Key::f5);
  stage.settle();
  open(AnswerKind::statistics);
  click_row(1);
  for (int i = 0; i < 40 && !stage.viewer().focus().is_at_steps(); ++i) stage.key(Key::tab);
  ASSERT_TRUE(stage.viewer().focus().is_at_steps());
  const std::size_t first = dock().histogram_bar;
  for (int i = 0; i < 3; ++i) stage.key(Key::right);
  EXPECT_GE(dock().histogram_bar, first + 3);
  const std::size_t bar = dock().histogram_bar;
  stage.key(Key::enter);
  stage.settle();
  ASSERT_TRUE(selection());
  EXPECT_EQ(selection()->track, device);
  EXPECT_GT(selection()->length_ns, 10'000) << "not one of the shortest";
  EXPECT_EQ(tab(AnswerKind::statistics).view.chosen,
            answer(AnswerKind::statistics).table.row_count > 1
                ? tab(AnswerKind::statistics).view.order()[1]
                : 0U);
  stage.key(Key::left);
  EXPECT_LT(dock().histogram_bar, bar) << "the keys are still there";
}

TEST(Keyboard, WhatWasToldAtTheStartStaysUntilSomethingIsPressed) {
  ViewerStage stage;
  stage.viewer().tell("The settings are not as they should be");
  InputEvent event;
  event.kind = InputEvent::Kind::focus;
  event.down = true;
  stage.offscreen().feed(event);
  event.kind = InputEvent::Kind::mouse_move;
  event.down = false;
  stage.offscreen().feed(event);
  stage.settle();
  EXPECT_EQ(stage.viewer().notice().text(), "The settings are not as they should be");
  stage.key(Key::w);
  EXPECT_EQ(stage.viewer().notice().text(), "");
}

}  // namespace
}  // namespace bytescope::tests
