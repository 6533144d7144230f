#include <algorithm>
#include <utility>

#include "app/trace_title.h"
#include "app/viewer.h"
#include "core/io/utf8.h"
#include "core/trace/ansi.h"
#include "render/overview_paint.h"

// Two aligned traces on one screen, one above the other: each with its axis, names, tracks and
// scroll position. One of them is active, as a tab is; a press in the other makes that the active
// one. They stand in the order of their tabs, so that nothing changes places by that.

namespace bytescope::app {

DocumentView* Viewer::view_of(std::uint64_t id) {
  for (const auto& view : views_)
    if (view->id() == id) return view->ready() ? view.get() : nullptr;
  return nullptr;
}

const render::WindowAreas& Viewer::areas_of(const DocumentView& view) const {
  return is_beside(view) ? beside_areas_ : areas_;
}

/// Where the parts of the window are that shows the active document, and maybe another.
void Viewer::place_areas() {
  DocumentView* view = active();
  const bool has_dock = view != nullptr && view->dock.open.has_value();
  areas_ =
      render::window_areas(width_, height_, view != nullptr, has_dock ? view->dock.height_px : 0);
  beside_id_ = 0;
  if (view == nullptr) return;
  view->set_fold_height(static_cast<double>(areas_.status.y0 - areas_.tracks.y0));
  DocumentView* beside = alignment_ && alignment_->shows_both ? aligned_partner(*view) : nullptr;
  const auto split = beside == nullptr ? std::nullopt : render::split_areas(areas_);
  if (!split) return;
  const auto& documents = session_.documents();
  const bool is_upper = std::find_if(documents.begin(), documents.end(), [&](const auto& document) {
                          return document.id == view->id() || document.id == beside->id();
                        })->id == view->id();
  beside_id_ = beside->id();
  beside_areas_ = is_upper ? split->lower : split->upper;
  beside_areas_.overview = {};
  areas_ = is_upper ? split->upper : split->lower;
  const double dock_share = static_cast<double>(areas_.dock.height()) / 2;
  for (DocumentView* each : {view, beside}) each->set_fold_height(tracks_height_px() + dock_share);
}

/// The other document where its part of the window is.
DocumentView* Viewer::view_beside_at(float x, float y) {
  const bool is_held = gestures_.holding() || overview_gestures_.held();
  if (beside_id_ == 0 || is_held || !render::pane_of(beside_areas_).contains(x, y)) return nullptr;
  return view_of(beside_id_);
}

/// Makes the other one active. The panel at the bottom stays as it is, with the answers for that
/// one: the rows under the pointer do not move away from it.
DocumentView& Viewer::change_sides(DocumentView& left, DocumentView& entered) {
  entered.dock.height_px = left.dock.height_px;
  if (!left.dock.open) {
    entered.dock.open.reset();
  } else if (entered.dock.open != left.dock.open) {
    entered.dock.open = left.dock.open;
    if (entered.dock.compared_document == 0) entered.dock.compared_document = left.id();
  }
  // Where it was seen, although its own view would not go beyond its trace.
  entered.state().viewport = level(entered, left.state().viewport);
  entered.show_at_once();
  activate(entered.id());
  place_areas();
  return entered;
}

/// The wheel acts on what is under it; the active view follows where both move together.
void Viewer::scroll_beside(const InputEvent& event, DocumentView& view, DocumentView& beside) {
  const render::Viewport before = level(beside, view.state().viewport);
  beside.state().viewport = before;
  gestures_.handle(event, gesture_target(beside));
  const render::Viewport& moved = beside.state().viewport;
  if (moved == before || !alignment_ || !alignment_->moves_together) return;
  view.leave_in_motion(now_s_);
  view.state().viewport = view.state().viewport.beside(moved, alignment_->shift_from(beside.id()));
  moved_with_ = view.state().viewport;
}

/// What the other one shows while this one, which is moved, shows `viewport`: the same moments
/// beside each other, also where one has nothing any more.
render::Viewport Viewer::level(const DocumentView& beside, const render::Viewport& viewport) const {
  if (!alignment_ || !alignment_->moves_together) return beside.shown_viewport();
  const std::int64_t shift_ns = -alignment_->shift_from(beside.id());
  return beside.state().viewport.resized(viewport.width_px()).level_with(viewport, shift_ns);
}

/// Brings the other one to this frame's moment, and asks for what is missing of it.
void Viewer::frame_beside(const DocumentView& view, DocumentView& beside) {
  beside.move_on(static_cast<double>(beside_areas_.tracks.width()),
                 static_cast<double>(beside_areas_.tracks.height()), now_s_);
  is_moving_ = is_moving_ || beside.is_moving();
  wants_frame_ = wants_frame_ || is_moving_;
  if (!beside_detail_) beside_detail_ = std::make_unique<DetailDesk>(wake_);
  beside_viewport_ = level(beside, view.shown_viewport());
  request_detail(beside, level(beside, view.state().viewport), *beside_detail_);
}

/// The scene of the active document; where another is shown, over that one's: each keeps inside its
/// part of the window.
void Viewer::build_panes(DocumentView& view) {
  DocumentView* beside = view_of(beside_id_);
  if (beside == nullptr) {
    render::build_timeline(input_for(view), scene_);
    return paint_shift(view, scene_);
  }
  render::build_timeline(input_for(*beside), scene_);
  paint_range(*beside, beside_areas_, beside->state().range, scene_.layer_over());
  scene_.keep_inside(render::pane_of(beside_areas_));
  render::Scene& own = scene_.layer_over().layer_over();
  render::TimelineInput input = input_for(view);
  const render::Box strip = std::exchange(input.areas.overview, {});
  render::build_timeline(input, own);
  paint_shift(view, own);
  own.keep_inside(render::pane_of(areas_));
  // What lies over both: the strip of the active one, and the titles.
  render::Scene& common = own.layer_over().layer_over();
  common.clear();  // of the frame before, which was kept inside, too
  common.texel_width = own.texel_width;
  input.areas.overview = strip;
  render::paint_overview(input, common);
  paint_title(*beside, common);
  paint_title(view, common);
}

/// Which file it is, and whether it is the active one.
void Viewer::paint_title(const DocumentView& view, render::Scene& scene) const {
  const bool is_active = !is_beside(view);
  const render::Box& box = areas_of(view).title;
  const render::Theme& theme = *theme_;
  const auto fill = [&scene](const render::Box& part, render::Color color) {
    scene.above.push_back({part, color, color});
  };
  fill(box, theme.panel);
  fill({box.x0, box.y0, box.x1, box.y0 + 1}, theme.border);
  if (is_active) fill({box.x0, box.y0, box.x0 + 3, box.y1}, theme.accent);
  const std::string name = io::printable_utf8(trace::single_line(name_of(view)));
  scene.labels.push_back({box.x0 + 12,
                          box.y0 + 4,
                          render::Face::ui_12,
                          box,
                          {{name, is_active ? theme.text : theme.text_2}}});
}

}  // namespace bytescope::app
