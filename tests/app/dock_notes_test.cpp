// Own markers and kept ranges.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/dock_stage.h"

namespace bytescope::tests {
namespace {

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

TEST_F(DockTest, F2NamesWhatWasMadeLast) {
  stage.move({600, 400});
  stage.key(Key::m);
  stage.key(Key::f2);
  stage.settle();
  write("first");
  stage.key(Key::enter);
  stage.settle();
  ASSERT_EQ(stage.view().notes().markers.size(), 1U);
  EXPECT_EQ(stage.view().notes().markers[0].name, "first");
  EXPECT_EQ(dock().open, AnswerKind::markers);
  stage.state().range = TimeRange{1 * ms, 2 * ms};
  stage.key(Key::k);
  stage.settle();
  stage.key(Key::f2);
  stage.settle();
  write("kept");
  stage.key(Key::enter);
  stage.settle();
  ASSERT_EQ(stage.view().notes().ranges.size(), 1U);
  EXPECT_EQ(stage.view().notes().ranges[0].name, "kept");
}

TEST_F(DockTest, ARowIsTypedAnewInItsPlace) {
  open(AnswerKind::cards);
  click_row(1);
  ASSERT_EQ(dock().renamed, std::optional<std::size_t>(1));
  for (const char c : std::string("960 GB")) stage.type(static_cast<char32_t>(c));
  stage.click({row_place(1).x + 360, row_place(1).y});
  stage.settle();
  EXPECT_EQ(dock().new_name, "960 GB") << "a click in the field begins nothing anew";
  for (const char c : std::string("/s")) stage.type(static_cast<char32_t>(c));
  stage.key(Key::enter);
  stage.settle();
  EXPECT_EQ(stage.viewer().cards(), (app::CardTable{{"AMD", {0, 960e9, 0}}}));
  EXPECT_EQ(tab(AnswerKind::cards).view.chosen, 1U) << "the row stays chosen";
  EXPECT_FALSE(dock().renamed);
}

TEST_F(DockTest, NoFilterHidesWhatIsTypedAnew) {
  stage.move({600, 400});
  stage.key(Key::m);
  open(AnswerKind::markers);
  tab(AnswerKind::markers).view.filter = "step";
  stage.settle();
  stage.key(Key::f2);
  stage.settle();
  EXPECT_EQ(tab(AnswerKind::markers).view.filter, "");
  EXPECT_LT(tab(AnswerKind::markers).view.typed, answer(AnswerKind::markers).table.row_count);
}

TEST_F(DockTest, NoRoomIsLeftForAToolbarWithNothingInIt) {
  for (const app::AnswerTab& kind : app::answer_tabs()) {
    dock().open = kind.kind;
    const float table_px = app::dock_table_height_px(dock(), 270);
    const bool has_controls = kind.filter_hint != nullptr || !kind.choices.empty();
    if (has_controls) {
      EXPECT_TRUE(kind.has_toolbar) << kind.id;
    }
    EXPECT_EQ(table_px, kind.has_toolbar ? 184 : 216) << kind.id;
  }
}

TEST_F(DockTest, ASelectionAndAMeasuredRangeAreToldOfTogether) {
  select(device, 2);
  stage.state().range = TimeRange{1 * ms, 2 * ms};
  stage.settle();
  ASSERT_TRUE(selection());
  const render::Box panel = stage.areas().panel;
  const float heading_y = panel.y0 + panel.height() * 0.6F + 23;
  stage.click({panel.x1 - 20, heading_y});
  stage.settle();
  EXPECT_FALSE(range()) << "its own cross";
  EXPECT_TRUE(selection());
}

}  // namespace
}  // namespace bytescope::tests
