#include "render/overview.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/query/memory_curve.h"
#include "render/overview_paint.h"
#include "tests/support/random_spans.h"
#include "tests/support/trace_maker.h"

namespace bytescope::render {
namespace {

using bytepack::TrackDescription;

/// Devices with kernels of 60 us every 100 us, device i only from i ms on; one memory track of each
/// of two families.
bytepack::TraceDescription description(int devices, int kernels = 100) {
  bytepack::TraceDescription trace;
  trace.dtype_bytes = {{"float", 4}};
  trace.duration_us = 10'000;
  for (int i = 0; i < devices; ++i) {
    TrackDescription device;
    device.name = fmt::format("AMD:{}", i);
    for (int k = 0; k < kernels; ++k) {
      const auto start = static_cast<std::uint32_t>(k * 100);
      if (start >= static_cast<std::uint32_t>(i) * 1000)
        device.spans.push_back({"E_1", start, 60.0F, "{}"});
    }
    trace.tracks.push_back(device);
  }
  for (const char* name : {"AMD:0 Memory", "AMD:1 Memory", "NV Memory"}) {
    TrackDescription memory;
    memory.name = name;
    memory.kind = bytepack::TrackKind::memory;
    const bool first = memory.name == "AMD:0 Memory";
    const std::uint64_t length = memory.name == "NV Memory" ? 10 : 1000;
    memory.memory = {{true, first ? 1000U : 5000U, 0, "float", length},
                     {false, first ? 4000U : 9000U, 0, "", 0}};
    trace.tracks.push_back(memory);
  }
  return trace;
}

std::shared_ptr<const Overview> overview(const std::shared_ptr<const trace::Trace>& trace,
                                         std::uint32_t columns) {
  io::PageReader reader(trace->file);
  return overview_of(trace, reader, {0, 10'000'000.0 / columns, columns}, Cancel());
}

TEST(Overview, RowsAreTheBusySharesOfTheDevices) {
  const auto trace = tests::load_description(description(3));
  for (const std::uint32_t columns : {10U, 50U, 1000U}) {
    const auto result = overview(trace, columns);
    ASSERT_EQ(result->rows.size(), 3U);
    for (std::uint32_t device = 0; device < 3; ++device) {
      ASSERT_EQ(result->rows[device].size(), columns);
      for (std::uint32_t c = 0; c < columns; ++c) {
        // By hand: what of the column is covered, microsecond by microsecond.
        const std::uint32_t width = 10'000 / columns;
        std::uint32_t covered = 0;
        for (std::uint32_t us = c * width; us < (c + 1) * width; ++us)
          covered += us >= device * 1000 && us % 100 < 60 ? 1 : 0;
        const double share = 255.0 * covered / width;
        ASSERT_NEAR(result->rows[device][c], share, 3) << device << " " << c << " " << columns;
      }
    }
  }
}

TEST(Overview, MemoryIsTheFullestDeviceOfTheLargestFamily) {
  const auto trace = tests::load_description(description(1));
  const auto result = overview(trace, 100);
  ASSERT_EQ(result->memory.size(), 100U);
  for (std::uint32_t c = 0; c < 100; ++c) {
    std::uint64_t fullest = 0;
    for (const trace::Track& track : trace->tracks) {
      if (!track.memory || track.head.name == "NV Memory") continue;
      fullest = std::max(fullest, query::memory_curve(*track.memory, result->columns)[c].total());
    }
    EXPECT_EQ(result->memory[c], fullest > 0 ? 255 : 0) << c;
  }
  EXPECT_EQ(result->memory[20], 255);
  EXPECT_EQ(result->memory[45], 0);
  EXPECT_EQ(result->memory[60], 255);
}

TEST(Overview, MergesDevicesThatHaveNoRoom) {
  const auto trace = tests::load_description(description(70, 10));
  const auto result = overview(trace, 10);
  ASSERT_LE(result->rows.size(), most_overview_rows);
  EXPECT_EQ(result->rows.size(), 24U) << "three devices each";
  EXPECT_GT(result->rows[0][0], 0);
}

TEST(Overview, ShowsWhatHasSpansWithoutDevices) {
  const auto trace = tests::load_description(tests::one_track({{"x", 10, 5.0F, "{}"}}));
  EXPECT_EQ(overview(trace, 10)->rows.size(), 1U);
  EXPECT_TRUE(overview(trace, 10)->memory.empty());
  const auto nothing = tests::load_description({});
  EXPECT_TRUE(overview(nothing, 10)->rows.empty());
}

TEST(Overview, AnswersNothingWhenCancelled) {
  const auto trace = tests::load_description(description(3));
  io::PageReader reader(trace->file);
  Cancel cancel;
  cancel.request();
  EXPECT_EQ(overview_of(trace, reader, {0, 1000, 100}, cancel), nullptr);
}

TEST(OverviewFrame, StandsWhereTheWindowIsAndIsAlwaysSeen) {
  const WindowAreas areas = window_areas(1280, 720, true);
  ASSERT_GT(areas.overview.height(), 0);
  const Viewport whole({0, 1'000'000'000}, static_cast<double>(areas.tracks.width()));
  EXPECT_EQ(overview_frame(whole, areas).x0, areas.overview.x0);
  EXPECT_EQ(overview_frame(whole, areas).x1, areas.overview.x1);
  const Box half = overview_frame(whole.showing({250'000'000, 750'000'000}), areas);
  EXPECT_NEAR(half.x0, areas.overview.x0 + areas.overview.width() / 4, 1);
  EXPECT_NEAR(half.x1, areas.overview.x0 + areas.overview.width() * 3 / 4, 1);
  for (const std::int64_t at : {0, 1, 500'000'000, 999'999'000}) {
    const Box frame = overview_frame(whole.showing({at, at + 100}), areas);
    EXPECT_GE(frame.width(), 3);
    EXPECT_GE(frame.x0, areas.overview.x0);
    EXPECT_LE(frame.x1, areas.overview.x1);
  }
}

TEST(WindowAreas, LowWindowsHaveNoOverview) {
  EXPECT_EQ(window_areas(1280, 300, true).overview.height(), 0);
  const WindowAreas areas = window_areas(1280, 720, true);
  EXPECT_EQ(areas.overview.height(), 56);
  EXPECT_EQ(areas.overview.y1, areas.axis.y0);
  EXPECT_EQ(areas.overview.x0, areas.tracks.x0);
  EXPECT_EQ(areas.overview.x1, areas.tracks.x1);
}

}  // namespace
}  // namespace bytescope::render
