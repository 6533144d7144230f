#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <imgui.h>

#include "app/viewer.h"

namespace bytescope::app {
namespace {

std::optional<render::Highlight> outlined(const std::optional<Selection>& what) {
  return what ? std::optional(highlight_of(*what)) : std::nullopt;
}

/// All letters of a scene will be there with the next frame.
void need_letters(const render::Scene& scene, Fonts& fonts) {
  for (const render::Label& label : scene.labels)
    for (const render::TextPiece& piece : label.pieces) fonts.need(piece.text);
  for (const render::Scene& over : scene.over) need_letters(over, fonts);
}

void plate(render::Scene& scene, const render::Box& box, render::Color color) {
  if (box.width() > 0 && box.height() > 0) scene.above.push_back({box, color, color});
}

/// Marks the instant at `px` that a jump led to.
void paint_spot(render::Scene& scene, const render::WindowAreas& areas, double px,
                render::Color color) {
  const float x = std::round(areas.tracks.x0 + static_cast<float>(px));
  if (x < areas.tracks.x0 || x >= areas.tracks.x1) return;
  plate(scene, {x - 2, areas.axis.y1 - 7, x + 3, areas.axis.y1}, color);
  plate(scene, {x, areas.axis.y0, x + 1, areas.tracks.y1}, color);
}

}  // namespace

/// What is on screen.
render::TimelineInput Viewer::input_for(DocumentView& view) {
  return input_at(view, is_beside(view) ? beside_viewport_ : view.shown_viewport(),
                  view.shown_scroll_px());
}

render::TimelineInput Viewer::input_at(DocumentView& view, const render::Viewport& viewport,
                                       double scroll_px) {
  const ViewState& state = view.state();
  const bool has_keys = !is_beside(view);  // of two the one that somebody works in
  const render::WindowAreas& areas = areas_of(view);
  const bool drags_band = has_keys && overview_gestures_.band();
  return {
      *view.trace(),
      view.model(),
      view.layout(static_cast<double>(areas.tracks.height())),
      areas,
      viewport,
      view.theme(*theme_),
      *fonts_,
      view.detail.get(),
      view.stacks,
      state.byte_windows,
      state.memory,
      scroll_px,
      scale_,
      outlined(has_keys && hover_ ? hover_->item : std::nullopt),
      outlined(state.selection),
      has_keys ? std::span<const render::Highlight>(linked_) : std::span<const render::Highlight>(),
      /*pinned=*/false,
      view.overview.get(),
      drags_band ? overview_gestures_.band() : state.range};
}

/// Goes on with a clock that was set back, so that nothing in motion waits for the time to come
/// round again; events may be told a little late.
void Viewer::look_at_clock(double now_s) {
  constexpr double latest_s = 1;
  if (now_s + clock_offset_s_ < now_s_ - latest_s) clock_offset_s_ = now_s_ - now_s;
  now_s_ = std::max(now_s_, now_s + clock_offset_s_);
}

void Viewer::frame(Fonts& fonts, float width, float height, float scale, double now_s) {
  fonts_ = &fonts;
  width_ = width;
  height_ = height;
  scale_ = scale;
  look_at_clock(now_s);
  notice_.move_on(now_s_);
  wants_frame_ = false;
  typing_ = false;
  is_moving_ = false;
  focus_.begin_frame();
  DocumentView* view = active();
  place_areas();
  // What waited for its turn would wait for ever where nothing is shown that asks again.
  if (view == nullptr) detail_.let_go();
  if (beside_detail_ && view_of(beside_id_) == nullptr) beside_detail_->let_go();
  if (view != nullptr) {
    frame_timeline(*view);
    // In the order in which Tab walks: what was opened last comes first.
    frame_dock(*view);
    frame_panels(*view);
  } else {
    frame_without_trace();
  }
  frame_over();
}

void Viewer::frame_timeline(DocumentView& view) {
  view.move_on(static_cast<double>(areas_.tracks.width()), tracks_height_px(), now_s_);
  move_partner(view);
  is_moving_ = view.is_moving();
  if (DocumentView* beside = view_of(beside_id_)) frame_beside(view, *beside);
  wants_frame_ = wants_frame_ || is_moving_;
  update_hover(view);
  request_detail(view, view.state().viewport, detail_);
  follow_measure(view);
  build_panes(view);
  paint_range(view, areas_, gestures_.band() ? gestures_.band() : view.state().range, scene_.top());
  if (spot_ns_)
    paint_spot(scene_.top(), areas_, view.shown_viewport().px_from_ns(*spot_ns_), theme_->accent);
  paint_moving(view);
  paint_plates();
  need_letters(scene_, *fonts_);
}

/// Backgrounds of what ImGui draws without one: they cost less here.
void Viewer::paint_plates() {
  const render::Theme& theme = *theme_;
  plate(scene_.top(), areas_.tabs, theme.panel);
  plate(scene_.top(), areas_.panel, theme.panel);
  plate(scene_.top(), areas_.status, theme.panel);
  plate(scene_.top(), areas_.dock, theme.panel);
  if (areas_.dock.height() > 0)
    plate(scene_.top(), {areas_.dock.x0, areas_.dock.y0, areas_.dock.x1, areas_.dock.y0 + 1},
          theme.border);
  plate(scene_.top(), {0, areas_.tabs.y1 - 1, width_, areas_.tabs.y1}, theme.border);
  plate(scene_.top(), {0, areas_.status.y0, width_, areas_.status.y0 + 1}, theme.border);
  if (areas_.panel.width() > 0)
    plate(scene_.top(), {areas_.panel.x0, areas_.panel.y0, areas_.panel.x0 + 1, areas_.panel.y1},
          theme.border);
}

/// A line where a track goes that is dragged by its name, over a plate on what is dragged.
void Viewer::paint_moving(DocumentView& view) {
  if (!gestures_.moving()) return;
  const render::TrackLayout& layout = view.layout(tracks_height_px());
  const auto moved = layout.row_of(gestures_.moving()->track);
  if (!moved) return;  // of a file that was read again meanwhile
  const std::size_t number = *moved;
  const double scroll_px = view.shown_scroll_px();
  const auto seen = [&](double position_px) {
    const double y = number < layout.pinned_rows ? position_px : position_px - scroll_px;
    return areas_.tracks.y0 + static_cast<float>(y);
  };
  const auto top = areas_.tracks.y0 + static_cast<float>(layout.pinned_px);
  for (const render::TrackRow& row : layout.rows) {
    if (row.unit != layout.rows[number].unit || row.track == render::TrackRow::none) continue;
    const float y1 = std::min(seen(row.bottom_px()), areas_.names.y1);
    const float y0 =
        number < layout.pinned_rows ? seen(row.top_px) : std::max(seen(row.top_px), top);
    plate(scene_.top(), {0, y0, areas_.names.x1, y1}, render::faded(theme_->accent, 0.16F));
  }
  const float y = seen(gestures_.moving()->place.line_px);
  plate(scene_.top(), {0, y - 2, areas_.tracks.x1, y}, theme_->accent);
}

void Viewer::paint_range(const DocumentView& view, const render::WindowAreas& areas,
                         const std::optional<query::TimeRange>& range, render::Scene& scene) const {
  if (!range) return;
  const render::Viewport& viewport = is_beside(view) ? beside_viewport_ : view.shown_viewport();
  const auto px = [&](std::int64_t ns) {
    return std::clamp(areas.tracks.x0 + static_cast<float>(viewport.px_from_ns(ns)),
                      areas.tracks.x0, areas.tracks.x1);
  };
  const float x0 = px(range->begin_ns);
  const float x1 = px(range->end_ns);
  const render::Color accent = theme_->accent;
  plate(scene, {x0, areas.tracks.y0, x1, areas.tracks.y1}, render::faded(accent, 0.12F));
  plate(scene, {x0, areas.axis.y0, x1, areas.axis.y1}, render::faded(accent, 0.20F));
  for (const float x : {x0, x1 - 1})
    plate(scene, {x, areas.axis.y0, x + 1, areas.tracks.y1}, render::faded(accent, 0.8F));
}

/// Asks for where the view is going: what lies on the way is gone before its answer comes.
void Viewer::request_detail(DocumentView& view, const render::Viewport& wanted, DetailDesk& desk) {
  render::DetailRequest now =
      render::detail_request(input_at(view, wanted, view.state().scroll_px), view.trace());
  now.search = shown_search(view);
  if (!is_beside(view)) now.lit_name = lit_name(view);
  now.theme = theme_;  // a document's own may go while the worker works
  // Cells and pictures of an opened track take megabytes: those out of sight go.
  std::erase_if(view.stacks, [&](const auto& entry) {
    return std::none_of(
        now.stacks.begin(), now.stacks.end(),
        [&](const render::StackRequest& stack) { return stack.track == entry.first; });
  });
  desk.ask(view.id(), std::move(now), render::view_columns(wanted, scale_));
}

/// The name that others are dimmed for: of the selected span, else of the one under the pointer.
std::optional<std::uint32_t> Viewer::lit_name(DocumentView& view) const {
  if (!dims_others_) return std::nullopt;
  std::optional<Selection> of = view.state().selection;
  if (!of || of->kind != Selection::Kind::span) of = hover_ ? hover_->item : std::nullopt;
  if (!of || of->kind != Selection::Kind::span) return std::nullopt;
  return view.trace()->span(view.reader(), of->track, of->number).name;
}

void Viewer::update_hover(DocumentView& view) {
  hover_.reset();
  if (gestures_.resizing()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  const bool covered = is_dialog_open() || help_.is_open || menu_ || window_menu_ ||
                       gestures_.dragging() || view.is_coasting();
  if (!pointer_inside_ || covered) return;
  show_overview_cursor(view);
  if (overview_gestures_.held()) return;
  if (pointer_x_ >= areas_.tracks.x1 || pointer_y_ < areas_.axis.y0 ||
      pointer_y_ >= areas_.tracks.y1)
    return;
  hover_ = hit_timeline(input_for(view), view.reader(), pointer_x_, pointer_y_);
  if (hover_->on_hidden_note) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (hover_->on_lower_edge) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  if (hover_->item && !view.is_moving()) want_occurrence(view, *hover_->item);
}

/// What can be done with the part of the strip that is held or under the pointer.
void Viewer::show_overview_cursor(const DocumentView& view) const {
  const auto part = overview_gestures_.held()
                        ? overview_gestures_.held()
                        : overview_part_at(view.shown_viewport(), areas_, pointer_x_, pointer_y_);
  if (part == OverviewPart::begin_handle || part == OverviewPart::end_handle)
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (part == OverviewPart::frame) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
}

void Viewer::want_occurrence(const DocumentView& view, const Selection& selection) {
  if (selection.kind != Selection::Kind::span || known_occurrence(selection)) return;
  const bool asked = asked_occurrence_ && asked_occurrence_->trace == view.trace() &&
                     asked_occurrence_->track == selection.track &&
                     asked_occurrence_->record == selection.number;
  if (asked) return;
  asked_occurrence_ = OccurrenceRequest{view.trace(), selection.track, selection.number};
  occurrence_worker_.cancel();
  occurrence_worker_.request(*asked_occurrence_);
}

std::optional<query::Occurrence> Viewer::known_occurrence(const Selection& selection) const {
  for (const auto& found : {occurrence_, selected_occurrence_}) {
    if (found && found->track == selection.track && found->record == selection.number)
      return found->occurrence;
  }
  return std::nullopt;
}

}  // namespace bytescope::app
