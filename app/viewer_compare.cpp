#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "app/trace_title.h"
#include "app/viewer.h"

// What a document is compared with: two of its stretches, or another open document as a whole.

namespace bytescope::app {
namespace {

/// Documents that can be compared with another one, in their order.
std::vector<const session::Document*> others_of(const session::Session& session, std::uint64_t id) {
  std::vector<const session::Document*> others;
  for (const session::Document& document : session.documents())
    if (document.id != id && document.trace && document.trace->complete)
      others.push_back(&document);
  return others;
}

}  // namespace

/// The first time the measured stretch is marked, then it is compared with the marked one.
void Viewer::compare_ranges() {
  DocumentView* view = active();
  if (view == nullptr || !view->state().range) return;
  DockState& dock = view->dock;
  const query::TimeRange range = *view->state().range;
  if (!dock.compare_mark || *dock.compare_mark == range) {
    dock.compare_mark = range;
    return tell("Marked: the same key at another stretch compares both", /*is_good=*/true);
  }
  dock.compared_document = 0;
  dock.compared_a = *std::exchange(dock.compare_mark, std::nullopt);
  dock.compared_b = range;
  open_tab(AnswerKind::compare);
}

/// Keeps the trace that is compared with up to date: its document may be read again.
void Viewer::follow_compared(DocumentView& view) const {
  DockState& dock = view.dock;
  dock.compared_trace = nullptr;
  for (const session::Document* other : others_of(session_, view.id()))
    if (other->id == dock.compared_document) dock.compared_trace = other->trace;
  dock.compared_placing = {};
  if (!alignment_ || !alignment_->is_of(view.id(), dock.compared_document)) return;
  dock.compared_placing = {alignment_->shift_from(dock.compared_document),
                           alignment_->moves_together};
}

/// The menus of the panel; where it compares, with the other open documents, of which the compared
/// one is chosen.
TabMenus Viewer::menus_of_dock(DocumentView& view) const {
  TabMenus menus = view.tab_menus();
  if (view.dock.open != AnswerKind::compare) return menus;
  std::vector<std::string>& options =
      menus[static_cast<std::size_t>(AnswerKind::compare)].options[1];
  std::uint8_t& choice = view.dock.tab(AnswerKind::compare).choices[1];
  choice = 0;
  for (const session::Document* other : others_of(session_, view.id())) {
    // A choice is a byte.
    if (options.size() > UINT8_MAX) break;
    if (other->id == view.dock.compared_document)
      choice = static_cast<std::uint8_t>(options.size());
    options.push_back(trace_title(other->path));
  }
  return menus;
}

/// Takes over what was chosen in the panel.
void Viewer::choose_compared(DocumentView& view) const {
  const std::size_t choice = view.dock.tab(AnswerKind::compare).choices[1];
  const auto others = others_of(session_, view.id());
  view.dock.compared_document = choice == 0 || choice > others.size() ? 0 : others[choice - 1]->id;
}

std::size_t Viewer::choice_count(std::size_t group) {
  DocumentView* view = active();
  if (view == nullptr || !view->dock.open) return 0;
  const TabMenus menus = menus_of_dock(*view);
  const auto& options = menus[static_cast<std::size_t>(*view->dock.open)].options;
  return group < options.size() ? options[group].size() : 0;
}

void Viewer::step_choice(std::size_t group) {
  const std::size_t count = choice_count(group);
  if (count == 0) return;
  DocumentView& view = *active();
  DockTab& tab = view.dock.tab(*view.dock.open);
  tab.choices[group] = static_cast<std::uint8_t>((tab.choices[group] + 1U) % count);
  tab.view.scroll_px = 0;
  if (view.dock.open == AnswerKind::compare) choose_compared(view);
}

/// Lets go of a document that is about to be closed: a comparison would keep its trace.
void Viewer::forget_compared(std::uint64_t id) {
  if (alignment_ && (alignment_->a == id || alignment_->b == id)) alignment_.reset();
  for (const auto& view : views_) {
    if (view->dock.compared_document != id) continue;
    view->dock.compared_document = 0;
    view->dock.compared_trace = nullptr;
    view->dock.tab(AnswerKind::compare).answer = nullptr;
  }
}

}  // namespace bytescope::app
