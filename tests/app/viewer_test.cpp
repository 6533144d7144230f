#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/viewer_stage.h"
#include "tests/support/nanoseconds.h"
#include "tests/support/plain_trace.h"

namespace bytescope::tests {
namespace {

using app::Key;
using app::MouseButton;
using testing::HasSubstr;

class ViewerTest : public testing::Test {
protected:
  ViewerTest() : file(plain_bytes()) {
    stage.open(file.path());
    device = stage.track("AMD");
    memory = stage.track("AMD Memory");
  }
  void select(std::uint32_t track, std::uint32_t record) {
    stage.viewer().select_and_reveal(stage.span(track, record));
    stage.offscreen().frame();
  }
  std::uint32_t selected() { return stage.state().selection.value().number; }
  bool is_in_view(const app::Selection& item) {
    const query::TimeRange window = stage.state().viewport.window();
    return item.begin_ns >= window.begin_ns &&
           item.begin_ns + static_cast<std::int64_t>(item.length_ns) <= window.end_ns;
  }

  TemporaryFile file;
  ViewerStage stage;
  std::uint32_t device = 0;
  std::uint32_t memory = 0;
};

TEST_F(ViewerTest, ArrowsWalkOverEverySpanOfALaneInOrder) {
  stage.state().viewport = stage.state().viewport.showing({0, 500 * us});
  select(device, 0);
  for (std::uint32_t i = 1; i < plain_kernels; ++i) {
    stage.key(Key::right);
    ASSERT_EQ(stage.state().selection, stage.span(device, i));
    ASSERT_TRUE(is_in_view(*stage.state().selection)) << i;
  }
  stage.key(Key::right);
  EXPECT_EQ(selected(), plain_kernels - 1) << "stays at the end";
  for (std::uint32_t i = plain_kernels - 1; i > 0; --i) {
    stage.key(Key::left);
    ASSERT_EQ(selected(), i - 1);
  }
}

TEST_F(ViewerTest, UpAndDownChangeTheLaneAndTheTrack) {
  const std::uint32_t user = stage.track("USER");
  select(user, 0);
  stage.key(Key::down);
  EXPECT_EQ(stage.state().selection, stage.span(user, 2)) << "what its middle lies over";
  stage.key(Key::down);
  EXPECT_EQ(stage.state().selection->track, device);
  stage.key(Key::down);
  EXPECT_EQ(stage.state().selection->track, stage.track("AMD:1"));
  stage.key(Key::up);
  EXPECT_EQ(stage.state().selection->track, device);
}

TEST_F(ViewerTest, KeysZoomAboutThePointerAndPan) {
  stage.state().viewport = stage.state().viewport.showing({4 * ms, 6 * ms});
  stage.move({800, 300});
  const auto before = stage.state().viewport;
  const std::int64_t held = stage.time_at(800);
  stage.key(Key::w);
  EXPECT_NEAR(before.length_ns() / stage.state().viewport.length_ns(), 1.25, 1e-9);
  EXPECT_NEAR(static_cast<double>(stage.x_of(held)), 800, 0.02);
  stage.key(Key::s);
  EXPECT_NEAR(before.length_ns(), stage.state().viewport.length_ns(), 1e-3);
  stage.key(Key::d);
  EXPECT_NEAR(static_cast<double>(stage.x_of(held)), 800 - 73.2, 0.1);
  stage.key(Key::a);
  stage.key(Key::left, with_shift);
  EXPECT_NEAR(static_cast<double>(stage.x_of(held)), 800 + 73.2, 0.1);
  stage.key(Key::home);
  EXPECT_EQ(stage.state().viewport.window(), (query::TimeRange{0, 10 * ms}));
}

TEST_F(ViewerTest, FShowsTheSelectionOrElseTheRange) {
  select(device, 30);
  stage.key(Key::f);
  const app::Selection span = stage.span(device, 30);
  EXPECT_TRUE(is_in_view(span));
  EXPECT_LT(stage.state().viewport.length_ns(), span.length_ns * 1.3);
  stage.key(Key::escape);
  stage.state().range = query::TimeRange{2 * ms, 3 * ms};
  stage.key(Key::f);
  EXPECT_EQ(stage.state().viewport.window(), (query::TimeRange{2 * ms, 3 * ms}));
}

TEST_F(ViewerTest, BackAndForwardGoThroughTheViews) {
  const auto first = stage.state();
  stage.wheel({600, 300}, 5);
  stage.rest();
  const auto second = stage.state();
  stage.drag({600, 300}, {700, 300});
  stage.rest();
  const auto third = stage.state();
  stage.key(Key::left, with_alt);
  EXPECT_EQ(stage.state(), second);
  stage.press({600, 300}, MouseButton::back);
  EXPECT_EQ(stage.state(), first);
  stage.key(Key::left, with_alt);
  EXPECT_EQ(stage.state(), first) << "there is nothing before";
  for (int i = 0; i < 3; ++i) stage.key(Key::right, with_alt);
  EXPECT_EQ(stage.state(), third);
  stage.press({600, 300}, MouseButton::forward);
  EXPECT_EQ(stage.state(), third) << "nor behind";
}

TEST_F(ViewerTest, GoingBackLeavesTheTracksAsTheyAre) {
  stage.wheel({600, 300}, 5);
  stage.rest();
  stage.click(stage.name_of(memory));
  EXPECT_TRUE(stage.row(memory).expanded);
  stage.key(Key::left, with_alt);
  EXPECT_TRUE(stage.row(memory).expanded);
  stage.key(Key::z, with_command);
  EXPECT_FALSE(stage.row(memory).expanded);
}

TEST_F(ViewerTest, AMotionOfManyStepsIsOneViewOfTheHistory) {
  const auto first = stage.state().viewport;
  for (int i = 0; i < 10; ++i) stage.wheel({600, 300}, 0.5F);
  for (int i = 0; i < 5; ++i) stage.key(Key::w);
  stage.key(Key::left, with_alt);
  EXPECT_EQ(stage.state().viewport, first);
}

TEST_F(ViewerTest, KeysLeaveAViewBehindToo) {
  const auto first = stage.state().viewport;
  stage.key(Key::w);
  stage.key(Key::d);
  stage.rest();
  const auto second = stage.state().viewport;
  stage.key(Key::w);
  stage.key(Key::left, with_alt);
  EXPECT_EQ(stage.state().viewport, second);
  stage.key(Key::left, with_alt);
  EXPECT_EQ(stage.state().viewport, first);
}

TEST_F(ViewerTest, EscapeLeavesOneThingAfterAnother) {
  select(device, 3);
  stage.state().range = query::TimeRange{2 * ms, 3 * ms};
  stage.type(U'?');
  stage.key(Key::escape);
  EXPECT_TRUE(stage.state().range) << "only the help page is gone";
  stage.click(stage.place_of(device, 3), MouseButton::right);
  stage.key(Key::escape);
  EXPECT_TRUE(stage.state().range) << "only the menu is gone";
  stage.key(Key::escape);
  EXPECT_FALSE(stage.state().range);
  EXPECT_TRUE(stage.state().selection);
  stage.key(Key::escape);
  EXPECT_FALSE(stage.state().selection);
  stage.key(Key::escape);
  EXPECT_FALSE(stage.viewer().quit_requested());
}

TEST_F(ViewerTest, CopyPutsTheFactsOnTheClipboard) {
  select(device, 7);
  stage.key(Key::c, with_command);
  stage.settle();
  EXPECT_THAT(stage.offscreen().clipboard().clipboard_text(), HasSubstr("r_2\n"));
  EXPECT_THAT(stage.offscreen().clipboard().clipboard_text(), HasSubstr("duration\t120 "));
}

TEST_F(ViewerTest, ReloadKeepsTheViewAndTheSelection) {
  stage.click(stage.name_of(memory));
  stage.state().viewport = stage.state().viewport.showing({4 * ms, 6 * ms});
  select(device, 25);
  const auto before = stage.state();
  stage.key(Key::f5);
  stage.settle();
  EXPECT_EQ(stage.state(), before);
  // Another track before all others: what is open and selected is found again by name.
  bytepack::TraceDescription changed = plain_trace();
  changed.tracks.insert(changed.tracks.begin(), changed.tracks[0]);
  changed.tracks[0].name = "PYTHON";
  file.write(bytepack::encode(changed, *bytepack::dialect_of('L')));
  stage.key(Key::r, with_command);
  stage.settle();
  EXPECT_EQ(stage.track("AMD"), device + 1);
  EXPECT_EQ(stage.state().selection, stage.span(device + 1, 25));
  EXPECT_TRUE(stage.row(memory + 1).expanded);
  EXPECT_EQ(stage.state().viewport.window(), before.viewport.window());
}

TEST_F(ViewerTest, AReloadThatFailsKeepsWhatIsShown) {
  select(device, 3);
  const std::array<std::byte, 5> nonsense{};
  file.write(nonsense);
  stage.key(Key::f5);
  stage.settle();
  ASSERT_NE(stage.viewer().active(), nullptr);
  EXPECT_TRUE(stage.viewer().active_document()->error);
  EXPECT_EQ(stage.state().selection->number, 3U);
  for (int i = 0; i < 8; ++i) stage.wheel({600, 300}, 4);  // records that are gone are read
  file.write(plain_bytes());
  stage.key(Key::f5);
  stage.settle();
  EXPECT_FALSE(stage.viewer().active_document()->error);
  EXPECT_EQ(stage.state().selection, stage.span(device, 3));
}

TEST_F(ViewerTest, AMenuDoesNotOutliveWhatItWasOpenedOn) {
  stage.click(stage.place_of(device, 40), MouseButton::right);
  bytepack::TraceDescription smaller = plain_trace();
  smaller.tracks.resize(1);
  file.write(bytepack::encode(smaller, *bytepack::dialect_of('L')));
  stage.key(Key::f5);
  stage.settle();
  EXPECT_EQ(stage.trace().tracks.size(), 1U);
  stage.click(stage.place_of(0, 0));
  EXPECT_EQ(stage.state().selection, stage.span(0, 0));
}

TEST_F(ViewerTest, RowsMayFoldUnderAMenu) {
  const std::size_t rows = stage.layout().rows.size();
  const render::TrackRow header = stage.layout().rows[rows - 4];
  ASSERT_EQ(header.kind, render::RowKind::header);
  stage.click({60, stage.top_of(header) + 10});
  ASSERT_LT(stage.layout().rows.size(), rows);
  stage.rest();
  stage.click({60, stage.top_of(header) + 10});
  stage.click(stage.name_of(memory), MouseButton::right);
  stage.key(Key::z, with_command);
  EXPECT_LT(stage.layout().rows.size(), rows);
  stage.settle();
}

TEST_F(ViewerTest, WhatIsSelectedInAFoldedGroupIsShown) {
  const render::TrackRow header = stage.layout().rows[stage.layout().rows.size() - 4];
  stage.click({60, stage.top_of(header) + 10});
  ASSERT_TRUE(stage.row(device).folded);
  select(device, 20);
  EXPECT_FALSE(stage.row(device).folded);
  EXPECT_EQ(stage.row(device).track, device);
}

TEST_F(ViewerTest, CountsOfANameAreThoseOfTheTabThatIsShown) {
  bytepack::TraceDescription once = plain_trace();
  for (std::size_t i = 0; i < plain_kernels; ++i)
    once.tracks[device].spans[i].name = "r_" + std::to_string(i);
  const TemporaryFile second(bytepack::encode(once, *bytepack::dialect_of('L')));
  const auto facts = [this] {
    select(device, 7);
    stage.settle();
    stage.key(Key::c, with_command);
    return stage.offscreen().clipboard().clipboard_text();
  };
  EXPECT_THAT(facts(), HasSubstr("2 of 10"));
  stage.open(second.path());
  EXPECT_THAT(facts(), HasSubstr("1 of 1\n"));
  stage.key(Key::tab, with_command);
  EXPECT_THAT(facts(), HasSubstr("2 of 10"));
}

TEST_F(ViewerTest, ASelectedBufferTooThinForThePictureIsMarkedOnTheGround) {
  bytepack::TraceDescription thin = plain_trace();
  thin.tracks[memory].memory[3].length = 1;
  const TemporaryFile second(bytepack::encode(thin, *bytepack::dialect_of('L')));
  stage.open(second.path());
  const app::Selection buffer = app::buffer_selection(stage.trace(), memory, 3);
  stage.viewer().select_and_reveal(buffer);
  stage.settle();
  const float y =
      stage.top_of(stage.row(memory)) + static_cast<float>(stage.row(memory).height_px) - 2;
  const auto is_marked = [&](std::int64_t time_ns) {
    const render::Picture picture = stage.offscreen().pixels();
    const auto at =
        static_cast<std::size_t>(y) * picture.width + static_cast<std::size_t>(stage.x_of(time_ns));
    return picture.pixels[at].g > 220;
  };
  EXPECT_FALSE(is_marked(buffer.begin_ns - 100 * us));
  EXPECT_TRUE(is_marked(buffer.begin_ns + 100 * us));
  EXPECT_TRUE(is_marked(buffer.begin_ns + static_cast<std::int64_t>(buffer.length_ns) - 100 * us));
}

}  // namespace
}  // namespace bytescope::tests
