#include "render/track_units.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/render/named_tracks.h"

namespace bytescope::render {
namespace {

using testing::ElementsAre;

/// USER 0, TINY 1, AMD Graph 2; device i at 3 + 3 i with its copies and its memory behind it.
std::vector<LayoutTrack> devices(int count) {
  std::vector<LayoutTrack> list = {track("USER", 2), track("TINY", 5), track("AMD Graph")};
  for (int i = 0; i < count; ++i) {
    const std::string device = i == 0 ? "AMD" : fmt::format("AMD:{}", i);
    list.push_back(track(device));
    list.push_back(track(device + ":SDMA:0"));
    list.push_back(track(device + " Memory"));
  }
  return list;
}
constexpr std::uint32_t kernels(std::uint32_t device) { return 3 + 3 * device; }

std::vector<bool> folds_of(const TrackLayout& layout, std::uint32_t count) {
  std::vector<bool> folds;
  for (std::uint32_t i = 0; i < count; ++i) folds.push_back(row_of(layout, kernels(i)).folded);
  return folds;
}

/// The first tracks of the units of a group in their order.
std::vector<std::uint32_t> order_of(const TrackLayout& layout, std::uint32_t group) {
  std::vector<std::uint32_t> order;
  std::uint32_t unit = UINT32_MAX;
  for (const TrackRow& row : layout.rows) {
    if (row.group != group || row.track == TrackRow::none || row.unit == unit) continue;
    unit = row.unit;
    order.push_back(row.track);
  }
  return order;
}

TEST(FitRule, FoldsTheLastDevicesUntilTheOthersFit) {
  const std::vector<LayoutTrack> list = devices(8);
  for (double height = 200; height < 1100; height += 7) {
    SCOPED_TRACE(height);
    const TrackLayout layout = layout_tracks(list, {}, height);
    const std::vector<bool> folds = folds_of(layout, 8);
    EXPECT_TRUE(std::is_sorted(folds.begin(), folds.end()));
    const auto folded = std::count(folds.begin(), folds.end(), true);
    EXPECT_TRUE(layout.height_px <= height || folded == 8) << layout.height_px;
    if (folded > 0) {
      // One device less, and it would not fit.
      TrackChanges changes;
      changes.folds[row_of(layout, kernels(8 - static_cast<std::uint32_t>(folded))).fold_id] =
          false;
      EXPECT_GT(layout_tracks(list, changes, height).height_px, height);
    }
    for (std::uint32_t i = 0; i < 8; ++i)
      if (folds[i]) EXPECT_EQ(row_of(layout, kernels(i)).height_px, 22);
  }
  EXPECT_THAT(folds_of(layout_tracks(list, {}, 922), 8), testing::Each(false)) << "1080p";
}

TEST(FitRule, OpeningADeviceLeavesTheOthersAsTheyAre) {
  const std::vector<LayoutTrack> list = devices(8);
  const TrackLayout before = layout_tracks(list, {}, 400);
  ASSERT_TRUE(row_of(before, kernels(5)).folded);
  TrackChanges changes;
  changes.folds[row_of(before, kernels(5)).fold_id] = false;
  std::vector<bool> expected = folds_of(before, 8);
  expected[5] = false;
  EXPECT_EQ(folds_of(layout_tracks(list, changes, 400), 8), expected);
  changes.folds.clear();
  changes.expanded = {kernels(6) + 2};  // its memory
  expected = folds_of(before, 8);
  expected[6] = false;
  EXPECT_EQ(folds_of(layout_tracks(list, changes, 400), 8), expected);
}

TEST(FitRule, DevicesStayOpenWhileOnlyAPanelTakesTheirRoom) {
  const std::vector<LayoutTrack> list = devices(8);
  EXPECT_THAT(folds_of(layout_tracks(list, {}, 400, 1000), 8), testing::Each(false));
  EXPECT_EQ(layout_tracks(list, {}, 400, 1000).memory_px, 26);
}

TEST(PinnedRows, StandOnTopAndDoNotScroll) {
  TrackChanges changes;
  changes.pinned = {1, kernels(1), kernels(1) + 1, kernels(1) + 2, kernels(2) + 2};
  const TrackLayout layout = layout_tracks(devices(4), changes, 900);
  std::vector<std::string> first = labels(layout);
  first.resize(6);
  EXPECT_THAT(first, ElementsAre("PINNED", "TINY", "AMD:1", "SDMA:0", "memory", "AMD:2 Memory"));
  EXPECT_EQ(layout.pinned_rows, 6U);
  EXPECT_EQ(layout.pinned_px, layout.rows[6].top_px);
  for (const double scroll : {0.0, 40.0, 120.0}) {
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
      const double y = layout.seen_top_px(i, scroll);
      EXPECT_EQ(y, layout.rows[i].top_px - (i < 6 ? 0 : scroll));
      const bool is_seen = i < 6 || y >= layout.pinned_px;
      if (is_seen) EXPECT_EQ(layout.row_at(layout.position_px(y + 1, scroll)), i);
    }
  }
}

TEST(PinnedRows, LeaveRoomForTheOthers) {
  TrackChanges changes;
  for (std::uint32_t i = 0; i < 8; ++i) changes.pinned.push_back(kernels(i) + 2);
  const TrackLayout layout = layout_tracks(devices(8), changes, 300);
  EXPECT_GT(layout.pinned_rows, 2U);
  EXPECT_LE(layout.rows[layout.pinned_rows - 1].bottom_px(), 0.6 * 300);
  EXPECT_GT(layout.rows[layout.pinned_rows].bottom_px(), 0.6 * 300);
  EXPECT_EQ(layout.rows[layout.pinned_rows].group, 0U) << "the rest of them scrolls";
}

TEST(ChangedGroups, RowsWithoutTheirDeviceSayWhoseTheyAre) {
  TrackChanges changes;
  changes.hidden = {kernels(1)};
  const TrackLayout layout = layout_tracks(devices(2), changes, 900);
  EXPECT_EQ(row_of(layout, kernels(1) + 1).label, "AMD:1 SDMA:0");
  EXPECT_EQ(row_of(layout, kernels(1) + 2).label, "AMD:1 memory");
  EXPECT_EQ(row_of(layout, kernels(0) + 2).label, "memory");
  EXPECT_EQ(layout.hidden_tracks, 1U);
}

TEST(TracksOfRow, AreTheGroupsTheDevicesOrTheOne) {
  const TrackLayout layout = layout_tracks(devices(2), {}, 900);
  EXPECT_THAT(labels(layout), ElementsAre("HOST", "USER", "TINY", "AMD × 2", "Graph", "AMD",
                                          "SDMA:0", "memory", "AMD:1", "SDMA:0", "memory"));
  EXPECT_THAT(tracks_of_row(layout, 0), ElementsAre(0U, 1U));
  EXPECT_THAT(tracks_of_row(layout, 1), ElementsAre(0U));
  EXPECT_THAT(tracks_of_row(layout, 3), ElementsAre(2U, 3U, 4U, 5U, 6U, 7U, 8U));
  EXPECT_THAT(tracks_of_row(layout, 5), ElementsAre(3U, 4U, 5U));
  EXPECT_THAT(tracks_of_row(layout, 7), ElementsAre(5U));
  TrackChanges changes;
  changes.folds[layout.rows[5].fold_id] = true;
  const TrackLayout folded = layout_tracks(devices(2), changes, 900);
  EXPECT_THAT(tracks_of_row(folded, 5), ElementsAre(3U, 4U, 5U));
}

TEST(DropPlace, HeadersDoNotMove) {
  const TrackLayout layout = layout_tracks(devices(2), {}, 900);
  EXPECT_FALSE(drop_place(layout, 0, 100));
  EXPECT_FALSE(next_place(layout, 3, 1));
}

/// What a list looks like when `from` is taken out and put before what stood at `to`.
std::vector<std::uint32_t> moved(std::vector<std::uint32_t> list, std::size_t from,
                                 std::size_t to) {
  const std::uint32_t what = list[from];
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(to), what);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(from < to ? from : from + 1));
  return list;
}

TEST(DropPlace, IsTheClosestOneAndLeadsThere) {
  std::mt19937 random(7);
  const std::vector<LayoutTrack> list = devices(6);
  TrackChanges changes;
  changes.pinned = {kernels(4) + 2, 0, kernels(5), kernels(5) + 1, kernels(5) + 2};
  changes.hidden = {kernels(3) + 1};
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    const TrackLayout layout = layout_tracks(list, changes, 900);
    const std::size_t row = random() % layout.rows.size();
    const double y = static_cast<double>(random() % 1000) - 50;
    const auto place = drop_place(layout, row, y);
    if (layout.rows[row].track == TrackRow::none) {
      ASSERT_FALSE(place);
      continue;
    }
    const std::vector<std::uint32_t> order = order_of(layout, layout.rows[row].group);
    std::size_t from = 0;
    while (row_of(layout, order[from]).unit != layout.rows[row].unit) ++from;
    ASSERT_TRUE(place);
    std::size_t to = order.size();
    if (place->before)
      to = static_cast<std::size_t>(std::find(order.begin(), order.end(), *place->before) -
                                    order.begin());
    for (const std::uint32_t other : order)
      ASSERT_LE(std::abs(place->line_px - y), std::abs(row_of(layout, other).top_px - y));
    EXPECT_EQ(place->stays, to == from || to == from + 1);
    changes = with_unit_moved(std::move(changes), layout, row, *place);
    const TrackLayout after = layout_tracks(list, changes, 900);
    EXPECT_EQ(order_of(after, layout.rows[row].group), moved(order, from, to));
    EXPECT_EQ(after.rows.size(), layout.rows.size());
  }
}

TEST(NextPlace, GoesByOneUnitAndEndsAtTheEnds) {
  const std::vector<LayoutTrack> list = devices(4);
  TrackChanges changes;
  std::vector<std::uint32_t> order = order_of(layout_tracks(list, {}, 900), 1);
  for (std::size_t at = 1; at + 1 < order.size(); ++at) {
    const TrackLayout layout = layout_tracks(list, changes, 900);
    const std::size_t row = layout.row_of_track[kernels(0)];
    changes = with_unit_moved(changes, layout, row, *next_place(layout, row, 1));
    order = moved(order, at, at + 2);
    EXPECT_EQ(order_of(layout_tracks(list, changes, 900), 1), order);
  }
  const TrackLayout layout = layout_tracks(list, changes, 900);
  EXPECT_FALSE(next_place(layout, layout.row_of_track[kernels(0)], 1));
  EXPECT_TRUE(next_place(layout, layout.row_of_track[kernels(0)], -1));
}

}  // namespace
}  // namespace bytescope::render
