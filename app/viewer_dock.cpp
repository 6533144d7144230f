#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/actions.h"
#include "app/panels/table_panel.h"
#include "app/panels/text_panel.h"
#include "app/viewer.h"
#include "core/query/time_argument.h"
#include "core/trace/ansi.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

/// A stretch with a tenth of air on both sides.
query::TimeRange with_air(const query::TimeRange& range) {
  const std::int64_t air = std::max<std::int64_t>(range.length_ns() / 10, 1);
  return {range.begin_ns - air, range.end_ns + air};
}

/// How many rows a key moves by; 0: none.
int rows_moved_by(Key key) {
  constexpr int page = 10;
  switch (key) {
    case Key::down: return 1;
    case Key::up: return -1;
    case Key::page_down: return page;
    case Key::page_up: return -page;
    default: return 0;
  }
}

/// Whether the field that wanted the keyboard has been drawn and gets it with the next frame.
bool has_given_keyboard(DockState& dock, const DockAnswer& answer) {
  if (answer.awaits_row) return false;
  return std::exchange(dock.wants_keyboard, TakeKeyboard::no) != TakeKeyboard::no;
}

/// The place of the peak's track among the memory tracks: what the live buffers are told of first.
std::uint8_t peak_choice(const DocumentView& view) {
  const auto& peak = view.summary()->peak_track;
  std::uint8_t place = 0;
  for (std::uint32_t i = 0; peak && i < *peak; ++i)
    if (view.trace()->tracks[i].memory && place < UINT8_MAX) ++place;
  return place;
}

/// Scrolls to the chosen row, where that is wanted.
void reveal_chosen(DockState& dock, float table_height_px) {
  if (!std::exchange(dock.reveals_chosen, false)) return;
  DockTab& tab = dock.tab(*dock.open);
  if (!tab.answer || tab.view.chosen >= tab.answer->table.row_count) return;
  tab.view.follow(tab.answer->table, tab.answer->version);
  reveal_row(tab.view, tab.view.chosen, table_height_px);
}

}  // namespace

void Viewer::open_tab(AnswerKind kind) {
  DocumentView* view = active();
  if (view == nullptr || !view->tab_menus()[static_cast<std::size_t>(kind)].makes_sense) return;
  DockState& dock = view->dock;
  dock.renamed.reset();
  DockTab& tab = dock.tab(kind);
  if (kind == AnswerKind::live && !tab.answer) tab.choices[2] = peak_choice(*view);
  if (kind == AnswerKind::compare && dock.compared_document == 0 &&
      dock.compared_b.length_ns() == 0) {
    // No stretches are chosen: another open trace is meant, where there is one.
    tab.choices[1] = 1;
    choose_compared(*view);
  }
  dock.open = kind;
  dock.rows_have_keys = true;
}

void Viewer::toggle_tab(AnswerKind kind) {
  DocumentView* view = active();
  if (view == nullptr) return;
  if (view->dock.open == kind) {
    view->dock.open.reset();
  } else {
    open_tab(kind);
  }
}

void Viewer::show_search() {
  open_tab(AnswerKind::search);
  if (DocumentView* view = active()) view->dock.wants_keyboard = TakeKeyboard::select;
}

void Viewer::show_live_buffers() {
  DocumentView* view = active();
  if (view == nullptr) return;
  const bool points = hover_ && hover_->row && pointer_x_ >= areas_.tracks.x0;
  const auto& rows = view->layout(tracks_height_px()).rows;
  const bool on_memory =
      points && *hover_->row < rows.size() && rows[*hover_->row].kind == render::RowKind::memory;
  if (!on_memory) return toggle_tab(AnswerKind::live);
  open_tab(AnswerKind::live);
  DockTab& tab = view->dock.tab(AnswerKind::live);
  view->dock.pinned_ns = hover_->time_ns;
  tab.choices[0] = 1;
  std::uint8_t place = 0;
  for (std::uint32_t i = 0; i < rows[*hover_->row].track; ++i)
    if (view->trace()->tracks[i].memory && place < UINT8_MAX) ++place;
  tab.choices[2] = place;
}

void Viewer::go_to(const RowTarget& target, bool zoom) {
  DocumentView* view = active();
  if (view == nullptr || std::holds_alternative<std::monostate>(target)) return;
  view->leave();
  ViewState& state = view->state();
  if (const auto* selection = std::get_if<Selection>(&target)) {
    select_and_reveal(*selection);
    if (zoom) fit_selection();
  } else if (const auto* range = std::get_if<query::TimeRange>(&target)) {
    spot_ns_.reset();
    state.range = *range;
    state.viewport =
        zoom ? state.viewport.showing(with_air(*range)) : state.viewport.revealing(*range);
  } else {
    const std::int64_t time = std::get<std::int64_t>(target);
    const query::TimeRange window = state.viewport.window();
    const std::int64_t half = window.length_ns() / 2;
    if (!window.contains(time)) state.viewport = state.viewport.showing({time - half, time + half});
    spot_ns_ = time;
  }
}

void Viewer::compare_with(const RowTarget& target) {
  DocumentView* view = active();
  const auto* other = std::get_if<query::TimeRange>(&target);
  if (view == nullptr || other == nullptr || !view->state().range) return;
  view->dock.compared_document = 0;
  view->dock.compared_a = *view->state().range;
  view->dock.compared_b = *other;
  open_tab(AnswerKind::compare);
}

RowTarget Viewer::target_of_row(DocumentView& view, std::size_t row) {
  const auto& answer = view.dock.tab(*view.dock.open).answer;
  if (!answer || !answer->target || row >= answer->table.row_count) return {};
  return answer->target(row, view.reader());
}

bool Viewer::move_in_table(Key key) {
  DocumentView* view = active();
  if (view == nullptr || !view->dock.open || !view->dock.rows_have_keys) return false;
  const int step = rows_moved_by(key);
  const DockTab& tab = view->dock.tab(*view->dock.open);
  TableView& table = view->dock.tab(*view->dock.open).view;
  if (key == Key::left || key == Key::right)
    return scroll_columns(table, key == Key::left ? -1 : 1);
  if (step == 0) return false;
  if (tab.answer && tab.answer->lines) {
    scroll_lines(table, step);
    return true;
  }
  if (tab.answer) table.follow(tab.answer->table, tab.answer->version);
  const auto row = move_chosen(table, step, dock_table_height_px(view->dock, areas_.dock.height()));
  if (row) go_to(target_of_row(*view, *row), /*zoom=*/false);
  return true;
}

/// Follows the selection: the instruction of a shader's span is shown in the list.
void Viewer::follow_selection(DocumentView& view) {
  if (view.dock.open != AnswerKind::instructions) return;
  DockTab& tab = view.dock.tab(AnswerKind::instructions);
  const std::optional<Selection>& selection = view.state().selection;
  if (!selection || followed_ == selection || !tab.answer || !tab.answer->row_of_span) return;
  followed_ = selection;
  if (selection->kind != Selection::Kind::span) return;
  const auto row = tab.answer->row_of_span(selection->track, selection->number, view.reader());
  if (!row) return;
  tab.view.chosen = *row;
  tab.view.follow(tab.answer->table, tab.answer->version);
  reveal_row(tab.view, *row, dock_table_height_px(view.dock, areas_.dock.height()));
}

/// The program whose texts are shown follows the selection; one text at another place.
void Viewer::follow_program(DocumentView& view) {
  DockState& dock = view.dock;
  if (dock.open != AnswerKind::source && dock.open != AnswerKind::disassembly) return;
  std::optional<std::uint32_t> program;
  const std::optional<Selection>& selection = view.state().selection;
  if (selection && selection->kind == Selection::Kind::span)
    program = view.trace()->span(view.reader(), selection->track, selection->number).ref;
  if (program == dock.program) return;
  dock.program = program;
  for (const AnswerKind kind : {AnswerKind::source, AnswerKind::disassembly}) {
    dock.tab(kind).view.scroll_px = 0;
    dock.tab(kind).view.scroll_x_px = 0;
  }
}

void Viewer::frame_dock(DocumentView& view) {
  follow_compared(view);
  follow_program(view);
  dock_driver_.want(view);
  if (!view.dock.open) return;
  DockState& dock = view.dock;
  follow_selection(view);
  reveal_chosen(dock, dock_table_height_px(dock, areas_.dock.height()));
  const bool compares = dock.open == AnswerKind::compare;
  const DockAnswer answer =
      dock_panel(context_of(areas_.dock), menus_of_dock(view), dock, dock_driver_.histogram(view),
                 dock_driver_.busy(view, *dock.open));
  if (compares) choose_compared(view);
  typing_ = answer.typing;
  if (has_given_keyboard(dock, answer)) wants_frame_ = true;
  if (answer.height_px)
    dock.height_px = std::clamp(*answer.height_px, DockState::least_height_px,
                                std::max(height_ * 0.7F, DockState::least_height_px));
  if (answer.row) {
    dock.rows_have_keys = true;
    dock.wanted_name.clear();
    const RowTarget target = target_of_row(view, *answer.row);
    if (dock.open == AnswerKind::cards) {
      rename_noted();
    } else if (answer.with_command) {
      compare_with(target);
    } else {
      go_to(target, /*zoom=*/false);
    }
  }
  if (answer.zoom_to_row) go_to(target_of_row(view, *answer.zoom_to_row), /*zoom=*/true);
  if (answer.copy) copy_table();
  if (answer.instant_ns) go_to(RowTarget(*answer.instant_ns), /*zoom=*/false);
  if (answer.durations) show_durations(view, *answer.durations);
  if (answer.named) name_noted(*answer.named);
  if (answer.entered) {
    dock.step_wanted = ImGui::GetIO().KeyShift ? -1 : 1;
    dock.wants_keyboard = TakeKeyboard::go_on;
  }
  if (dock.step_wanted != 0) go_to_searched(view);
  if (answer.open) open_tab(*answer.open);
  if (answer.close) dock.open.reset();
}

void Viewer::copy_table() {
  DocumentView* view = active();
  if (view == nullptr || !view->dock.open) return;
  DockTab& tab = view->dock.tab(*view->dock.open);
  if (!tab.answer) return;
  if (tab.answer->lines) return clipboard_.set_clipboard_text(tab.answer->lines->text());
  tab.view.follow(tab.answer->table, tab.answer->version);
  clipboard_.set_clipboard_text(table_as_tsv(tab.answer->table, tab.view));
}

/// Enter goes to the next hit as soon as there is one; a line that is a time (and finds nothing)
/// goes there.
void Viewer::go_to_searched(DocumentView& view) {
  const auto& answer = view.dock.tab(AnswerKind::search).answer;
  if (!answer || answer->request.text != view.dock.search_line) return;
  const bool found = answer->search && answer->search->hits() > 0;
  if (!found && !answer->complete) return;
  const int step = std::exchange(view.dock.step_wanted, 0);
  if (const auto time = query::ns_from_shown_time(view.dock.search_line)) return go_to_time(*time);
  if (found) return step_hit(step);
  if (const auto time = query::time_from_argument(*view.trace(), view.dock.search_line))
    go_to_time(*time);
}

/// Brings an instant in view and marks it until something is pressed.
void Viewer::go_to_time(std::int64_t time_ns) {
  DocumentView* view = active();
  if (view == nullptr) return;
  go_to(RowTarget(time_ns), /*zoom=*/false);
  tell("At " + render::time_text(time_ns, view->trace()->unit), /*is_good=*/true);
}

/// The place that the next hit is looked for from: the marker or instant gone to last, else the
/// selected span.
std::optional<query::SearchHit> Viewer::hit_origin(const ViewState& state, int step) const {
  if (spot_ns_ && marker_hit_ && marker_hit_->start_ns == *spot_ns_) return marker_hit_;
  if (spot_ns_)
    return query::SearchHit{*spot_ns_, query::SearchHit::marker, step > 0 ? UINT32_MAX : 0, 0};
  if (!state.selection || state.selection->kind != Selection::Kind::span) return std::nullopt;
  return query::SearchHit{state.selection->begin_ns, state.selection->track,
                          state.selection->number, 0};
}

/// Marks the row of the hit that is gone to, where it has one, and tells which of all it is.
void Viewer::show_hit(DocumentView& view, const query::SearchHit& hit) {
  DockTab& tab = view.dock.tab(AnswerKind::search);
  const std::vector<query::SearchHit>& listed = *tab.answer->listed_hits;
  const auto found =
      std::find_if(listed.begin(), listed.end(), [&hit](const query::SearchHit& one) {
        return one.track == hit.track && one.record == hit.record;
      });
  tab.view.chosen = found == listed.end() ? TableView::unsorted
                                          : static_cast<std::size_t>(found - listed.begin());
  tab.view.follow(tab.answer->table, tab.answer->version);
  if (found != listed.end())
    reveal_row(tab.view, tab.view.chosen, dock_table_height_px(view.dock, areas_.dock.height()));
  const query::SearchResult& result = *tab.answer->search;
  tell(fmt::format("Hit {} of {}",
                   trace::count_text(query::hits_before(result, view.reader(), hit) + 1),
                   trace::count_text(result.hits())),
       /*is_good=*/true);
}

void Viewer::step_hit(int step) {
  DocumentView* view = active();
  if (view == nullptr) return;
  const DockTab& tab = view->dock.tab(AnswerKind::search);
  if (!tab.answer || !tab.answer->search || tab.answer->search->hits() == 0) return show_search();
  const query::SearchResult& result = *tab.answer->search;
  io::PageReader& reader = view->reader();
  std::optional<query::SearchHit> hit;
  if (const auto from = hit_origin(view->state(), step)) {
    hit = step > 0 ? query::next_hit(result, reader, *from)
                   : query::previous_hit(result, reader, *from);
  } else {
    const std::int64_t begin = view->state().viewport.ns_from_px(0);
    hit = step > 0 ? query::hit_at_or_after(result, reader, begin)
                   : query::hit_before(result, reader, begin);
  }
  // Around the ends.
  if (!hit)
    hit = step > 0 ? query::hit_at_or_after(result, reader, INT64_MIN)
                   : query::hit_before(result, reader, INT64_MAX);
  if (!hit) return;
  show_hit(*view, *hit);
  if (hit->is_marker()) {
    go_to(RowTarget(hit->start_ns), /*zoom=*/false);
    marker_hit_ = hit;
    return;
  }
  go_to(RowTarget(span_selection(*view->trace(), reader, hit->track, hit->record)),
        /*zoom=*/false);
}

/// The search whose hits are marked on the timeline.
std::shared_ptr<const query::SearchResult> Viewer::shown_search(const DocumentView& view) {
  const DockTab& tab = view.dock.tab(AnswerKind::search);
  if (!view.dock.open || view.dock.search_line.empty() || !tab.answer ||
      tab.answer->request.trace != view.trace())
    return nullptr;
  return tab.answer->search;
}

}  // namespace bytescope::app
