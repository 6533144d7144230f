#include "render/track_layout.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/natural_order.h"
#include "render/track_units.h"
#include "tests/render/named_tracks.h"

namespace bytescope::render {
namespace {

using testing::ElementsAre;

/// Host, compiler and eight devices with copies and memory, in a file's order.
std::vector<LayoutTrack> eight_devices() {
  std::vector<LayoutTrack> list = {track("USER", 2), track("TINY", 5), track("AMD Graph")};
  for (int i = 0; i < 8; ++i) {
    const std::string device = i == 0 ? "AMD" : fmt::format("AMD:{}", i);
    list.push_back(track(device));
    list.push_back(track(device + ":SDMA:0"));
    list.push_back(track(device + " Memory"));
  }
  list.push_back(track("PYTHON Memory"));
  return list;
}

constexpr double window_px = 1056 - 134;

TEST(TrackLayout, EightDevicesFitAScreenOf1080Pixels) {
  const TrackLayout layout = layout_tracks(eight_devices(), {}, window_px);
  check_rows(layout);
  EXPECT_LE(layout.height_px, window_px);
  EXPECT_EQ(layout.kernel_px, 30);
  EXPECT_EQ(layout.memory_px, 40);
  // From one device to the next.
  EXPECT_EQ(row_of(layout, 6).top_px - row_of(layout, 3).top_px, 90);
}

TEST(TrackLayout, MemoryShrinksThenKernelsThenDevicesFold) {
  const std::vector<LayoutTrack> list = eight_devices();
  const double full = layout_tracks(list, {}, 5000).height_px;
  const TrackLayout memory = layout_tracks(list, {}, full - 8 * 5);
  EXPECT_EQ(memory.memory_px, 35);
  EXPECT_EQ(memory.kernel_px, 30);
  EXPECT_EQ(memory.height_px, full - 8 * 5);
  const TrackLayout both = layout_tracks(list, {}, full - 8 * 16);
  EXPECT_EQ(both.memory_px, 26);
  EXPECT_EQ(both.kernel_px, 28);
  const TrackLayout least = layout_tracks(list, {}, full - 8 * 22);
  EXPECT_EQ(least.memory_px, 26);
  EXPECT_EQ(least.kernel_px, 22);
  EXPECT_EQ(row_of(least, 6).top_px - row_of(least, 3).top_px, 68);
  EXPECT_FALSE(row_of(least, 24).folded);
  EXPECT_TRUE(row_of(layout_tracks(list, {}, full - 8 * 22 - 1), 24).folded);
  const TrackLayout folded = layout_tracks(list, {}, 200);
  EXPECT_EQ(row_of(folded, 6).top_px - row_of(folded, 3).top_px, 24);
}

TEST(TrackLayout, LanesOfAResizedRowGrowAndShrinkAlike) {
  const std::vector<LayoutTrack> list = eight_devices();
  const TrackLayout usual = layout_tracks(list, {}, 2000);
  for (const TrackRow& row : usual.rows) {
    if (row.kind != RowKind::spans || row.shown_lanes < 2) continue;
    for (const double factor : {1.0, 1.5, 3.0}) {
      TrackChanges changes;
      changes.heights[row.track] = {row.height_px * factor, 0};
      const TrackLayout resized = layout_tracks(list, changes, 2000);
      const TrackRow& now = row_of(resized, row.track);
      EXPECT_NEAR(now.height_px, row.height_px * factor, 1e-6);
      EXPECT_NEAR(now.first_lane_px / now.lane_px, row.first_lane_px / row.lane_px, 1e-6);
      EXPECT_EQ(now.shown_lanes, row.shown_lanes);
    }
  }
}

TEST(TrackLayout, OpeningOneTrackLeavesTheOthersTheirHeights) {
  const std::vector<LayoutTrack> list = eight_devices();
  TrackChanges changes;
  changes.expanded = {5};
  const TrackLayout before = layout_tracks(list, {}, window_px);
  const TrackLayout after = layout_tracks(list, changes, window_px);
  EXPECT_EQ(row_of(after, 5).height_px, 320);
  EXPECT_EQ(row_of(after, 3).top_px, row_of(before, 3).top_px);
  EXPECT_EQ(after.height_px, before.height_px + 320 - 40);
}

TEST(TrackLayout, EnginesOfOneDeviceHaveRoomForTheirNamesWhereThereIsAny) {
  const std::vector<LayoutTrack> list =
      tracks({"AMD", "AMD:SDMA:0", "AMD:SDMA:1", "AMD Memory", "AMD:1", "AMD:1:SDMA:0"});
  const TrackLayout roomy = layout_tracks(list, {}, 2000);
  EXPECT_EQ(row_of(roomy, 1).height_px, 14);
  EXPECT_EQ(row_of(roomy, 2).height_px, 14);
  EXPECT_EQ(row_of(roomy, 5).height_px, 10) << "nothing of its kind stands beside it";
  const TrackLayout tight = layout_tracks(list, {}, roomy.height_px - 14 - 8 - 8 - 4);
  EXPECT_EQ(row_of(tight, 3).height_px, 26) << "memory shrinks first, then kernels";
  EXPECT_EQ(row_of(tight, 0).height_px, 22);
  EXPECT_EQ(row_of(tight, 1).height_px, 12);
  const TrackLayout least = layout_tracks(list, {}, 100, 2000);
  EXPECT_EQ(row_of(least, 1).height_px, 10) << "as low as ever before anything folds";
}

TEST(TrackLayout, CollapsedTracksSayHowManyLanesAreHidden) {
  const std::vector<LayoutTrack> list = {track("TINY", 9), track("USER", 4), track("AMD", 2),
                                         track("AMD:SDMA:0", 3)};
  const TrackLayout layout = layout_tracks(list, {}, 2000);
  EXPECT_EQ(row_of(layout, 0).shown_lanes, 5U);
  EXPECT_EQ(row_of(layout, 0).hidden_lanes, 4U);
  EXPECT_EQ(row_of(layout, 0).height_px, 5 * 14 - 1);
  EXPECT_EQ(row_of(layout, 1).shown_lanes, 3U);
  EXPECT_EQ(row_of(layout, 1).hidden_lanes, 1U);
  EXPECT_EQ(row_of(layout, 2).height_px, 30 + 1 + 16);
  EXPECT_EQ(row_of(layout, 3).height_px, 10);
  EXPECT_EQ(row_of(layout, 3).hidden_lanes, 2U);
  TrackChanges changes;
  changes.expanded = {0, 3};
  const TrackLayout open = layout_tracks(list, changes, 2000);
  EXPECT_EQ(row_of(open, 0).height_px, 9 * 14 - 1);
  EXPECT_EQ(row_of(open, 3).height_px, 3 * 17 - 1);
}

TEST(TrackLayout, LanesAreFoundWhereTheyLie) {
  TrackChanges changes;
  changes.expanded = {0};
  const TrackLayout layout =
      layout_tracks(std::vector<LayoutTrack>{track("AMD", 300)}, changes, 500);
  const TrackRow& row = layout.rows.front();
  std::uint32_t found = 0;
  for (std::uint32_t lane = 0; lane < 300; ++lane) {
    const double top = row.lane_top_px(lane);
    EXPECT_EQ(row.lane_at(top), lane);
    EXPECT_EQ(row.lane_at(top + row.lane_height_px(lane) - 0.01), lane);
    EXPECT_EQ(row.lane_at(top + row.lane_height_px(lane) + 0.5), std::nullopt);
    ++found;
  }
  EXPECT_EQ(found, row.shown_lanes);
  EXPECT_EQ(row.lane_top_px(299) + row.lane_height_px(299), row.height_px);
  EXPECT_EQ(row.lane_at(-1), std::nullopt);
  EXPECT_EQ(row.lane_at(1e9), std::nullopt);
}

TEST(TrackLayout, MinorTracksFoldUnlessNothingElseIsThere) {
  const TrackLayout folded = layout_tracks(tracks({"TINY", "PYTHON Memory", "DISK"}), {}, 900);
  EXPECT_THAT(labels(folded), ElementsAre("HOST", "TINY", "PYTHON, DISK"));
  EXPECT_EQ(folded.rows.back().kind, RowKind::folded);
  EXPECT_EQ(folded.rows.back().height_px, 20);
  EXPECT_THAT(folded.rows.back().folded_tracks, ElementsAre(1, 2));
  EXPECT_EQ(folded.row_of_track[2], 2U);
  TrackChanges changes;
  changes.folds = {{folded.rows.back().fold_id, false}};
  EXPECT_THAT(labels(layout_tracks(tracks({"TINY", "PYTHON Memory", "DISK"}), changes, 900)),
              ElementsAre("HOST", "TINY", "PYTHON, DISK", "PYTHON Memory", "DISK"));
  EXPECT_THAT(labels(layout_tracks(tracks({"PYTHON Memory", "DISK"}), {}, 900)),
              ElementsAre("PYTHON, DISK", "PYTHON Memory", "DISK"));
}

TEST(TrackLayout, DevicesAndFamiliesFoldWhenAsked) {
  const std::vector<LayoutTrack> list = eight_devices();
  const TrackLayout open = layout_tracks(list, {}, 2000);
  TrackChanges changes;
  changes.folds = {{row_of(open, 6).fold_id, true}};
  const TrackLayout device = layout_tracks(list, changes, 2000);
  EXPECT_EQ(row_of(device, 6).height_px, 22);
  EXPECT_EQ(row_of(device, 6).track, 6U);
  EXPECT_TRUE(row_of(device, 6).folded);
  EXPECT_EQ(device.row_of_track[8], device.row_of_track[6]);
  const auto header = std::find_if(open.rows.begin(), open.rows.end(),
                                   [](const TrackRow& row) { return row.label == "AMD × 8"; });
  ASSERT_NE(header, open.rows.end());
  changes.folds = {{header->fold_id, true}};
  const TrackLayout family = layout_tracks(list, changes, 2000);
  EXPECT_THAT(labels(family), ElementsAre("HOST", "USER", "TINY", "AMD × 8", "PYTHON"));
  EXPECT_EQ(family.rows[3].folded_tracks.size(), 25U);
}

TEST(TrackLayout, DraggedHeightsHoldForTheStateTheyWereDraggedIn) {
  const std::vector<LayoutTrack> list = {track("AMD", 2), track("AMD Memory")};
  TrackChanges changes;
  changes.heights[0] = {77, 0};
  changes.heights[1] = {60, 500};
  EXPECT_EQ(row_of(layout_tracks(list, changes, 900), 0).height_px, 77);
  EXPECT_EQ(row_of(layout_tracks(list, changes, 900), 1).height_px, 60);
  changes.expanded = {1};
  EXPECT_EQ(row_of(layout_tracks(list, changes, 900), 1).height_px, 500);
  changes.heights[1] = {1, 1};
  EXPECT_EQ(row_of(layout_tracks(list, changes, 900), 1).height_px, 26);
}

TEST(TrackLayout, HiddenPinnedAndMovedTracks) {
  const std::vector<LayoutTrack> list = eight_devices();
  TrackChanges changes;
  changes.hidden = {0, 1};
  changes.pinned = {11, 3, 3, 9999};
  changes.moves = {{18, 6}, {6, std::nullopt}, {18, 0}};
  const TrackLayout layout = layout_tracks(list, changes, 2000);
  check_rows(layout);
  EXPECT_EQ(layout.row_of_track[0], TrackRow::none);
  EXPECT_THAT(std::vector<std::string>(labels(layout)), testing::Contains("PINNED"));
  EXPECT_EQ(layout.row_of_track[11], 1U);
  EXPECT_EQ(layout.row_of_track[3], 2U);
  EXPECT_EQ(layout.rows[1].label, "AMD:2 Memory");
  EXPECT_LT(layout.row_of_track[18], layout.row_of_track[9]);
  EXPECT_GT(layout.row_of_track[6], layout.row_of_track[24]);
}

TEST(TrackLayout, RowsBetweenAgreesWithLookingAtAll) {
  const TrackLayout layout = layout_tracks(eight_devices(), {}, 700);
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const double y0 = static_cast<double>(random() % 1100) - 50;
    const double y1 = y0 + 1 + static_cast<double>(random() % 400);
    const auto [first, last] = layout.rows_between(y0, y1);
    for (std::size_t r = 0; r < layout.rows.size(); ++r) {
      const TrackRow& row = layout.rows[r];
      ASSERT_EQ(row.bottom_px() > y0 && row.top_px < y1, first <= r && r < last);
    }
    std::optional<std::size_t> at;
    for (std::size_t r = 0; r < layout.rows.size(); ++r)
      if (layout.rows[r].top_px <= y0 && y0 < layout.rows[r].bottom_px()) at = r;
    ASSERT_EQ(layout.row_at(y0), at) << y0;
  }
}

TEST(TrackLayout, NoTracksNoRows) {
  const TrackLayout layout = layout_tracks({}, {}, 900);
  EXPECT_TRUE(layout.rows.empty());
  EXPECT_EQ(layout.height_px, 0);
  EXPECT_EQ(layout.rows_between(0, 900), (std::pair<std::size_t, std::size_t>(0, 0)));
}

TEST(TrackLayout, TwentyThousandTracksAreLaidOutQuickly) {
  std::vector<LayoutTrack> list;
  for (int i = 20000; i > 0; --i) list.push_back(track(fmt::format("AMD:{}", i), 60000));
  TrackChanges changes;
  for (std::uint32_t i = 0; i < 20000; i += 2) changes.expanded.insert(i);
  const auto begin = std::chrono::steady_clock::now();
  const TrackLayout layout = layout_tracks(list, changes, 900);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
  EXPECT_EQ(layout.rows.size(), 20001U);
  EXPECT_EQ(row_of(layout, 19999).label, "AMD:1");
}

/// The tracks of a merged trace, in the order of the file.
std::vector<LayoutTrack> merged_tracks() {
  std::vector<LayoutTrack> list;
  for (const char* file : {"z run: 1.bin", "a.bin"}) {
    for (const char* name : {"AMD:1", "AMD", "AMD Memory", "USER", "PYTHON"}) {
      list.push_back(track(name));
      list.back().name = std::string(file) + "/" + name;
      list.back().prefix_bytes = static_cast<std::uint32_t>(std::string(file).size() + 1);
    }
  }
  return list;
}

TEST(TrackLayout, OfAMergedTraceGroupsTheTracksOfEachFileUnderItsName) {
  const TrackLayout layout = layout_tracks(merged_tracks(), {}, window_px);
  check_rows(layout);
  EXPECT_THAT(labels(layout), ElementsAre("z run: 1.bin", "HOST", "USER", "AMD × 2", "AMD",
                                          "memory", "AMD:1", "PYTHON", "a.bin", "HOST", "USER",
                                          "AMD × 2", "AMD", "memory", "AMD:1", "PYTHON"));
  EXPECT_TRUE(layout.rows[0].heads_file);
  std::set<std::string> ids;
  for (const TrackRow& row : layout.rows)
    if (row.kind == RowKind::header || row.heads_unit) ids.insert(row.fold_id);
  EXPECT_EQ(ids.size(), 8U) << "a file, its host, its family and its device, twice";
  EXPECT_EQ(tracks_of_row(layout, 8).size(), 5U);
}

TEST(TrackLayout, AFileOfAMergedTraceFoldsToOneRow) {
  TrackChanges changes;
  const TrackLayout open = layout_tracks(merged_tracks(), changes, window_px);
  changes = with_fold_switched(changes, open.rows[0]);
  const TrackLayout folded = layout_tracks(merged_tracks(), changes, window_px);
  check_rows(folded);
  EXPECT_EQ(folded.rows[0].kind, RowKind::folded);
  EXPECT_EQ(folded.rows[0].folded_tracks.size(), 5U);
  EXPECT_EQ(folded.rows[1].label, "a.bin");
  EXPECT_EQ(folded.row_of(0), 0U);
  EXPECT_EQ(tracks_of_row(folded, 0).size(), 5U);
  EXPECT_EQ(with_fold_switched(changes, folded.rows[0]).folds.at(folded.rows[0].fold_id), false);
}

TEST(TrackLayout, PinnedTracksOfAMergedTraceTellTheirFile) {
  TrackChanges changes;
  changes.pinned = {1, 2, 5};
  const TrackLayout layout = layout_tracks(merged_tracks(), changes, window_px);
  EXPECT_EQ(layout.rows[1].label, "z run: 1.bin/AMD");
  EXPECT_EQ(layout.rows[3].label, "a.bin/AMD:1");
}

}  // namespace
}  // namespace bytescope::render
