#include "app/viewer.h"

#include <algorithm>
#include <utility>

#include "app/actions.h"
#include "app/panels/tab_bar.h"
#include "app/range_sheet.h"
#include "app/trace_title.h"
#include "core/merge/file_set.h"
#include "core/net/url.h"
#include "core/query/ranges.h"

namespace bytescope::app {
namespace {

using Kind = InputEvent::Kind;

void answer_occurrence(
    const OccurrenceRequest& request, const Cancel& cancel,
    const std::function<void(std::shared_ptr<const OccurrenceResult>)>& publish) {
  const auto found = query::occurrence(*request.trace, request.track, request.record, cancel);
  if (found)
    publish(std::make_shared<const OccurrenceResult>(
        OccurrenceResult{request.track, request.record, *found}));
}

FactSheet short_sheet(const trace::Trace& trace, io::PageReader& reader,
                      const Selection& selection) {
  return selection.kind == Selection::Kind::span
             ? span_sheet(trace, reader, selection.track, selection.number, std::nullopt)
             : buffer_sheet(trace, reader, selection.track, selection.number);
}

/// First what belongs to the selection, then what takes a look at all spans.
void answer_sheet(const SheetRequest& request, const Cancel& cancel,
                  const std::function<void(std::shared_ptr<const SheetResult>)>& publish) {
  constexpr std::size_t cached_pages = 16;
  const trace::Trace& trace = *request.trace;
  const std::uint32_t track = request.selection.track;
  const std::uint32_t number = request.selection.number;
  io::PageReader reader(request.trace->file, cached_pages);
  SheetResult result{request.selection, {}, false};
  if (request.selection.kind == Selection::Kind::span) {
    result.sheet = full_span_sheet(trace, reader, track, number, cancel);
    publish(std::make_shared<const SheetResult>(result));
    add_trace_facts(result.sheet, trace, reader, track, number, cancel);
  } else {
    result.sheet = full_buffer_sheet(trace, reader, track, number, cancel);
  }
  result.complete = true;
  publish(std::make_shared<const SheetResult>(std::move(result)));
}

void answer_range(const RangeRequest& request, const Cancel& cancel,
                  const std::function<void(std::shared_ptr<const RangeResult>)>& publish) {
  if (!request.trace) return;
  const auto facts = query::range_facts(*request.trace, request.range, cancel);
  if (facts)
    publish(std::make_shared<const RangeResult>(
        RangeResult{request, range_sheet(*request.trace, *facts)}));
}

}  // namespace

Viewer::Viewer(const render::Theme& theme, Clipboard& clipboard, std::function<void()> wake)
    : theme_(&theme),
      clipboard_(clipboard),
      wake_(std::move(wake)),
      session_(wake_),
      detail_(wake_),
      occurrence_worker_(answer_occurrence, wake_),
      sheet_worker_(answer_sheet, wake_),
      range_worker_(answer_range, wake_),
      dock_driver_(wake_),
      chooser_(wake_),
      exports_(wake_),
      demo_maker_(wake_) {
  session_.tell_changes();
}

void Viewer::open(const std::string& path) {
  if (const session::Document* document = document_of(path)) {
    if (!document->loading) session_.reload(document->id);
    return activate(document->id);
  }
  const bool is_set = merge::file_set_from(path).has_value();
  const RememberedView* const known = remembered_.view_of(absolute_path(path));
  const std::uint64_t id =
      session_.open(is_set ? absolute_path(path) : net::trace_name(path),
                    is_set && known != nullptr ? known->offsets_us : std::vector<std::int64_t>());
  views_.push_back(std::make_unique<DocumentView>(id));
  views_.back()->set_cards(cards_);
  views_.back()->set_motion(moves_);
  remembered_.note_recent(absolute_path(path));
  activate(id);
}

/// The document of a file that is open already: two views of it would write over each other's
/// notes.
const session::Document* Viewer::document_of(const std::string& path) const {
  const std::string wanted = absolute_path(path);
  for (const session::Document& document : session_.documents())
    if (absolute_path(document.path) == wanted) return &document;
  return nullptr;
}

void Viewer::activate(std::uint64_t id) {
  if (active_id_ == id) return;
  if (DocumentView* left = active()) move_partner(*left);
  active_id_ = id;
  moved_with_.reset();
  if (const DocumentView* now = active()) moved_with_ = now->state().viewport;
  gestures_.cancel();
  overview_gestures_.cancel();
  measure_begin_ns_.reset();
  spot_ns_.reset();
  newest_note_.reset();
  marker_hit_.reset();
  followed_.reset();
  peak_shown_ = UINT32_MAX;
  forget_places();
}

/// What was found at a place, or told of it, holds for one trace only.
void Viewer::forget_places() {
  hover_.reset();
  sheet_of_.reset();
  sheet_worker_.cancel();
  full_sheet_ = nullptr;
  menu_.reset();
  forget_occurrences();
}

DocumentView* Viewer::active() {
  for (const auto& view : views_) {
    if (view->id() == active_id_) return view->ready() ? view.get() : nullptr;
  }
  return nullptr;
}

const session::Document* Viewer::active_document() const { return session_.find(active_id_); }

std::string Viewer::title() const {
  const session::Document* document = active_document();
  return document == nullptr ? "bytescope" : tab_of(*document).title + " \u2013 bytescope";
}

void Viewer::set_theme(const render::Theme& theme) {
  theme_ = &theme;
  for (const auto& view : views_) view->stacks.clear();  // their pictures have the old colours
  detail_.ask_anew();
  if (beside_detail_) beside_detail_->ask_anew();
}

bool Viewer::poll() {
  const bool changed = session_.poll();
  if (changed) {
    follow_documents();
    tell_of_file();
  }
  detail_.hand_over(views_);
  if (beside_detail_) beside_detail_->hand_over(views_);
  if (auto found = occurrence_worker_.take()) occurrence_ = std::move(found);
  if (auto found = sheet_worker_.take()) full_sheet_ = std::move(found);
  if (auto found = range_worker_.take()) range_sheet_ = std::move(found);
  dock_driver_.take(views_);
  take_jump();
  if (auto done = exports_.take()) tell(std::move(done->sentence), done->is_good);
  if (const auto made = demo_maker_.take())
    made->has_value() ? open(**made) : tell(text(made->error()));
  return changed;
}

void Viewer::follow_documents() {
  forget_places();
  for (const auto& view : views_) {
    const session::Document* document = session_.find(view->id());
    if (document == nullptr) continue;
    const bool is_new = !view->ready();
    view->follow(*document, static_cast<double>(areas_.tracks.width()));
    if (is_new && view->ready()) recall_view(*view, document->path);
  }
}

void Viewer::recall(Remembered remembered) {
  remembered_ = std::move(remembered);
  if (remembered_.light)
    set_theme(*remembered_.light ? render::light_theme() : render::dark_theme());
  zoom_ = remembered_.zoom;
  set_cards(remembered_.cards);
  session_.set_watching(remembered_.watches);
}

Remembered Viewer::remembered() const {
  Remembered now = remembered_;
  now.zoom = zoom_;
  now.cards = *cards_;
  now.watches = session_.is_watching();
  for (const auto& view : views_) {
    const session::Document* document = session_.find(view->id());
    if (document != nullptr && view->ready())
      now.note_view(view->remembered(absolute_path(document->path)));
  }
  return now;
}

void Viewer::recall_view(DocumentView& view, const std::string& path) const {
  if (const RememberedView* known = remembered_.view_of(absolute_path(path))) view.recall(*known);
}

void Viewer::switch_theme() {
  remembered_.light = theme_->dark;
  set_theme(*remembered_.light ? render::light_theme() : render::dark_theme());
}

void Viewer::set_motion(bool moves) {
  moves_ = moves;
  for (const auto& view : views_) view->set_motion(moves);
}

void Viewer::switch_motion() {
  set_motion(!moves_);
  remembered_.motion = moves_;
  tell(moves_ ? "Zoom and jumps glide" : "Zoom and jumps are there at once", /*is_good=*/true);
}

/// Whatever somebody does next, it begins at what they see.
void Viewer::stop_coasting() {
  if (DocumentView* view = active()) view->stop_coasting();
}

/// Shows at once what costs a look at one record, and the rest when the worker has found it.
void Viewer::update_sheet(DocumentView& view, const Selection& selection) {
  if (!(sheet_of_ == selection)) {
    selection_sheet_ = short_sheet(*view.trace(), view.reader(), selection);
    sheet_is_complete_ = false;
    sheet_of_ = selection;
    sheet_has_occurrence_ = false;
    sheet_worker_.cancel();
    sheet_worker_.request({view.trace(), selection});
  }
  if (full_sheet_ && full_sheet_->selection == selection) {
    selection_sheet_ = full_sheet_->sheet;
    sheet_has_occurrence_ = false;
    sheet_is_complete_ = full_sheet_->complete;
  }
  full_sheet_ = nullptr;
  const std::optional<query::Occurrence> occurrence = known_occurrence(selection);
  if (!occurrence || sheet_has_occurrence_) return;
  tell_occurrence(*selection_sheet_, selection.number, *occurrence);
  sheet_has_occurrence_ = true;
}

bool Viewer::settled() const {
  return !session_.busy() && detail_.settled() && (!beside_detail_ || beside_detail_->settled()) &&
         occurrence_worker_.idle() && sheet_worker_.idle() && !full_sheet_ &&
         range_worker_.idle() && dock_driver_.idle() && !exports_.is_busy() &&
         !demo_maker_.is_busy() && !wants_frame_;
}

bool Viewer::is_dialog_open() const {
  return chooser_.is_open() || palette_.is_open() || save_panel_.is_open() ||
         merge_panel_.is_open();
}

GestureTarget Viewer::gesture_target(DocumentView& view) {
  return {view, areas_of(view), scale_, now_s_, [this, &view](float x, float y) {
            return hit_timeline(input_for(view), view.reader(), x, y);
          }};
}

void Viewer::handle(const InputEvent& event) {
  look_at_clock(event.time_s);
  const bool is_pressed =
      event.down && (event.kind == Kind::key || event.kind == Kind::mouse_button);
  // The window's focus comes and goes by itself: what was told at the start stays.
  if (is_pressed) notice_.clear();
  if (is_pressed && event.kind == Kind::mouse_button) focus_.leave();
  if (event.down || event.kind == Kind::scroll) stop_coasting();
  switch (event.kind) {
    case Kind::drop:
      for (const std::string& path : event.paths) open(path);
      break;
    case Kind::close: quit_ = true; break;
    case Kind::focus:
      if (!event.down) release_all_actions(*this);
      break;
    case Kind::mouse_leave: pointer_inside_ = false; break;
    case Kind::key:
    case Kind::character: act_on_key(event); break;
    case Kind::mouse_move:
    case Kind::mouse_button:
    case Kind::scroll: handle_mouse(event); break;
    default: break;
  }
}

void Viewer::handle_mouse(const InputEvent& event) {
  pointer_inside_ = true;
  pointer_x_ = event.x;
  pointer_y_ = event.y;
  const bool pressed = event.kind == Kind::mouse_button && event.down;
  if (pressed) spot_ns_.reset();
  if (pressed && event.button == MouseButton::back) return go_back();
  if (pressed && event.button == MouseButton::forward) return go_forward();
  DocumentView* view = active();
  // What lies over the timeline takes the mouse, and the release of a drag under way; a press
  // beside the menu closes it.
  const bool is_covered = is_dialog_open() || help_.is_open || menu_ || window_menu_;
  if (is_covered) {
    gestures_.cancel();
    overview_gestures_.cancel();
  }
  if (view == nullptr || fonts_ == nullptr || is_covered) return;
  if (const auto beside = view_beside_at(event.x, event.y)) {
    if (event.kind == Kind::scroll) return scroll_beside(event, *view, *beside);
    if (pressed) view = &change_sides(*view, *beside);
  }
  if (pressed) view->dock.rows_have_keys = areas_.dock.contains(event.x, event.y);
  if (!gestures_.holding() && overview_gestures_.handle(event, *view, areas_, now_s_)) return;
  const GestureAnswer asked = gestures_.handle(event, gesture_target(*view));
  if (asked.shift) return shift_file(*view, *asked.shift);
  if (!asked.open_menu) return;
  menu_ = asked.menu_hit;
  menu_opening_ = true;
}

}  // namespace bytescope::app
