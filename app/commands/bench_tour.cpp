#include "app/commands/bench_tour.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/steady_clock.h"
#include "core/io/thread_clock.h"

namespace bytescope::app {
namespace {

constexpr std::size_t least_frames = 200;
constexpr std::size_t warm_up_frames = 20;
constexpr std::size_t zooms_panned = 6;
constexpr double us_per_px_closest = 1;

Spread spread_of(std::vector<double> seconds) {
  if (seconds.empty()) return {};
  std::sort(seconds.begin(), seconds.end());
  const auto at = [&](double share) {
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(seconds.size())));
    return seconds[std::min(std::max<std::size_t>(rank, 1), seconds.size()) - 1] * 1000;
  };
  return {at(0.50), at(0.99), seconds.back() * 1000};
}

InputEvent wheel(float notches, float x, float y) {
  InputEvent event;
  event.kind = InputEvent::Kind::scroll;
  event.scroll_y = notches;
  event.x = x;
  event.y = y;
  return event;
}

InputEvent moved(float x, float y) {
  InputEvent event;
  event.kind = InputEvent::Kind::mouse_move;
  event.x = x;
  event.y = y;
  return event;
}

InputEvent button(bool down, float x, float y) {
  InputEvent event = moved(x, y);
  event.kind = InputEvent::Kind::mouse_button;
  event.down = down;
  return event;
}

/// A place between 0 and 1 that swings to and fro.
float swung(double phase) { return static_cast<float>(0.5 + 0.49 * std::sin(phase)); }

}  // namespace

Tour::Tour(OffscreenViewer& offscreen, const Cancel& cancel)
    : offscreen_(offscreen),
      cancel_(cancel),
      tracks_(offscreen.viewer().areas().tracks),
      pointer_x_(tracks_.x0 + tracks_.width() * 0.6F),
      pointer_y_(tracks_.y0 + tracks_.height() * 0.4F) {}

LegResult Tour::leg(const std::string& name, std::size_t frames,
                    const std::function<void(std::size_t)>& step) {
  std::vector<double> builds;
  std::vector<double> wholes;
  std::vector<double> walls;
  for (std::size_t i = 0; i < frames + warm_up_frames; ++i) {
    const double process = io::process_cpu_s();
    const double thread = io::thread_cpu_s();
    const double wall = steady_seconds();
    step(i);
    offscreen_.build();
    const double built = io::thread_cpu_s();
    offscreen_.paint();
    const double painted = io::process_cpu_s();
    if (i >= warm_up_frames) {
      builds.push_back(built - thread);
      wholes.push_back(painted - process);
      walls.push_back(steady_seconds() - wall);
    }
    if (i % 16 == 0) note_memory();
  }
  return {name, frames, spread_of(std::move(builds)), spread_of(std::move(wholes)),
          spread_of(std::move(walls))};
}

void Tour::note_memory() {
  const ResidentMemory now = resident_memory();
  memory_.peak_bytes = std::max(memory_.peak_bytes, now.peak_bytes);
  memory_.anonymous_bytes = std::max(memory_.anonymous_bytes, now.anonymous_bytes);
  memory_.file_bytes = std::max(memory_.file_bytes, now.file_bytes);
}

void Tour::start_over() {
  Viewer& viewer = offscreen_.viewer();
  ViewState fresh;
  fresh.viewport = viewer.active()->state().viewport.fitted();
  viewer.active()->state() = fresh;
}

void Tour::add(const std::string& name, std::size_t frames,
               const std::function<void(std::size_t)>& step) {
  if (cancel_.requested()) return;
  start_over();
  offscreen_.settle(cancel_);
  legs_.push_back(leg(name, std::max(frames, least_frames), step));
}

void Tour::zoom_by(double factor) {
  render::Viewport& viewport = offscreen_.viewer().active()->state().viewport;
  viewport = viewport.zoomed(factor, static_cast<double>(pointer_x_ - tracks_.x0));
}

double Tour::closest_zoom() const {
  const double whole_ns_per_px =
      offscreen_.viewer().active()->state().viewport.fitted().ns_per_px();
  return whole_ns_per_px / (us_per_px_closest * 1000);
}

void Tour::add_zoom() {
  const double notches = std::max(std::log(closest_zoom()) / std::log(1.25), 1.0);
  add("zoom", least_frames, [&](std::size_t i) {
    const auto period = static_cast<std::size_t>(std::ceil(notches));
    offscreen_.feed(wheel(i / period % 2 == 0 ? 1.0F : -1.0F, pointer_x_, pointer_y_));
  });
}

void Tour::add_pans() {
  for (std::size_t zoom = 0; zoom < zooms_panned; ++zoom) {
    const double factor = std::pow(closest_zoom(), static_cast<double>(zoom + 1) / zooms_panned);
    add("pan " + std::to_string(zoom + 1), least_frames, [&, factor](std::size_t i) {
      if (i == 0) zoom_by(factor);
      offscreen_.viewer().pan_by(i / 100 % 2 == 0 ? 0.03 : -0.03);
    });
  }
}

void Tour::add_scroll() {
  add("scroll", least_frames, [&](std::size_t i) {
    Viewer& viewer = offscreen_.viewer();
    const double height = viewer.active()->layout(viewer.tracks_height_px()).height_px;
    const double most = std::max(height - viewer.tracks_height_px(), 0.0);
    const double phase = static_cast<double>(i % 200) / 100;
    viewer.active()->state().scroll_px = most * (phase < 1 ? phase : 2 - phase);
  });
}

void Tour::add_expand() {
  constexpr std::size_t frames_each = 25;
  std::vector<std::uint32_t> memory_tracks;
  const auto& all = offscreen_.viewer().active()->trace()->tracks;
  for (std::uint32_t t = 0; t < all.size(); ++t) {
    if (all[t].memory) memory_tracks.push_back(t);
  }
  if (memory_tracks.empty()) return;
  add("expand", memory_tracks.size() * frames_each, [&](std::size_t i) {
    if (i % frames_each != 0) return;
    Viewer& viewer = offscreen_.viewer();
    const std::uint32_t track = memory_tracks[i / frames_each % memory_tracks.size()];
    viewer.set_expanded(track, !viewer.active()->state().changes.expanded.contains(track));
    viewer.reveal_track(track);
  });
}

void Tour::add_hover() {
  add("hover", least_frames, [&](std::size_t i) {
    if (i == 0) zoom_by(std::sqrt(closest_zoom()));
    const double phase = static_cast<double>(i) * 0.37;
    offscreen_.feed(moved(tracks_.x0 + tracks_.width() * swung(phase),
                          tracks_.y0 + tracks_.height() * swung(phase * 0.61)));
  });
}

void Tour::add_select() {
  add("select", least_frames, [&](std::size_t i) {
    if (i == 0) zoom_by(closest_zoom());
    const float at = tracks_.x0 + tracks_.width() * swung(static_cast<double>(i) * 0.37);
    offscreen_.feed(button(true, at, pointer_y_));
    offscreen_.feed(button(false, at, pointer_y_));
    offscreen_.rest(1);
  });
}

std::vector<LegResult> Tour::run() {
  add("whole", least_frames, [](std::size_t) {});
  add_zoom();
  add_pans();
  add_scroll();
  add_expand();
  add_hover();
  add_select();
  note_memory();
  return std::move(legs_);
}

}  // namespace bytescope::app
