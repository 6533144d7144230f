#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/viewer.h"
#include "core/trace/ansi.h"
#include "core/trace/units.h"

// Ways into the statistics, and from them to spans.

namespace bytescope::app {

void Viewer::show_statistics() {
  DocumentView* view = active();
  if (view == nullptr) return;
  toggle_tab(AnswerKind::statistics);
  // What was just measured is what is asked about.
  view->dock.tab(AnswerKind::statistics).choices[0] = view->state().range ? 2 : 0;
}

void Viewer::show_statistics_of(const std::string& plain_name, std::uint8_t tracks) {
  DocumentView* view = active();
  if (view == nullptr) return;
  open_tab(AnswerKind::statistics);
  DockTab& tab = view->dock.tab(AnswerKind::statistics);
  tab.choices = {0, 0, tracks};
  tab.view.filter = plain_name;
  tab.view.scroll_px = 0;
  tab.view.chosen = TableView::unsorted;
  view->dock.wanted_name = plain_name;
  choose_wanted(view->dock);
}

void Viewer::show_statistics_of_selection() {
  DocumentView* view = active();
  if (view == nullptr || !view->state().selection) return;
  const Selection& of = *view->state().selection;
  const trace::Trace& trace = *view->trace();
  const std::uint32_t name = trace.span(view->reader(), of.track, of.number).name;
  show_statistics_of(trace::plain_text(trace.text(view->reader(), name)),
                     statistics_choice_of(trace, of.track));
}

/// Goes to the first of the spans that were picked by their duration; the same pick again leads to
/// the next of them, and around.
void Viewer::show_durations(DocumentView& view, const DurationPick& pick) {
  const DockTab& tab = view.dock.tab(AnswerKind::statistics);
  if (!tab.answer || !tab.answer->statistics || tab.view.chosen >= tab.answer->table.row_count)
    return;
  DurationStep& step = view.dock.duration_step;
  const bool is_same = step.version == tab.answer->version && step.row == tab.view.chosen &&
                       step.durations == pick.durations;
  const std::uint64_t place = is_same && step.place + 1 < pick.count ? step.place + 1 : 0;
  step = {tab.answer->version, tab.view.chosen, pick.durations, place};
  const query::StatisticsKey key = query::key_of(tab.answer->statistics->rows[tab.view.chosen]);
  queued_steps_ = {};
  dock_driver_.look_for({view.trace(),
                         [answer = tab.answer, key, durations = pick.durations, place](
                             const Cancel& cancel, io::PageReader& reader) -> RowTarget {
                           const trace::Trace& trace = *answer->request.trace;
                           const auto found = query::nth_occurrence(
                               trace, answer->statistics_request, key, durations, place, cancel);
                           if (!found) return {};
                           return span_selection(trace, reader, found->track, found->record);
                         },
                         "There is no such span any more"});
  if (pick.count == 1) return;
  tell(fmt::format("Span {} of {} as long as that", trace::count_text(place + 1),
                   trace::count_text(pick.count)),
       /*is_good=*/true);
}

}  // namespace bytescope::app
