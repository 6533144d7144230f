// Which tracks stand together, under which names, in which order.

#include <random>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/track_layout.h"
#include "render/track_units.h"
#include "tests/render/named_tracks.h"

namespace bytescope::render {
namespace {

using bytepack::TrackKind;
using testing::ElementsAre;
using trace::TrackRole;

TEST(TrackGroups, HostThenFamiliesThenMinorOnesDevicesByNumber) {
  const TrackLayout layout = layout_tracks(
      tracks({"AMD:10", "AMD:2 Memory", "AMD:2:SDMA:1", "AMD:2:SDMA:0", "TINY", "AMD:2", "NV:1",
              "GC", "AMD Graph", "USER", "DISK:/path/x", "NV:1 Memory", "CUSTOM"}),
      {}, 2000);
  EXPECT_THAT(labels(layout),
              ElementsAre("HOST", "USER", "TINY", "CUSTOM", "AMD × 2", "Graph", "AMD:2", "SDMA:0",
                          "SDMA:1", "memory", "AMD:10", "NV:1", "memory", "DISK, GC"));
  check_rows(layout);
}

TEST(TrackGroups, ShaderRowsStandByUnitBelowTheClock) {
  const TrackLayout layout = layout_tracks(
      tracks({"WAVE:10", "WAVE:2", "ALUEXEC:0 VALU", "ALUEXEC:0 SALU", "VMEMEXEC:0 LDS", "SIMD:1",
              "SE:1 CU:10", "SE:1 CU:9", "GPC:0 SM:2 WAVE:1", "Shader Clock"}),
      {}, 2000);
  EXPECT_THAT(labels(layout),
              ElementsAre("Shader Clock", "ALUEXEC", "ALUEXEC:0 SALU", "ALUEXEC:0 VALU", "VMEMEXEC",
                          "VMEMEXEC:0 LDS", "WAVE", "WAVE:2", "WAVE:10", "SIMD", "SIMD:1",
                          "SE / CU", "SE:1 CU:9", "SE:1 CU:10", "GPC / SM", "GPC:0 SM:2 WAVE:1"));
}

TEST(TrackGroups, PartsOfADeviceWithoutKernelsSayWhoseTheyAre) {
  const TrackLayout layout =
      layout_tracks(tracks({"AMD:1 Memory", "AMD:2:SDMA:0", "NULL:COPY", "NULL"}), {}, 2000);
  EXPECT_THAT(labels(layout),
              ElementsAre("AMD × 2", "AMD:1 memory", "AMD:2 SDMA:0", "NULL", "COPY"));
}

TEST(TrackGroups, AHostTrackWithMemoryIsADevice) {
  EXPECT_THAT(labels(layout_tracks(tracks({"CPU", "CPU Memory", "TINY"}), {}, 2000)),
              ElementsAre("HOST", "TINY", "CPU", "memory"));
  EXPECT_THAT(labels(layout_tracks(tracks({"CPU", "TINY"}), {}, 2000)),
              ElementsAre("HOST", "TINY", "CPU"));
}

TEST(TrackGroups, NamesOfRealOddTraces) {
  const std::string long_name(300, 'T');
  const TrackLayout layout =
      layout_tracks(tracks({"GC", "USER", "ALLDEVS", "AMD:10", "AMD:2:SDMA:0", "AMD:2:SDMA:1",
                            "AMD:9", "NV:1:PCIE", long_name, "DISK"}),
                    {}, 2000);
  EXPECT_THAT(labels(layout),
              ElementsAre("HOST", "USER", "ALLDEVS", long_name, "AMD × 3", "AMD:2 SDMA:0",
                          "AMD:2 SDMA:1", "AMD:9", "AMD:10", "NV:1 PCIE", "DISK, GC"));
}

TEST(TrackGroups, OddNamesAllAppear) {
  const std::string long_name(300, 'T');
  const std::vector<std::string> names = {"",        " Memory", " Graph",    ":",        "::3",
                                          "ALLDEVS", "AMD::1",  long_name,   "a\nb\xFF", "AMD:1x",
                                          "AMD",     "AMD",     "NV:1:PCIE", "X:1:2:3",  "DISK"};
  const TrackLayout layout = layout_tracks(tracks(names), {}, 500);
  check_rows(layout);
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    ASSERT_NE(layout.row_of_track[i], TrackRow::none) << names[i];
    EXPECT_FALSE(row_of(layout, i).label.empty());
  }
}

TEST(TrackGroups, RandomNamesAndRolesAreEachInExactlyOneUnit) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<LayoutTrack> list;
    for (auto i = random() % 40; i > 0; --i) {
      std::string name;
      const char* parts[] = {"AMD", "NV", ":", ":1", ":20", " Memory", " Graph", "DISK", "x", ""};
      for (auto j = random() % 4; j > 0; --j) name += parts[random() % 10];
      list.push_back({name, static_cast<TrackKind>(random() % 3),
                      static_cast<TrackRole>(random() % 9),
                      static_cast<std::uint32_t>(random() % 5)});
    }
    std::vector<int> seen(list.size(), 0);
    std::set<std::string> ids;
    for (const TrackGroup& group : group_tracks(list)) {
      EXPECT_TRUE(ids.insert(group.id).second) << group.id;
      for (const TrackUnit& unit : group.units) {
        EXPECT_TRUE(ids.insert(unit.id).second) << unit.id;
        for (const GroupedTrack& member : unit.tracks) ++seen[member.track];
      }
    }
    EXPECT_THAT(seen, testing::Each(1));
    check_rows(layout_tracks(list, {}, 300));
  }
}

}  // namespace
}  // namespace bytescope::render
