#include <cstdint>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "app/commands/bench_limits.h"
#include "app/heap.h"
#include "app/offscreen_viewer.h"
#include "core/generate/generate.h"
#include "render/theme.h"

namespace bytescope::app {
namespace {

constexpr std::uint64_t event_count = 24'000'000;
constexpr std::uint64_t most_resident_bytes = 300'000'000;
constexpr std::uintmax_t least_free_bytes = 2'000'000'000;

/// Frames of a motion, with the worker's answers coming in between as they do in a window.
template <class Step>
void move(OffscreenViewer& offscreen, int frames, Step step) {
  for (int i = 0; i < frames; ++i) {
    step(i);
    offscreen.frame();
  }
  offscreen.settle(Cancel());
}

void turn_wheel(OffscreenViewer& offscreen, float notches) {
  const render::Box& tracks = offscreen.viewer().areas().tracks;
  InputEvent event;
  event.kind = InputEvent::Kind::scroll;
  event.scroll_y = notches;
  event.x = tracks.x0 + tracks.width() * 0.6F;
  event.y = tracks.y0 + tracks.height() * 0.4F;
  offscreen.feed(event);
}

void scroll_through(OffscreenViewer& offscreen) {
  Viewer& viewer = offscreen.viewer();
  constexpr int frames = 20;
  move(offscreen, frames, [&viewer](int i) {
    const double height = viewer.active()->layout(viewer.tracks_height_px()).height_px;
    viewer.active()->state().scroll_px = height * i / (frames - 1);
  });
}

TEST(BigTrace, IsOpenedAndExploredIn300Megabytes) {
  const std::filesystem::path path = BYTESCOPE_BIG_TRACE;
  if (!std::filesystem::exists(path)) {
    if (std::filesystem::space(path.parent_path()).available < least_free_bytes)
      GTEST_SKIP() << "Less than 2 GB of disk are free for a trace of 24 million events";
    generate::Options options;
    options.events = event_count;
    const auto written = generate::write_trace(path.string(), options, never);
    ASSERT_TRUE(written) << written.error().message;
  }
  keep_freed_memory();  // as main() does
  auto created = OffscreenViewer::create({1920, 1080}, 1, render::dark_theme());
  ASSERT_TRUE(created) << created.error().message;
  OffscreenViewer& offscreen = **created;
  Viewer& viewer = offscreen.viewer();
  offscreen.settle(never);
  viewer.open(path.string());
  offscreen.settle(never);
  ASSERT_NE(viewer.active(), nullptr);
  const trace::Trace& trace = *viewer.active()->trace();
  ASSERT_TRUE(trace.complete);
  EXPECT_EQ(trace.event_count, event_count);

  scroll_through(offscreen);
  move(offscreen, 60, [&](int) { turn_wheel(offscreen, 1); });
  EXPECT_LT(viewer.active()->state().viewport.ns_per_px(), 2000) << "not zoomed in";
  move(offscreen, 20, [&](int i) { viewer.pan_by(i < 10 ? 0.3 : -0.3); });
  scroll_through(offscreen);
  move(offscreen, 60, [&](int) { turn_wheel(offscreen, -1); });
  int opened = 0;
  for (std::uint32_t track = 0; track < trace.tracks.size() && opened < 4; ++track) {
    if (!trace.tracks[track].memory) continue;
    viewer.set_expanded(track, true);
    viewer.reveal_track(track);
    offscreen.settle(never);
    ++opened;
  }
  EXPECT_GT(opened, 0);
  EXPECT_LT(resident_memory().peak_bytes, most_resident_bytes);
}

}  // namespace
}  // namespace bytescope::app
