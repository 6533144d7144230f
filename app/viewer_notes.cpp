#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/viewer.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

/// The own marker or kept range that the chosen row of the open tab stands for.
std::optional<std::size_t> noted_at_row(const DocumentView& view) {
  if (!view.dock.open) return std::nullopt;
  const DockTab& tab = view.dock.tab(*view.dock.open);
  if (!tab.answer || !tab.answer->note_of_row || tab.view.chosen >= tab.answer->table.row_count)
    return std::nullopt;
  if (view.dock.open == AnswerKind::cards) return tab.view.chosen;
  // A list of what the notes were tells other places.
  const DocumentNotes& listed = tab.answer->request.notes;
  const bool is_current = view.dock.open == AnswerKind::ranges
                              ? listed.ranges == view.notes().ranges
                              : listed.markers == view.notes().markers;
  return is_current ? tab.answer->note_of_row(tab.view.chosen) : std::nullopt;
}

/// Whether the keys are in a list of notes with a row chosen.
bool is_among_notes(const DockState& dock) {
  if (!dock.rows_have_keys || (dock.open != AnswerKind::ranges && dock.open != AnswerKind::markers))
    return false;
  const DockTab& tab = dock.tab(*dock.open);
  return tab.answer && tab.view.chosen < tab.answer->table.row_count;
}

/// What stands in the field where a row's name, or a limit, is typed anew.
std::string noted_text(const DocumentView& view, std::size_t row) {
  const DocumentNotes& notes = view.notes();
  if (view.dock.open == AnswerKind::ranges) return notes.ranges[row].name;
  if (view.dock.open == AnswerKind::markers) return notes.markers[row].name;
  const CardRow card = card_rows(*view.trace())[row];
  const double value = limits_of(*view.cards(), card.family).*card.quantity->value;
  return value > 0 ? trace::si_text(value, card.quantity->unit) : std::string();
}

/// How near to an own marker the pointer has to be to mean it.
constexpr double near_px = 6;

}  // namespace

void Viewer::put_marker() {
  DocumentView* view = active();
  if (view == nullptr) return;
  DocumentNotes notes = view->notes();
  const bool points = hover_ && pointer_x_ >= areas_.tracks.x0;
  const std::int64_t time = points ? hover_->time_ns : step_origin_ns(*view);
  notes.markers.push_back(
      {std::max<std::int64_t>(time, 0), fmt::format("mark {}", notes.markers.size() + 1)});
  view->dock.renamed.reset();  // places change
  view->set_notes(std::move(notes));
  newest_note_ = AnswerKind::markers;
}

/// The first time it begins at the pointer, and the range follows the pointer; the second time it
/// ends there.
void Viewer::measure_from_pointer() {
  if (measure_begin_ns_) {
    measure_begin_ns_.reset();
  } else if (active() != nullptr && hover_) {
    measure_begin_ns_ = hover_->time_ns;
  }
}

void Viewer::follow_measure(DocumentView& view) {
  if (!measure_begin_ns_ || !hover_) return;
  const auto [begin, end] = std::minmax(*measure_begin_ns_, hover_->time_ns);
  if (begin < end) view.state().range = query::TimeRange{begin, end};
}

void Viewer::keep_range() {
  DocumentView* view = active();
  if (view == nullptr || !view->state().range) return;
  DocumentNotes notes = view->notes();
  notes.ranges.push_back({*view->state().range, fmt::format("range {}", notes.ranges.size() + 1)});
  view->set_notes(std::move(notes));
  open_tab(AnswerKind::ranges);
  newest_note_ = AnswerKind::ranges;
}

void Viewer::remove_noted() {
  DocumentView* view = active();
  if (view == nullptr) return;
  DocumentNotes notes = view->notes();
  view->dock.renamed.reset();
  newest_note_.reset();
  if (is_among_notes(view->dock)) {
    const DockTab& tab = view->dock.tab(*view->dock.open);
    const auto row = noted_at_row(*view);
    const bool is_measured =
        view->dock.open == AnswerKind::ranges && !tab.answer->note_of_row(tab.view.chosen);
    if (is_measured) view->state().range.reset();
    if (!row) return;
    const auto place = static_cast<std::ptrdiff_t>(*row);
    if (view->dock.open == AnswerKind::ranges) {
      notes.ranges.erase(notes.ranges.begin() + place);
    } else {
      notes.markers.erase(notes.markers.begin() + place);
    }
    return view->set_notes(std::move(notes));
  }
  const render::Viewport& viewport = view->shown_viewport();
  const auto under_pointer =
      std::find_if(notes.markers.begin(), notes.markers.end(), [&](const OwnMarker& marker) {
        return hover_ && std::abs(viewport.px_from_ns(marker.time_ns) -
                                  viewport.px_from_ns(hover_->time_ns)) <= near_px;
      });
  if (under_pointer != notes.markers.end()) {
    notes.markers.erase(under_pointer);
    view->set_notes(std::move(notes));
  } else {
    view->state().range.reset();
  }
}

/// Takes over what a card can do, for all documents; nothing typed: it is not known. What cannot be
/// read stays in the field.
void Viewer::set_limit(DocumentView& view, std::size_t row, const std::string& text) {
  const std::vector<CardRow> rows = card_rows(*view.trace());
  if (row >= rows.size()) return;
  const auto amount =
      text.empty() ? std::optional(0.0) : trace::amount_from_text(text, rows[row].quantity->unit);
  if (!amount) {
    view.dock.renamed = row;
    view.dock.wants_keyboard = TakeKeyboard::select;
    return;
  }
  CardTable cards = *view.cards();
  cards[rows[row].family].*rows[row].quantity->value = *amount;
  set_cards(std::move(cards));
}

void Viewer::set_cards(CardTable cards) {
  cards_ = std::make_shared<const CardTable>(std::move(cards));
  for (const auto& view : views_) view->set_cards(cards_);
}

void Viewer::rename_noted() {
  DocumentView* view = active();
  auto row = view == nullptr ? std::nullopt : noted_at_row(*view);
  // Else what was just kept or put is meant, before a list shows it.
  if (view != nullptr && !row && newest_note_) {
    const DocumentNotes& notes = view->notes();
    const bool is_range = newest_note_ == AnswerKind::ranges;
    const std::size_t count = is_range ? notes.ranges.size() : notes.markers.size();
    if (count == 0) return;
    if (view->dock.open != newest_note_) open_tab(*newest_note_);
    row = count - 1;
  }
  if (!row) return;
  view->dock.renamed = row;
  view->dock.new_name = noted_text(*view, *row);
  view->dock.wants_keyboard = TakeKeyboard::select;
}

void Viewer::name_noted(const std::string& name) {
  DocumentView* view = active();
  if (view == nullptr || !view->dock.renamed) return;
  const std::size_t row = *std::exchange(view->dock.renamed, std::nullopt);
  if (view->dock.open == AnswerKind::cards) return set_limit(*view, row, name);
  DocumentNotes notes = view->notes();
  if (view->dock.open == AnswerKind::ranges) {
    if (row < notes.ranges.size()) notes.ranges[row].name = name;
  } else if (row < notes.markers.size()) {
    notes.markers[row].name = name;
  }
  view->set_notes(std::move(notes));
}

}  // namespace bytescope::app
