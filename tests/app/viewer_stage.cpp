#include "tests/app/viewer_stage.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace bytescope::tests {

using app::InputEvent;
using Kind = app::InputEvent::Kind;

ViewerStage::ViewerStage(const render::Theme& theme, render::gl::PixelSize size, float scale) {
  auto made = app::OffscreenViewer::create(size, scale, theme);
  if (!made) throw std::runtime_error(made.error().message);
  offscreen_ = std::move(*made);
  offscreen_->frame();
}

app::DocumentView& ViewerStage::view() {
  app::DocumentView* view = viewer().active();
  if (view == nullptr) throw std::runtime_error("no trace is shown");
  return *view;
}

void ViewerStage::open(const std::string& path) {
  viewer().open(path);
  settle();
}

void ViewerStage::settle() { offscreen_->settle(Cancel()); }

std::uint32_t ViewerStage::track(const std::string& name) {
  const auto& tracks = trace().tracks;
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    if (tracks[i].head.name == name) return i;
  }
  throw std::runtime_error("no track " + name);
}

const render::TrackRow& ViewerStage::row(std::uint32_t track) {
  return layout().rows[layout().row_of_track[track]];
}

float ViewerStage::x_of(std::int64_t time_ns) {
  return areas().tracks.x0 + static_cast<float>(state().viewport.px_from_ns(time_ns));
}

std::int64_t ViewerStage::time_at(float x) {
  return state().viewport.ns_from_px(static_cast<double>(x - areas().tracks.x0));
}

float ViewerStage::top_of(const render::TrackRow& row) {
  return areas().tracks.y0 + static_cast<float>(row.top_px - state().scroll_px);
}

Point ViewerStage::name_of(std::uint32_t track) {
  return {areas().names.x0 + 60, top_of(row(track)) + static_cast<float>(row(track).height_px) / 2};
}

Point ViewerStage::place_of(std::uint32_t track, std::uint32_t record) {
  const app::Selection at = span(track, record);
  const render::TrackRow& of = row(track);
  const float left = std::max(x_of(at.begin_ns), areas().tracks.x0);
  const float right =
      std::min(x_of(at.begin_ns + static_cast<std::int64_t>(at.length_ns)), areas().tracks.x1 - 1);
  return {(left + right) / 2, top_of(of) + static_cast<float>(of.lane_top_px(at.lane) +
                                                              of.lane_height_px(at.lane) / 2)};
}

app::Selection ViewerStage::span(std::uint32_t track, std::uint32_t record) {
  return app::span_selection(trace(), view().reader(), track, record);
}

void ViewerStage::feed(const InputEvent& event) {
  offscreen_->feed(event);
  offscreen_->frame();
}

void ViewerStage::move(Point to) { feed({.kind = Kind::mouse_move, .x = to.x, .y = to.y}); }

void ViewerStage::press(Point at, app::MouseButton button, app::Modifiers modifiers) {
  feed({.kind = Kind::mouse_button,
        .down = true,
        .modifiers = modifiers,
        .button = button,
        .x = at.x,
        .y = at.y});
}

void ViewerStage::release(Point at, app::MouseButton button, app::Modifiers modifiers) {
  feed(
      {.kind = Kind::mouse_button, .modifiers = modifiers, .button = button, .x = at.x, .y = at.y});
}

void ViewerStage::click(Point at, app::MouseButton button, app::Modifiers modifiers) {
  move(at);
  press(at, button, modifiers);
  release(at, button, modifiers);
}

void ViewerStage::drag(Point from, Point to, app::MouseButton button, app::Modifiers modifiers) {
  move(from);
  press(from, button, modifiers);
  constexpr int steps = 7;
  for (int i = 1; i <= steps; ++i) {
    const float share = static_cast<float>(i) / steps;
    move(i == steps ? to
                    : Point{from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share});
  }
  release(to, button, modifiers);
}

void ViewerStage::wheel(Point at, float notches, app::Modifiers modifiers) {
  scroll(at, 0, notches, modifiers);
}

void ViewerStage::scroll(Point at, float right, float up, app::Modifiers modifiers) {
  feed({.kind = Kind::scroll,
        .modifiers = modifiers,
        .x = at.x,
        .y = at.y,
        .scroll_x = right,
        .scroll_y = up});
}

void ViewerStage::key(app::Key key, app::Modifiers modifiers) {
  feed({.kind = Kind::key, .key = key, .down = true, .modifiers = modifiers});
  feed({.kind = Kind::key, .key = key, .modifiers = modifiers});
}

void ViewerStage::type(char32_t character) {
  feed({.kind = Kind::character, .character = character});
}

}  // namespace bytescope::tests
