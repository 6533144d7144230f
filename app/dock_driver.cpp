#include "app/dock_driver.h"

#include <algorithm>
#include <utility>

namespace bytescope::app {
namespace {

enum Scope : std::uint8_t { whole_trace, view, measured_range };

query::TimeRange visible(const DocumentView& of) {
  const query::TimeRange whole = of.whole();
  const render::Viewport& viewport = of.state().viewport;
  const std::int64_t begin = std::max(viewport.ns_from_px(0), whole.begin_ns);
  const std::int64_t end = std::min(viewport.ns_from_px(viewport.width_px()), whole.end_ns);
  return {begin, std::max(end, begin + 1)};
}

void set_measured(const DocumentView& of, AnswerRequest& request) {
  const std::optional<query::TimeRange>& range = of.state().range;
  if (!range || range->length_ns() <= 0) return;
  request.range = *range;
  request.whole = false;
}

void set_scope(const DocumentView& of, AnswerRequest& request) {
  if (request.choices[0] == view) {
    request.range = visible(of);
    request.whole = request.range == of.whole();
  } else if (request.choices[0] == measured_range) {
    set_measured(of, request);
  }
}

AnswerRequest request_for(const DocumentView& of, AnswerKind kind) {
  const DockState& dock = of.dock;
  AnswerRequest request;
  request.kind = kind;
  request.trace = of.trace();
  request.choices = dock.tab(kind).choices;
  switch (kind) {
    case AnswerKind::cards: request.cards = of.cards(); break;
    case AnswerKind::statistics:
      request.cards = of.cards();
      set_scope(of, request);
      break;
    case AnswerKind::gaps:
    case AnswerKind::copies: set_scope(of, request); break;
    case AnswerKind::live:
      if (request.choices[0] == 2) set_measured(of, request);
      if (request.choices[0] == 1) request.time_ns = dock.pinned_ns;
      break;
    case AnswerKind::compare:
      request.other_trace = dock.compared_trace;
      if (request.other_trace) break;
      request.range = dock.compared_b;
      request.other_range = dock.compared_a;
      break;
    case AnswerKind::ranges:
      set_measured(of, request);
      request.notes.ranges = of.notes().ranges;
      break;
    case AnswerKind::source:
    case AnswerKind::disassembly:
      request.programs = of.program_texts();
      request.program = dock.program;
      break;
    case AnswerKind::markers: request.notes.markers = of.notes().markers; break;
    case AnswerKind::search: request.text = dock.search_line; break;
    default: break;
  }
  return request;
}

/// Whether an answer comes from a server, which may be slow.
bool is_fetched(AnswerKind kind) {
  return kind == AnswerKind::source || kind == AnswerKind::disassembly;
}

/// The row of a list of notes or cards that row `row` of an earlier one has become: after naming
/// one, adding one, removing one.
std::size_t note_found_again(const Answer& old, const Answer& now, std::size_t row) {
  constexpr std::size_t none = TableView::unsorted;
  const std::optional<std::size_t> note = old.note_of_row(row);
  const std::size_t rows = now.table.row_count;
  if (now.request.kind == AnswerKind::cards) return row < rows ? row : none;
  if (now.request.kind == AnswerKind::ranges) {
    const std::size_t measured = now.request.whole ? 0 : 1;
    if (!note) return measured > 0 ? 0 : none;
    return rows > measured ? std::min(*note + measured, rows - 1) : none;
  }
  const auto is_same = [&](std::size_t i) {
    return now.table.text(i, 0) == old.table.text(row, 0) &&
           now.table.number(i, 1) == old.table.number(row, 1) &&
           now.note_of_row(i).has_value() == note.has_value();
  };
  for (std::size_t i = 0; i < rows; ++i)
    if (is_same(i)) return i;
  return rows > 0 ? std::min(row, rows - 1) : none;
}

/// The row of an answer that shows what row `row` of an earlier one shows: what was estimated, or
/// found first, is ordered anew when all is known.
std::size_t found_again(const Answer& old, const Answer& now, std::size_t row) {
  if (row >= old.table.row_count || old.request.trace != now.request.trace)
    return TableView::unsorted;
  const auto place = [](const auto& rows, const auto& at) {
    return at == rows.end() ? TableView::unsorted : static_cast<std::size_t>(at - rows.begin());
  };
  if (old.listed_hits && now.listed_hits) {
    const std::vector<query::SearchHit>& hits = *now.listed_hits;
    return place(hits, std::find(hits.begin(), hits.end(), (*old.listed_hits)[row]));
  }
  if (old.statistics && now.statistics) {
    const query::StatisticsRow& meant = old.statistics->rows[row];
    const auto& rows = now.statistics->rows;
    return place(rows, std::find_if(rows.begin(), rows.end(), [&](const auto& candidate) {
                   return candidate.name == meant.name && candidate.track == meant.track;
                 }));
  }
  if (old.note_of_row && now.note_of_row) return note_found_again(old, now, row);
  return old.request.same_question(now.request) ? row : TableView::unsorted;
}

void answer_jump(const JumpRequest& request, const Cancel& cancel,
                 const std::function<void(std::shared_ptr<const JumpResult>)>& publish) {
  if (!request.trace) return;
  io::PageReader reader(request.trace->file);
  const RowTarget target = request.find(cancel, reader);
  if (cancel.requested()) return;  // what was not found may be there
  publish(std::make_shared<const JumpResult>(JumpResult{request.trace, target, request.nothing}));
}

}  // namespace

void choose_wanted(DockState& dock) {
  DockTab& tab = dock.tab(AnswerKind::statistics);
  if (dock.wanted_name.empty() || !tab.answer || !tab.answer->statistics) return;
  const auto& rows = tab.answer->statistics->rows;
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const auto& row) { return row.name == dock.wanted_name; });
  const auto place = static_cast<std::size_t>(found - rows.begin());
  if (place >= tab.answer->table.row_count) return;  // maybe an answer to the question before
  tab.view.chosen = place;
  dock.reveals_chosen = true;
  if (tab.answer->complete) dock.wanted_name.clear();
}

DockDriver::DockDriver(const std::function<void()>& wake)
    : answers_{{make_answer, wake}},
      searches_{{make_answer, wake}},
      histograms_(answer_histogram, wake),
      jumps_(answer_jump, wake) {}

void DockDriver::answer_histogram(
    const HistogramRequest& request, const Cancel& cancel,
    const std::function<void(std::shared_ptr<const HistogramResult>)>& publish) {
  if (!request.answer) return;
  const auto found =
      query::duration_histogram(*request.answer->request.trace, request.answer->statistics_request,
                                request.answer->statistics->rows[request.row], cancel);
  if (!found) return;
  publish(std::make_shared<const HistogramResult>(
      HistogramResult{request, std::make_shared<const query::DurationHistogram>(*found)}));
}

void DockDriver::want_answer(DocumentView& of, AnswerKind kind, AnswerWorker& asks) {
  DockTab& tab = of.dock.tab(kind);
  AnswerRequest request = request_for(of, kind);
  const bool answered =
      tab.answer && tab.answer->complete && tab.answer->request.same_question(request);
  // What waited when another question came is asked again.
  if (answered || (asks.asked && asks.asked->same_question(request))) return;
  // Nobody waits for what a server has not answered yet.
  if (asks.asked && is_fetched(asks.asked->kind)) asks.worker.cancel();
  asks.asked = request;
  // What is being typed replaces the search that runs; other answers may finish.
  if (kind == AnswerKind::search) {
    asks.worker.cancel();
    if (tab.answer && tab.answer->request.trace == request.trace)
      request.known_search = tab.answer->search;
  }
  asks.worker.request(std::move(request));
}

void DockDriver::want_histogram(const DocumentView& of) {
  const DockTab& tab = of.dock.tab(AnswerKind::statistics);
  const auto& answer = tab.answer;
  if (!answer || !answer->complete || !answer->statistics ||
      tab.view.chosen >= answer->table.row_count)
    return;
  if (histogram_asked_ && histogram_asked_->answer == answer &&
      histogram_asked_->row == tab.view.chosen)
    return;
  histogram_asked_ = HistogramRequest{answer, tab.view.chosen};
  histograms_.cancel();
  histograms_.request(*histogram_asked_);
}

void DockDriver::want(DocumentView& of) {
  if (!of.trace()->complete) return;
  const DockState& dock = of.dock;
  if (dock.open == AnswerKind::search || !dock.search_line.empty())
    want_answer(of, AnswerKind::search, searches_);
  if (!dock.open || *dock.open == AnswerKind::search) return;
  want_answer(of, *dock.open, answers_);
  if (*dock.open == AnswerKind::statistics) want_histogram(of);
}

void DockDriver::look_for(JumpRequest request) {
  jumps_.cancel();
  jumps_.request(std::move(request));
}

bool DockDriver::take(std::span<const std::unique_ptr<DocumentView>> views) {
  bool any = false;
  for (const AnswerWorker* asks : {&answers_, &searches_}) {
    const bool gone = asks->asked && std::none_of(views.begin(), views.end(), [&](const auto& of) {
                        return of->trace() == asks->asked->trace;
                      });
    if (gone) forget();  // a file that was read anew
  }
  for (AnswerWorker* asks : {&answers_, &searches_}) {
    const std::shared_ptr<const Answer> answer = asks->worker.take();
    if (!answer) continue;
    for (const auto& of : views) {
      if (!of->ready() || of->trace() != answer->request.trace) continue;
      DockTab& tab = of->dock.tab(answer->request.kind);
      tab.view.chosen =
          tab.answer ? found_again(*tab.answer, *answer, tab.view.chosen) : TableView::unsorted;
      tab.answer = answer;
      if (answer->statistics) choose_wanted(of->dock);
      any = true;
    }
  }
  if (auto found = histograms_.take()) {
    histogram_ = std::move(found);
    any = true;
  }
  return any;
}

std::optional<JumpResult> DockDriver::take_jump() {
  const std::shared_ptr<const JumpResult> found = jumps_.take();
  return found ? std::optional(*found) : std::nullopt;
}

bool DockDriver::busy(const DocumentView& of, AnswerKind kind) const {
  const DockTab& tab = of.dock.tab(kind);
  if (!of.trace()->complete) return true;
  // An answer may wait to be taken after its worker is done.
  if (!tab.answer || !tab.answer->request.same_question(request_for(of, kind))) return true;
  const bool running = !(kind == AnswerKind::search ? searches_ : answers_).worker.idle();
  return running && !tab.answer->complete;
}

DockHistogram DockDriver::histogram(const DocumentView& of) const {
  DockHistogram shown;
  const DockTab& tab = of.dock.tab(AnswerKind::statistics);
  if (of.dock.open != AnswerKind::statistics || !tab.answer || !tab.answer->statistics ||
      tab.view.chosen >= tab.answer->table.row_count)
    return shown;
  shown.row = tab.view.chosen;
  if (histogram_ && histogram_->of.answer == tab.answer && histogram_->of.row == tab.view.chosen)
    shown.histogram = histogram_->histogram;
  return shown;
}

bool DockDriver::idle() const {
  return answers_.worker.idle() && searches_.worker.idle() && histograms_.idle() && jumps_.idle();
}

void DockDriver::forget() {
  for (AnswerWorker* asks : {&answers_, &searches_}) {
    asks->worker.cancel();
    asks->worker.request({});
    asks->asked.reset();
  }
  histograms_.cancel();
  histograms_.request({});
  histogram_asked_.reset();
  histogram_ = nullptr;
  jumps_.cancel();
  jumps_.request({});
}

}  // namespace bytescope::app
