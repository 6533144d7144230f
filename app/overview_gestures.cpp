#include "app/overview_gestures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gesture_steps.h"
#include "render/overview_paint.h"

namespace bytescope::app {
namespace {

using Kind = InputEvent::Kind;

constexpr float handle_reach_px = 6;
/// So much of a narrow frame stays for moving it.
constexpr float least_grip_px = 8;

std::int64_t time_at(const render::Viewport& viewport, const render::WindowAreas& areas, float x) {
  const render::Viewport whole = render::overview_viewport(viewport, areas);
  const float px = std::clamp(x - areas.overview.x0, 0.0F, areas.overview.width());
  return whole.ns_from_px(static_cast<double>(px));
}

bool shows_all(const render::Viewport& viewport) {
  return viewport.length_ns() >= viewport.fitted().length_ns();
}

void scroll(const InputEvent& event, DocumentView& view, const render::WindowAreas& areas) {
  render::Viewport& viewport = view.state().viewport;
  const bool sideways = std::abs(event.scroll_x) > std::abs(event.scroll_y);
  const auto notches = static_cast<double>(sideways ? event.scroll_x : -event.scroll_y);
  if (sideways || event.modifiers.shift) {
    viewport = viewport.panned(notches * pan_px_per_notch);
    return;
  }
  // A time beside the window cannot stay where it is: then the closer edge does.
  const double anchor =
      std::clamp(viewport.px_from_ns(time_at(viewport, areas, event.x)), 0.0, viewport.width_px());
  viewport = viewport.zoomed(std::pow(zoom_per_notch, static_cast<double>(event.scroll_y)), anchor);
}

}  // namespace

std::optional<OverviewPart> overview_part_at(const render::Viewport& viewport,
                                             const render::WindowAreas& areas, float x, float y) {
  if (!areas.overview.contains(x, y)) return std::nullopt;
  const render::Box frame = render::overview_frame(viewport, areas);
  // The handles of a narrow frame reach further out than in.
  const float inside = std::clamp((frame.width() - least_grip_px) / 2, 0.0F, handle_reach_px);
  if (x >= frame.x0 - handle_reach_px && x < frame.x0 + inside) return OverviewPart::begin_handle;
  if (x >= frame.x1 - inside && x < frame.x1 + handle_reach_px) return OverviewPart::end_handle;
  if (x >= frame.x0 && x < frame.x1 && !shows_all(viewport)) return OverviewPart::frame;
  return OverviewPart::outside;
}

void OverviewGestures::cancel() {
  press_.reset();
  band_.reset();
  last_click_s_ = -1e9;
}

bool OverviewGestures::handle(const InputEvent& event, DocumentView& view,
                              const render::WindowAreas& areas, double now_s) {
  switch (event.kind) {
    case Kind::scroll:
      if (press_ || !areas.overview.contains(event.x, event.y)) return press_.has_value();
      view.leave_in_motion(now_s);
      scroll(event, view, areas);
      return true;
    case Kind::mouse_move:
      if (press_) move(event, view, areas);
      return press_.has_value();
    case Kind::mouse_button:
      if (press_) {
        if (!event.down && event.button == press_->button) release(event, view, areas, now_s);
        return true;
      }
      if (!event.down || !areas.overview.contains(event.x, event.y)) return false;
      press(event, view, areas);
      return true;
    default: return false;
  }
}

void OverviewGestures::press(const InputEvent& event, DocumentView& view,
                             const render::WindowAreas& areas) {
  const render::Viewport& viewport = view.shown_viewport();
  Press press;
  press.part = *overview_part_at(viewport, areas, event.x, event.y);
  // As on the tracks, the middle button drags out what is to be shown.
  if (event.button == MouseButton::middle) press.part = OverviewPart::outside;
  press.button = event.button;
  press.x = event.x;
  press.before = viewport;
  press.anchor_ns = time_at(viewport, areas, event.x);
  press_ = press;
}

void OverviewGestures::move(const InputEvent& event, DocumentView& view,
                            const render::WindowAreas& areas) {
  if (!press_->moved) {
    if (std::abs(event.x - press_->x) < drag_threshold_px) return;
    press_->moved = true;
    if (press_->part != OverviewPart::outside) {
      view.leave();
      view.hold();
      press_->before = view.state().viewport;
    }
  }
  render::Viewport& viewport = view.state().viewport;
  const render::Viewport& before = press_->before;
  const render::Viewport whole = render::overview_viewport(before, areas);
  const auto dx = static_cast<double>(event.x - press_->x);
  const query::TimeRange window = before.window();
  const auto moved_ns = static_cast<std::int64_t>(std::llround(dx * whole.ns_per_px()));
  // The end that is not held stays; beyond it the ends change their roles.
  const auto showing = [&](std::int64_t held_ns, std::int64_t other_ns) {
    const std::int64_t end_ns = whole.window().end_ns;
    const std::int64_t held = std::clamp(held_ns, std::int64_t{0}, end_ns);
    if (held != other_ns)
      viewport = before.showing({std::min(held, other_ns), std::max(held, other_ns)});
  };
  switch (press_->part) {
    case OverviewPart::frame:
      viewport = before.panned(dx * whole.ns_per_px() / before.ns_per_px());
      break;
    case OverviewPart::begin_handle: showing(window.begin_ns + moved_ns, window.end_ns); break;
    case OverviewPart::end_handle: showing(window.end_ns + moved_ns, window.begin_ns); break;
    case OverviewPart::outside: {
      const std::int64_t at = time_at(before, areas, event.x);
      band_ = query::TimeRange{std::min(at, press_->anchor_ns), std::max(at, press_->anchor_ns)};
      return;
    }
  }
  view.show_at_once();
}

void OverviewGestures::release(const InputEvent& event, DocumentView& view,
                               const render::WindowAreas& areas, double now_s) {
  const Press press = *std::exchange(press_, std::nullopt);
  const std::optional<query::TimeRange> band = std::exchange(band_, std::nullopt);
  if (!press.moved) {
    if (press.button == MouseButton::left) click(event, view, areas, now_s);
    return;
  }
  if (!band || band->length_ns() <= 0) return;
  view.leave();
  view.state().viewport = view.state().viewport.showing(*band);
}

/// A click brings its time to the middle, a second one the whole trace.
void OverviewGestures::click(const InputEvent& event, DocumentView& view,
                             const render::WindowAreas& areas, double now_s) {
  const bool again = now_s - last_click_s_ < double_click_s &&
                     std::abs(event.x - last_click_x_) < drag_threshold_px;
  last_click_s_ = again ? -1e9 : now_s;
  last_click_x_ = event.x;
  render::Viewport& viewport = view.state().viewport;
  view.leave_in_motion(now_s);
  if (again) {
    viewport = viewport.fitted();
    return;
  }
  const double px = viewport.px_from_ns(time_at(viewport, areas, event.x));
  viewport = viewport.panned(px - viewport.width_px() / 2);
}

}  // namespace bytescope::app
