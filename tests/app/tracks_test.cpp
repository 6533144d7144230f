// What can be changed about the tracks: folded, pinned, hidden, moved, taken back.

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/actions.h"
#include "app/track_history.h"
#include "core/generate/generate.h"
#include "render/name_column.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/plain_trace.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::tests {
namespace {

using app::Key;
using render::TrackChanges;
using testing::ElementsAre;

constexpr app::Modifiers with_command_and_shift{true, true, false, false};

TEST(TrackHistory, TakesBackAndAgain) {
  app::TrackHistory history;
  EXPECT_FALSE(history.undo({}));
  EXPECT_FALSE(history.redo({}));
  TrackChanges a;
  a.hidden = {1};
  TrackChanges b = a;
  b.pinned = {2};
  history.note({});
  history.note(a);
  EXPECT_EQ(history.undo(b), a);
  EXPECT_EQ(history.undo(a), TrackChanges());
  EXPECT_FALSE(history.undo({}));
  EXPECT_EQ(history.redo({}), a);
  EXPECT_EQ(history.redo(a), b);
  EXPECT_EQ(history.undo(b), a);
  history.note(a);
  EXPECT_FALSE(history.can_redo()) << "another way was taken";
}

/// A generated trace with four devices.
class TracksTest : public testing::Test {
protected:
  TracksTest() {
    generate::Options options;
    options.events = 4000;
    options.devices = 4;
    options.seed = 3;
    EXPECT_TRUE(generate::write_trace(folder / "tracks.bin", options, Cancel()));
    stage.open(path());
    first = stage.track(stage.layout().rows[device_row(0)].label);
    second = stage.track(stage.layout().rows[device_row(1)].label);
    memory = stage.track(stage.trace().tracks[second].head.name + " Memory");
  }
  std::string path() const { return folder / "tracks.bin"; }
  /// The row of a device.
  std::size_t device_row(int number) {
    const auto& rows = stage.layout().rows;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i].heads_unit && rows[i].role == trace::TrackRole::device && number-- == 0) return i;
    throw std::runtime_error("no such device");
  }
  const TrackChanges& changes() { return stage.state().changes; }
  Point triangle_of(std::uint32_t track) {
    const Point name = stage.name_of(track);
    return {stage.areas().names.x0 + render::name_left_px(stage.row(track)) - 8, name.y};
  }
  /// Does what a key does with the pointer over a name.
  void act_on(std::uint32_t track, Key key, app::Modifiers modifiers = no_modifiers) {
    stage.move(stage.name_of(track));
    stage.key(key, modifiers);
  }

  TemporaryFolder folder;
  ViewerStage stage;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::uint32_t memory = 0;
};

TEST_F(TracksTest, TheTriangleOfADeviceFoldsIt) {
  stage.click(triangle_of(second));
  EXPECT_TRUE(stage.row(second).folded);
  EXPECT_FALSE(stage.row(first).folded);
  EXPECT_EQ(&stage.row(memory), &stage.row(second));
  stage.rest();
  stage.click(stage.name_of(second));
  EXPECT_FALSE(stage.row(second).folded) << "anywhere on a folded one opens it";
}

TEST_F(TracksTest, CtrlZTakesBackAndCtrlShiftZTakesAgain) {
  stage.click(triangle_of(second));
  act_on(first, Key::x);
  EXPECT_TRUE(changes().hidden.contains(first));
  const TrackChanges both = changes();
  stage.key(Key::z, with_command);
  EXPECT_FALSE(changes().hidden.contains(first));
  EXPECT_TRUE(stage.row(second).folded);
  stage.key(Key::z, with_command);
  EXPECT_EQ(changes(), TrackChanges());
  stage.key(Key::z, with_command);
  EXPECT_EQ(changes(), TrackChanges());
  stage.key(Key::z, with_command_and_shift);
  stage.key(Key::z, with_command_and_shift);
  EXPECT_EQ(changes(), both);
}

TEST_F(TracksTest, HidingADeviceHidesAllOfItAndTheNoteShowsItAgain) {
  act_on(second, Key::x);
  EXPECT_EQ(stage.layout().row_of_track[second], render::TrackRow::none);
  EXPECT_EQ(stage.layout().row_of_track[memory], render::TrackRow::none);
  const render::Box note = render::hidden_note_box(stage.areas(), stage.layout());
  ASSERT_GT(note.width(), 0);
  stage.click({note.x0 + 20, (note.y0 + note.y1) / 2});
  EXPECT_TRUE(changes().hidden.empty());
  EXPECT_EQ(render::hidden_note_box(stage.areas(), stage.layout()).width(), 0);
  stage.key(Key::z, with_command);
  EXPECT_TRUE(changes().hidden.contains(second)) << "that is a change as well";
}

TEST_F(TracksTest, ShownAloneNothingElseIsThere) {
  act_on(memory, Key::o);
  std::vector<std::uint32_t> shown;
  for (const render::TrackRow& row : stage.layout().rows)
    if (row.track != render::TrackRow::none) shown.push_back(row.track);
  EXPECT_THAT(shown, ElementsAre(memory));
  stage.key(Key::x, with_shift);
  EXPECT_TRUE(changes().hidden.empty());
}

TEST_F(TracksTest, WhatIsPinnedStaysWhileTheRestScrolls) {
  act_on(second, Key::t);
  EXPECT_TRUE(stage.layout().rows[0].label == "PINNED");
  stage.viewer().set_expanded(memory, false);
  stage.state().changes.heights[stage.track("TINY")].collapsed_px = 900;
  stage.settle();
  const float y = stage.areas().tracks.y0 + static_cast<float>(stage.row(second).top_px) + 10;
  stage.wheel({100, 500}, -3);
  stage.settle();
  ASSERT_GT(stage.state().scroll_px, 50);
  const app::Selection span = stage.span(second, 100);
  stage.state().viewport = stage.state().viewport.showing(
      {span.begin_ns - 10'000, span.begin_ns + std::llround(span.length_ns) + 10'000});
  stage.settle();
  stage.click({stage.x_of(span.begin_ns + std::llround(span.length_ns / 2)), y});
  ASSERT_TRUE(stage.state().selection);
  EXPECT_EQ(*stage.state().selection, span) << "it is found where it is seen";
  act_on(second, Key::escape);
  stage.move({60, y});
  stage.key(Key::t);
  EXPECT_TRUE(changes().pinned.empty());
}

TEST_F(TracksTest, DraggingANameMovesTheDevice) {
  const std::size_t row = device_row(0);
  const auto& rows = stage.layout().rows;
  const Point from = stage.name_of(first);
  const render::TrackRow next = rows[device_row(1)];
  const Point to = {from.x, stage.top_of(next) + 100};
  EXPECT_GT(to.y, from.y);
  stage.drag(from, to);
  EXPECT_EQ(stage.layout().rows[row].track, second);
  EXPECT_EQ(stage.layout().rows[device_row(1)].track, first);
  EXPECT_FALSE(stage.row(first).expanded) << "no click";
  stage.key(Key::z, with_command);
  EXPECT_EQ(stage.layout().rows[row].track, first);
}

TEST_F(TracksTest, AltUpAndDownMoveTheTrackOfTheSelection) {
  stage.viewer().select_and_reveal(stage.span(first, 3));
  stage.move({900, 5});  // over no row
  const std::size_t row = device_row(0);
  stage.key(Key::down, with_alt);
  EXPECT_EQ(stage.layout().rows[row].track, second);
  stage.key(Key::up, with_alt);
  EXPECT_EQ(stage.layout().rows[row].track, first);
}

TEST_F(TracksTest, AJumpToWhatIsHiddenShowsIt) {
  act_on(second, Key::x);
  stage.viewer().select_and_reveal(stage.span(second, 7));
  EXPECT_NE(stage.layout().row_of_track[second], render::TrackRow::none);
  stage.viewer().reveal_track(memory);
  EXPECT_NE(stage.layout().row_of_track[memory], render::TrackRow::none);
  stage.click(triangle_of(second));
  ASSERT_TRUE(stage.row(memory).folded);
  stage.viewer().reveal_track(memory);
  EXPECT_FALSE(stage.row(memory).folded);
  act_on(memory, Key::o);
  stage.viewer().reveal_track(first);
  EXPECT_NE(stage.layout().row_of_track[first], render::TrackRow::none);
}

TEST_F(TracksTest, GoingBackThroughViewsLeavesTheTracksAsTheyAre) {
  stage.viewer().fit_trace();
  stage.wheel({700, 300}, 5);
  act_on(second, Key::x);
  stage.rest();
  stage.key(Key::left, with_alt);
  EXPECT_TRUE(changes().hidden.contains(second));
  EXPECT_EQ(stage.state().viewport, stage.state().viewport.fitted());
}

TEST_F(TracksTest, AResizeIsOneStep) {
  const TrackChanges before = changes();
  const render::TrackRow row = stage.row(memory);
  const float y = stage.top_of(row) + static_cast<float>(row.height_px) - 1;
  stage.drag({500, y}, {500, y + 60});
  EXPECT_NEAR(stage.row(memory).height_px, row.height_px + 60, 1);
  ASSERT_TRUE(changes().heights.contains(memory));
  stage.key(Key::z, with_command);
  EXPECT_EQ(changes(), before);
}

TEST_F(TracksTest, ARowOfSeveralLanesIsResizedAtItsLowerEdge) {
  const std::uint32_t compiler = stage.track("TINY");
  const render::TrackRow row = stage.row(compiler);
  ASSERT_GT(row.shown_lanes, 1U);
  const float y = stage.top_of(row) + static_cast<float>(row.height_px) - 1;
  stage.drag({500, y}, {500, y + 60});
  EXPECT_NEAR(stage.row(compiler).height_px, row.height_px + 60, 1);
  EXPECT_GT(stage.row(compiler).lane_px, row.lane_px) << "all of its lanes";
}

TEST_F(TracksTest, ChangesComeBackWithTheFile) {
  stage.click(triangle_of(first));
  act_on(second, Key::t);
  act_on(stage.track("TINY"), Key::x);
  stage.move({900, 5});
  const TrackChanges before = changes();
  ViewerStage later;
  later.viewer().recall(stage.viewer().remembered());
  later.open(path());
  EXPECT_EQ(later.state().changes, before);
  EXPECT_FALSE(later.view().track_history().can_undo());
}

TEST_F(TracksTest, AllThatIsDoneCanBeTakenBack) {
  std::mt19937 random(11);
  const auto actions = app::window_actions();
  std::vector<const app::WindowAction*> of_tracks;
  for (const app::WindowAction& action : actions)
    if (std::string(action.group) == "Tracks") of_tracks.push_back(&action);
  std::vector<TrackChanges> seen = {changes()};
  for (int i = 0; i < 70; ++i) {
    const auto y = static_cast<float>(80 + random() % 600);
    const Point at = {static_cast<float>(20 + random() % 150), y};
    const app::WindowAction& action = *of_tracks[random() % of_tracks.size()];
    const std::string id = action.id;
    if (id == "track.undo" || id == "track.redo") continue;
    stage.move(at);
    switch (random() % 4) {
      case 0: stage.click(at); break;
      case 1: stage.drag(at, {at.x, static_cast<float>(80 + random() % 600)}); break;
      default:
        if (action.available(stage.viewer())) action.run(stage.viewer());
    }
    stage.rest();
    if (!(seen.back() == changes())) seen.push_back(changes());
  }
  EXPECT_GT(seen.size(), 20U);
  const TrackChanges last = changes();
  while (stage.view().undo_tracks()) {
  }
  EXPECT_EQ(changes(), TrackChanges());
  while (stage.view().redo_tracks()) {
  }
  EXPECT_EQ(changes(), last);
}

TEST(FoldedFamily, ShowsTheMeanBusyAreaOfItsDevicesAndItsShare) {
  const TemporaryFile file(plain_bytes());
  ViewerStage stage;
  stage.open(file.path());
  const auto& rows = stage.layout().rows;
  const auto header = std::find_if(rows.begin(), rows.end(), [](const render::TrackRow& row) {
    return row.kind == render::RowKind::header && row.label.rfind("AMD", 0) == 0;
  });
  ASSERT_NE(header, rows.end());
  stage.state().changes.folds[header->fold_id] = true;
  stage.settle();
  const render::TrackRow& folded = stage.row(stage.track("AMD"));
  ASSERT_EQ(folded.kind, render::RowKind::folded);
  const float top = stage.top_of(folded);
  const render::Scene& scene = stage.viewer().scene();
  const auto in_row = [&](const render::Box& box) {
    return box.y0 >= top && box.y1 <= top + static_cast<float>(folded.height_px);
  };
  const auto bars = std::count_if(
      scene.column_rows.begin(), scene.column_rows.end(), [&](const render::ColumnRow& row) {
        return row.kind == render::ColumnRow::Kind::bars && in_row(row.box);
      });
  EXPECT_EQ(bars, 1) << "one area for all";
  EXPECT_TRUE(std::none_of(scene.marks.begin(), scene.marks.end(),
                           [&](const render::RectMark& mark) { return in_row(mark.box); }));
  std::string figure;
  for (const render::Label& label : scene.labels) {
    if (label.y > top && label.y < top + static_cast<float>(folded.height_px))
      for (const render::TextPiece& piece : label.pieces)
        if (label.x > 100) figure += piece.text;
  }
  EXPECT_THAT(figure, testing::MatchesRegex("folded [0-9.]+%"));
}

}  // namespace
}  // namespace bytescope::tests
