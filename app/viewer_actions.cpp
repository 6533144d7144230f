#include <algorithm>
#include <cmath>
#include <utility>

#include "app/viewer.h"
#include "core/merge/file_set.h"
#include "core/net/url.h"
#include "core/query/span_pick.h"
#include "core/trace/ansi.h"

namespace bytescope::app {
namespace {

/// Half a window of air around what is shown by "zoom to the selection" would hide it; a tenth
/// shows where it ends.
query::TimeRange with_air(std::int64_t begin_ns, std::int64_t length_ns) {
  const std::int64_t air = std::max<std::int64_t>(length_ns / 10, 1);
  return {begin_ns - air, begin_ns + length_ns + air};
}

}  // namespace

void Viewer::zoom_by(double factor) {
  DocumentView* view = active();
  if (view == nullptr) return;
  const bool over_tracks = pointer_inside_ && areas_.tracks.contains(pointer_x_, areas_.tracks.y0);
  const double anchor = over_tracks ? static_cast<double>(pointer_x_ - areas_.tracks.x0)
                                    : view->state().viewport.width_px() / 2;
  view->leave_in_motion(now_s_);
  view->state().viewport = view->state().viewport.zoomed(factor, anchor);
}

void Viewer::pan_by(double share_of_view) {
  DocumentView* view = active();
  if (view == nullptr) return;
  view->leave_in_motion(now_s_);
  view->state().viewport =
      view->state().viewport.panned(share_of_view * view->state().viewport.width_px());
}

void Viewer::scroll_by(double px) {
  if (DocumentView* view = active()) {
    view->state().scroll_px += px;
    view->clamp_scroll(tracks_height_px());
  }
}

void Viewer::fit_trace() {
  if (DocumentView* view = active()) {
    view->leave();
    view->state().viewport = view->state().viewport.fitted();
  }
}

void Viewer::fit_selection() {
  DocumentView* view = active();
  if (view == nullptr) return;
  view->leave();
  ViewState& state = view->state();
  if (state.selection) {
    state.viewport = state.viewport.showing(
        with_air(state.selection->begin_ns, std::llround(state.selection->length_ns)));
    select_and_reveal(*state.selection);
  } else if (state.range) {
    state.viewport = state.viewport.showing(*state.range);
  }
}

void Viewer::walk(int step) {
  DocumentView* view = active();
  if (view == nullptr || !view->state().selection) return;
  const Selection& selection = *view->state().selection;
  const auto next =
      query::neighbour_in_lane(*view->trace(), selection.track, selection.number, step);
  if (next)
    select_and_reveal(span_selection(*view->trace(), view->reader(), selection.track, *next));
}

void Viewer::change_lane(int step) {
  DocumentView* view = active();
  if (view == nullptr || !view->state().selection) return;
  const Selection selection = *view->state().selection;
  const render::TrackLayout& layout = view->layout(tracks_height_px());
  const std::int64_t time_ns =
      selection.begin_ns + static_cast<std::int64_t>(selection.length_ns / 2);
  const double tolerance_ns = view->state().viewport.length_ns() / 4;
  // The next lane with a span near the same time, in this track or in one further up or down.
  const auto selected = layout.row_of(selection.track);
  if (!selected) return;
  auto row = static_cast<std::int64_t>(*selected);
  std::int64_t lane = std::int64_t{selection.lane} + step;
  while (row >= 0 && row < static_cast<std::int64_t>(layout.rows.size())) {
    const render::TrackRow& at = layout.rows[static_cast<std::size_t>(row)];
    const bool spans = at.kind == render::RowKind::spans && lane >= 0 && lane < at.shown_lanes;
    if (spans) {
      const auto found = query::span_at(*view->trace(), view->reader(), at.track,
                                        static_cast<std::uint32_t>(lane), time_ns, tolerance_ns);
      if (found)
        return select_and_reveal(span_selection(*view->trace(), view->reader(), at.track, *found));
      lane += step;
      continue;
    }
    row += step;
    if (row < 0 || row >= static_cast<std::int64_t>(layout.rows.size())) return;
    lane = step > 0 ? 0 : std::int64_t{layout.rows[static_cast<std::size_t>(row)].shown_lanes} - 1;
  }
}

void Viewer::switch_memory_scale() {
  DocumentView* view = active();
  if (view == nullptr) return;
  view->state().memory.scale_per_track = !view->state().memory.scale_per_track;
  view->state().byte_windows.clear();  // they were chosen on another scale
}

void Viewer::color_buffers(render::BufferColors colors) {
  if (DocumentView* view = active()) view->state().memory.colors = colors;
}

void Viewer::go_back() {
  DocumentView* view = active();
  if (view == nullptr) return;
  if (const auto state = view->history().back(view->state())) view->state() = *state;
}

void Viewer::go_forward() {
  DocumentView* view = active();
  if (view == nullptr) return;
  if (const auto state = view->history().forward(view->state())) view->state() = *state;
}

void Viewer::show_chooser() {
  const session::Document* document = active_document();
  const auto set = document == nullptr ? std::nullopt : merge::file_set_from(document->path);
  const std::string path = document == nullptr ? std::string()
                           : set               ? set->paths.front()
                                               : document->path;
  const std::string folder =
      net::is_url(path) ? std::string() : path.substr(0, path.find_last_of('/') + 1);
  chooser_.open(folder, remembered_.recent);
}

void Viewer::open_demo() {
  const auto path = demo_path();
  if (!path) return tell("There is no home folder to keep the demo in");
  if (!demo_maker_.is_busy()) demo_maker_.start(*path);
}

void Viewer::show_program_chooser() {
  const auto& recent = remembered_.recent;
  const auto last = std::find_if(recent.begin(), recent.end(),
                                 [](const std::string& path) { return net::is_url(path); });
  chooser_.open_at(last == recent.end() ? "http://127.0.0.1:8000" : *last, recent);
}

void Viewer::switch_watching() {
  session_.set_watching(!session_.is_watching());
  tell(session_.is_watching() ? "Files are read again by themselves when they have changed"
                              : "Files are no longer read again by themselves",
       /*is_good=*/true);
}

void Viewer::close_active() { close(active_id_); }

void Viewer::close(std::uint64_t id) {
  const auto& documents = session_.documents();
  const auto place = std::find_if(documents.begin(), documents.end(),
                                  [id](const session::Document& d) { return d.id == id; });
  if (place == documents.end()) return;
  std::uint64_t next = 0;
  if (place + 1 != documents.end()) {
    next = (place + 1)->id;
  } else if (place != documents.begin()) {
    next = (place - 1)->id;
  }
  remembered_ = remembered();
  if (id == active_id_) activate(next);
  forget_requests();
  forget_compared(id);
  session_.close(id);
  std::erase_if(views_, [id](const auto& view) { return view->id() == id; });
}

/// Requests hold their trace, and with it the file: a closed one would stay mapped.
void Viewer::forget_requests() {
  detail_.let_go();
  if (beside_detail_) beside_detail_->let_go();
  dock_driver_.forget();
  queued_steps_ = {};
  range_worker_.cancel();
  range_worker_.request({});
  asked_range_.reset();
  range_sheet_ = nullptr;
  forget_occurrences();
}

/// They are told apart by track and record only: others of another trace.
void Viewer::forget_occurrences() {
  occurrence_worker_.cancel();
  asked_occurrence_.reset();
  occurrence_ = nullptr;
  selected_occurrence_ = nullptr;
}

void Viewer::reload_active() { session_.reload(active_id_); }

void Viewer::next_document(int step) {
  const auto& documents = session_.documents();
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (documents[i].id != active_id_) continue;
    const std::size_t next = (i + documents.size() +
                              static_cast<std::size_t>(step + static_cast<int>(documents.size()))) %
                             documents.size();
    return activate(documents[next].id);
  }
}

void Viewer::copy() {
  DocumentView* view = active();
  if (view != nullptr && view->dock.open && view->dock.rows_have_keys) return copy_table();
  copy_selection();
}

void Viewer::copy_selection() {
  copies_sheet_ = active() != nullptr && active()->state().selection.has_value();
}

/// Copies what the panel tells of the selection as soon as all of it is known.
void Viewer::copy_complete_sheet() {
  if (!copies_sheet_ || !sheet_is_complete_) return;
  copies_sheet_ = false;
  std::string text = trace::plain_text(selection_sheet_->raw_title) + "\n";
  for (const FactSection& section : selection_sheet_->sections) {
    if (!section.title.empty()) text += section.title + "\n";
    for (const FactRow& row : section.rows) text += row.label + "\t" + row.value + "\n";
  }
  clipboard_.set_clipboard_text(text);
}

void Viewer::change_zoom(float step) {
  zoom_ = step == 0 ? 1 : std::clamp(zoom_ + step, 0.5F, 3.0F);
}

/// What is shown stays; without a word nobody would know whether it is the new one.
void Viewer::cancel_load(const session::Document& document) {
  session_.cancel(document.id);
  if (document.trace && document.trace->complete)
    tell("Reading again was cancelled", /*is_good=*/true);
}

void Viewer::escape() {
  if (help_.is_open) {
    help_.is_open = false;
    return;
  }
  if (menu_) return menu_.reset();
  if (window_menu_) return window_menu_.reset();
  if (focus_.is_at_control()) return focus_.leave();
  if (gestures_.shifting()) return gestures_.cancel();
  if (std::exchange(dims_others_, false)) return;
  const session::Document* document = active_document();
  if (document != nullptr && document->loading) return cancel_load(*document);
  if (exports_.is_busy()) return exports_.cancel();
  DocumentView* view = active();
  if (view == nullptr) return;
  measure_begin_ns_.reset();
  if (view->dock.renamed) {
    view->dock.renamed.reset();
  } else if (view->state().range) {
    view->state().range.reset();
  } else if (view->state().selection) {
    view->state().selection.reset();
  } else {
    view->dock.open.reset();
  }
}

}  // namespace bytescope::app
