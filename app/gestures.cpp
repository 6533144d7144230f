#include "app/gestures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gesture_steps.h"
#include "core/query/span_pick.h"
#include "render/memory_paint.h"
#include "render/name_column.h"
#include "render/timeline_scene.h"

namespace bytescope::app {
namespace {

using Kind = InputEvent::Kind;

constexpr double scroll_px_per_notch = 60;
/// A scroll gesture keeps its larger axis until it rests that long.
constexpr double scroll_rest_s = 0.15;
constexpr double snap_px = 8;
/// While a track is dragged so close to an edge the rows scroll, by so much for every move.
constexpr double ns_per_us = 1000;
constexpr float edge_scroll_px = 24;
constexpr double edge_step_px = 10;

double height_of(const GestureTarget& target) {
  return static_cast<double>(target.areas.tracks.height());
}

bool over_names(const GestureTarget& target, const InputEvent& event) {
  return target.areas.names.contains(event.x, event.y);
}

bool over_axis(const GestureTarget& target, const InputEvent& event) {
  return target.areas.axis.contains(event.x, event.y) ||
         target.areas.flags.contains(event.x, event.y);
}

query::TimeRange ordered(std::int64_t a, std::int64_t b) {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

void Gestures::cancel() {
  press_.reset();
  band_.reset();
  moving_.reset();
  shift_.reset();
  last_click_s_ = -1e9;  // the next click is no double one with one on what was shown before
}

GestureAnswer Gestures::handle(const InputEvent& event, const GestureTarget& target) {
  switch (event.kind) {
    case Kind::scroll: scroll(event, target); return {};
    case Kind::mouse_move: move(event, target); return {};
    case Kind::mouse_button:
      if (!event.down) return release(event, target);
      press(event, target);
      return {};
    default: return {};
  }
}

void Gestures::scroll(const InputEvent& event, const GestureTarget& target) {
  const bool names = over_names(target, event);
  if (!names && !over_axis(target, event) && !target.areas.tracks.contains(event.x, event.y))
    return;
  if (target.now_s - last_scroll_s_ > scroll_rest_s)
    scroll_vertical_ = std::abs(event.scroll_y) >= std::abs(event.scroll_x);
  last_scroll_s_ = target.now_s;
  const auto notches = static_cast<double>(scroll_vertical_ ? event.scroll_y : event.scroll_x);
  if (notches == 0) return;
  ViewState& state = target.view.state();
  if (scroll_vertical_ && (names || event.modifiers.alt)) {
    state.scroll_px -= notches * scroll_px_per_notch;
    target.view.clamp_scroll(height_of(target));
    return;
  }
  target.view.leave_in_motion(target.now_s);
  if (!scroll_vertical_ || event.modifiers.shift) {
    // Up is earlier, to the right is later.
    const double px = (scroll_vertical_ ? -notches : notches) * pan_px_per_notch;
    state.viewport = state.viewport.panned(px);
    return;
  }
  const TimelineHit hit = target.hit(event.x, event.y);
  if (hit.on_byte_axis && !event.modifiers.command)
    return scroll_bytes(event, target, target.view.layout(height_of(target)).rows[*hit.row].track,
                        notches);
  state.viewport = state.viewport.zoomed(std::pow(zoom_per_notch, notches),
                                         static_cast<double>(event.x - target.areas.tracks.x0));
}

void Gestures::scroll_bytes(const InputEvent& event, const GestureTarget& target,
                            std::uint32_t track, double notches) {
  const render::TrackLayout& layout = target.view.layout(height_of(target));
  const auto number = layout.row_of(track);
  if (!number) return;
  const render::TrackRow& row = layout.rows[*number];
  const render::ByteWindow whole = render::whole_byte_window(
      render::memory_scale_bytes(target.view.model(), target.view.state().memory, track));
  auto& windows = target.view.state().byte_windows;
  const render::ByteWindow old = windows.contains(track) ? windows[track] : whole;
  const double y_in_row = layout.position_px(static_cast<double>(event.y - target.areas.tracks.y0),
                                             target.view.state().scroll_px) -
                          row.top_px;
  const double share = std::clamp(1 - y_in_row / row.height_px, 0.0, 1.0);
  const auto shown = static_cast<double>(old.end_bytes - old.begin_bytes);
  const double anchor = static_cast<double>(old.begin_bytes) + share * shown;
  const double length = std::clamp(shown / std::pow(zoom_per_notch, notches),
                                   std::min(row.height_px, static_cast<double>(whole.end_bytes)),
                                   static_cast<double>(whole.end_bytes));
  const double begin =
      std::clamp(anchor - share * length, 0.0, static_cast<double>(whole.end_bytes) - length);
  const render::ByteWindow now = {static_cast<std::uint64_t>(begin),
                                  static_cast<std::uint64_t>(begin + length)};
  if (now.begin_bytes == 0 && now.end_bytes >= whole.end_bytes) {
    windows.erase(track);
  } else {
    windows[track] = now;
  }
}

void Gestures::press(const InputEvent& event, const GestureTarget& target) {
  const bool names = over_names(target, event);
  const bool axis = over_axis(target, event);
  if (press_ || event.button == MouseButton::back || event.button == MouseButton::forward) return;
  const TimelineHit hit = target.hit(event.x, event.y);
  if (hit.on_hidden_note && event.button == MouseButton::left) {
    render::TrackChanges changes = target.view.state().changes;
    changes.hidden.clear();
    return target.view.change_tracks(std::move(changes));
  }
  if (!names && !axis && !target.areas.tracks.contains(event.x, event.y)) return;
  Press press;
  press.button = event.button;
  press.modifiers = event.modifiers;
  press.x = press.last_x = event.x;
  press.y = press.last_y = event.y;
  press.on_names = names;
  press.anchor_ns = hit.time_ns;
  if (event.button == MouseButton::middle && !names) {
    press.drag = Drag::zoom_band;
  } else if (event.button == MouseButton::left && hit.on_lower_edge) {
    const render::TrackRow& row = target.view.layout(height_of(target)).rows[*hit.row];
    press.drag = Drag::height;
    press.track = row.track;
    press.height_px = row.height_px;
    press.before = target.view.state().changes;
  } else if (event.button == MouseButton::left && names && hit.row &&
             target.view.layout(height_of(target)).rows[*hit.row].track != render::TrackRow::none) {
    press.drag = Drag::track;
    press.track = target.view.layout(height_of(target)).rows[*hit.row].track;
  } else if (event.button == MouseButton::left && !names && !axis && event.modifiers.alt &&
             !event.modifiers.shift && !file_at(hit, target).empty()) {
    press.drag = Drag::file;
    press.file = file_at(hit, target);
  } else if (event.button == MouseButton::left && !names && (axis || event.modifiers.shift)) {
    press.drag = Drag::measure;
    if (!axis && !event.modifiers.alt) press.anchor_ns = snapped(target, event.x, event.y);
  }
  press_ = press;
}

void Gestures::move(const InputEvent& event, const GestureTarget& target) {
  if (!press_) return;
  const float dx = event.x - press_->last_x;
  const float dy = event.y - press_->last_y;
  if (!press_->moved) {
    if (std::hypot(event.x - press_->x, event.y - press_->y) < drag_threshold_px) return;
    press_->moved = true;
    if (press_->drag == Drag::pan) target.view.leave_in_motion(target.now_s);
    target.view.hold();
  }
  press_->last_x = event.x;
  press_->last_y = event.y;
  switch (press_->drag) {
    case Drag::pan: pan(event, target, dx, dy); break;
    case Drag::zoom_band: drag_band(target, event.x, false); break;
    case Drag::measure: drag_band(target, event.x, !press_->modifiers.alt); break;
    case Drag::height: resize(event, target); break;
    case Drag::track: drag_track(event, target); break;
    case Drag::file:
      shift_ = FileShift{press_->file,
                         std::llround(static_cast<double>(event.x - press_->x) *
                                      target.view.shown_viewport().ns_per_px() / ns_per_us)};
      break;
  }
}

/// The first step includes what the threshold held back, so that the point under the pointer stays
/// there.
void Gestures::pan(const InputEvent& event, const GestureTarget& target, float dx, float dy) {
  ViewState& state = target.view.state();
  if (!press_->on_names) state.viewport = state.viewport.panned(-static_cast<double>(dx));
  state.scroll_px -= static_cast<double>(dy);
  target.view.clamp_scroll(height_of(target));
  target.view.show_at_once();
  press_->trail.note(event.x, event.y, target.now_s);
}

/// The file that the track there comes from; empty but in merged traces.
std::string Gestures::file_at(const TimelineHit& hit, const GestureTarget& target) {
  if (!hit.row) return {};
  const render::TrackRow& row = target.view.layout(height_of(target)).rows[*hit.row];
  const std::uint32_t track =
      row.folded && !row.folded_tracks.empty() ? row.folded_tracks.front() : row.track;
  const auto& tracks = target.view.trace()->tracks;
  return track < tracks.size() ? std::string(tracks[track].file_name()) : std::string();
}

void Gestures::resize(const InputEvent& event, const GestureTarget& target) {
  render::TrackChanges& changes = target.view.state().changes;
  const bool expanded = changes.expanded.contains(press_->track);
  render::RowHeights& heights = changes.heights[press_->track];
  const double height = press_->height_px + static_cast<double>(event.y - press_->y);
  (expanded ? heights.expanded_px : heights.collapsed_px) =
      std::clamp(height, expanded ? 80.0 : 14.0, 2000.0);
  // One step of the history, however far it is dragged.
  if (press_->before) target.view.note_track_change(*std::exchange(press_->before, std::nullopt));
}

/// Finds the place for a track that is dragged by its name; near an edge the rows scroll.
void Gestures::drag_track(const InputEvent& event, const GestureTarget& target) {
  const render::Box& names = target.areas.names;
  ViewState& state = target.view.state();
  const auto pinned_px = static_cast<float>(target.view.layout(height_of(target)).pinned_px);
  if (event.y > names.y1 - edge_scroll_px) state.scroll_px += edge_step_px;
  if (event.y < names.y0 + pinned_px + edge_scroll_px) state.scroll_px -= edge_step_px;
  target.view.clamp_scroll(height_of(target));
  target.view.show_at_once();
  const render::TrackLayout& layout = target.view.layout(height_of(target));
  moving_.reset();
  const auto row = layout.row_of(press_->track);
  if (!row) return;
  const auto place = render::drop_place(
      layout, *row, layout.position_px(static_cast<double>(event.y - names.y0), state.scroll_px));
  if (place) moving_ = Moving{press_->track, *place};
}

void Gestures::drop_track(const GestureTarget& target) {
  const std::optional<Moving> moving = std::exchange(moving_, std::nullopt);
  if (!moving) return;
  const render::TrackLayout& layout = target.view.layout(height_of(target));
  const auto row = layout.row_of(moving->track);
  if (!row) return;
  target.view.change_tracks(
      render::with_unit_moved(target.view.state().changes, layout, *row, moving->place));
}

void Gestures::drag_band(const GestureTarget& target, float x, bool snap) {
  const std::int64_t end = snap ? snapped(target, x, press_->last_y)
                                : target.view.shown_viewport().ns_from_px(
                                      static_cast<double>(x - target.areas.tracks.x0));
  band_ = ordered(press_->anchor_ns, end);
  if (press_->drag == Drag::measure) target.view.state().range = *band_;
}

std::int64_t Gestures::snapped(const GestureTarget& target, float x, float y) const {
  const render::Viewport& viewport = target.view.shown_viewport();
  const TimelineHit hit = target.hit(x, y);
  std::int64_t best = hit.time_ns;
  if (!hit.item) return best;
  double best_px = snap_px;
  for (const std::int64_t edge :
       {hit.item->begin_ns, hit.item->begin_ns + static_cast<std::int64_t>(hit.item->length_ns)}) {
    const double away =
        std::abs(viewport.px_from_ns(edge) - static_cast<double>(x - target.areas.tracks.x0));
    if (away < best_px) {
      best = edge;
      best_px = away;
    }
  }
  return best;
}

void Gestures::let_go(const Press& press, const GestureTarget& target) {
  auto speed = press.trail.speed(target.now_s);
  if (speed && press.on_names) speed->x = 0;
  if (speed) target.view.coast(*speed, target.now_s);
}

GestureAnswer Gestures::release(const InputEvent& event, const GestureTarget& target) {
  if (!press_ || press_->button != event.button) return {};
  const Press press = *press_;
  press_.reset();
  if (press.drag == Drag::track && press.moved) drop_track(target);
  const std::optional<query::TimeRange> band = band_;
  band_.reset();
  GestureAnswer answer;
  answer.shift = std::exchange(shift_, std::nullopt);
  if (press.moved) {
    ViewState& state = target.view.state();
    if (band && band->length_ns() > 0 && press.drag == Drag::zoom_band) {
      target.view.leave();
      state.viewport = state.viewport.showing(*band);
    }
    if (press.drag == Drag::measure && state.range && state.range->length_ns() == 0)
      state.range.reset();
    if (press.drag == Drag::pan) let_go(press, target);
    return answer;
  }
  if (event.button == MouseButton::right) {
    answer.open_menu = true;
    answer.menu_hit = target.hit(event.x, event.y);
  } else if (event.button == MouseButton::left) {
    click(event, target);
  }
  return answer;
}

void Gestures::click(const InputEvent& event, const GestureTarget& target) {
  const bool again =
      target.now_s - last_click_s_ < double_click_s &&
      std::hypot(event.x - last_click_x_, event.y - last_click_y_) < drag_threshold_px;
  last_click_s_ = again ? -1e9 : target.now_s;
  last_click_x_ = event.x;
  last_click_y_ = event.y;
  const TimelineHit hit = target.hit(event.x, event.y);
  if (over_names(target, event)) return click_name(hit, target, event.x);
  if (over_axis(target, event)) return click_axis(hit, target);
  if (again) return double_click(target);
  select(hit, target, event.x, event.y);
}

/// The triangle of a device folds it; its name opens its lanes, where it has more than one.
void Gestures::click_name(const TimelineHit& hit, const GestureTarget& target, float x) {
  if (!hit.row) return;
  const render::TrackRow& row = target.view.layout(height_of(target)).rows[*hit.row];
  const bool on_triangle = x < target.areas.names.x0 + render::name_left_px(row);
  const bool has_lanes = row.shown_lanes > 1 || row.hidden_lanes > 0 || row.expanded;
  const bool folds = row.folded || row.kind == render::RowKind::header ||
                     (row.heads_unit && (on_triangle || !has_lanes));
  target.view.change_tracks(
      folds ? render::with_fold_switched(target.view.state().changes, row)
            : render::with_expansion_switched(target.view.state().changes, row));
  target.view.clamp_scroll(height_of(target));
}

/// Between two markers, a click on the axis selects the stretch between them.
void Gestures::click_axis(const TimelineHit& hit, const GestureTarget& target) {
  const auto& markers = target.view.model().markers;
  const auto next = std::upper_bound(
      markers.begin(), markers.end(), hit.time_ns,
      [](std::int64_t ns, const render::MarkerFlag& marker) { return ns < marker.time_ns; });
  if (next == markers.begin() || next == markers.end()) return;
  target.view.state().range = query::TimeRange{(next - 1)->time_ns, next->time_ns};
}

void Gestures::double_click(const GestureTarget& target) {
  ViewState& state = target.view.state();
  if (!state.selection) return;
  target.view.leave();
  const auto length = std::max<std::int64_t>(std::llround(state.selection->length_ns), 1);
  // A little air on both sides shows that it ends there.
  const std::int64_t air = length / 10;
  state.viewport = state.viewport.showing(
      {state.selection->begin_ns - air, state.selection->begin_ns + length + air});
}

void Gestures::select(const TimelineHit& hit, const GestureTarget& target, float x, float y) {
  std::optional<Selection>& selection = target.view.state().selection;
  if (hit.item && selection && *selection == *hit.item && hit.item->kind == Selection::Kind::span) {
    // The same again: the next one that the pointer also touches, within its tolerance.
    const TimelineHit right = target.hit(x + 3, y);
    const TimelineHit left = target.hit(x - 3, y);
    for (const TimelineHit* other : {&right, &left}) {
      if (other->item && !(*other->item == *selection)) {
        selection = other->item;
        return;
      }
    }
    return;
  }
  selection = hit.item;
}

}  // namespace bytescope::app
