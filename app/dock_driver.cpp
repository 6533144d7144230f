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

void set_scope(const DocumentView& of, AnswerRequest& request) {
  const std::optional<query::TimeRange>& range = of.state().range;
  if (request.choices[0] == view) {
    request.range = visible(of);
    request.whole = request.range == of.whole();
  } else if (request.choices[0] == measured_range && range && range->length_ns() > 0) {
    request.range = *range;
    request.whole = false;
  }
}

void set_measured(const DocumentView& of, AnswerRequest& request) {
  if (!of.state().range || of.state().range->length_ns() <= 0) return;
  request.range = *of.state().range;
  request.whole = false;
}

AnswerRequest request_for(const DocumentView& of, AnswerKind kind) {
  const DockState& dock = of.dock;
  AnswerRequest request;
  request.kind = kind;
  request.trace = of.trace();
  request.choices = dock.tab(kind).choices;
  switch (kind) {
    case AnswerKind::statistics:
    case AnswerKind::gaps:
    case AnswerKind::copies: set_scope(of, request); break;
    case AnswerKind::live:
      if (request.choices[0] == 2) set_measured(of, request);
      if (request.choices[0] == 1) request.time_ns = dock.pinned_ns;
      break;
    case AnswerKind::compare:
      request.range = dock.compared_b;
      request.other_range = dock.compared_a;
      break;
    case AnswerKind::ranges:
      set_measured(of, request);
      request.notes.ranges = of.notes().ranges;
      break;
    case AnswerKind::markers: request.notes.markers = of.notes().markers; break;
    case AnswerKind::search: request.text = dock.search_line; break;
    default: break;
  }
  return request;
}

void answer_jump(const JumpRequest& request, const Cancel& cancel,
                 const std::function<void(std::shared_ptr<const JumpResult>)>& publish) {
  if (!request.trace) return;
  io::PageReader reader(request.trace->file);
  const RowTarget target = request.find(cancel, reader);
  publish(std::make_shared<const JumpResult>(JumpResult{request.trace, target}));
}

}  // namespace

DockDriver::DockDriver(const std::function<void()>& wake)
    : answers_(make_answer, wake),
      searches_(make_answer, wake),
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

void DockDriver::want_answer(DocumentView& of, AnswerKind kind, AnswerWorker& worker) {
  DockTab& tab = of.dock.tab(kind);
  AnswerRequest request = request_for(of, kind);
  if (tab.asked && tab.asked->same_question(request)) return;
  // What is being typed replaces the search that runs; other answers may finish.
  if (kind == AnswerKind::search) {
    worker.cancel();
    if (tab.answer && tab.answer->request.trace == request.trace)
      request.known_search = tab.answer->search;
  }
  tab.asked = request;
  tab.asked->known_search = nullptr;
  worker.request(std::move(request));
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
  for (AnswerWorker* worker : {&answers_, &searches_}) {
    const std::shared_ptr<const Answer> answer = worker->take();
    if (!answer) continue;
    for (const auto& of : views) {
      if (!of->ready() || of->trace() != answer->request.trace) continue;
      DockTab& tab = of->dock.tab(answer->request.kind);
      // Rows of another question have other numbers.
      if (!tab.answer || !tab.answer->request.same_question(answer->request))
        tab.view.chosen = TableView::unsorted;
      tab.answer = answer;
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
  if (!tab.asked) return false;
  const bool running = kind == AnswerKind::search ? !searches_.idle() : !answers_.idle();
  return running &&
         (!tab.answer || !tab.answer->complete || !tab.answer->request.same_question(*tab.asked));
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
  return answers_.idle() && searches_.idle() && histograms_.idle() && jumps_.idle();
}

void DockDriver::forget() {
  for (AnswerWorker* worker : {&answers_, &searches_}) {
    worker->cancel();
    worker->request({});
  }
  histograms_.cancel();
  histograms_.request({});
  histogram_asked_.reset();
  histogram_ = nullptr;
  jumps_.cancel();
  jumps_.request({});
}

}  // namespace bytescope::app
