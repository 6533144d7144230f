#include "app/detail_desk.h"

#include <algorithm>
#include <utility>

namespace bytescope::app {
namespace {

/// A new answer is wanted when less than this share of a view is left of the old one on a side.
constexpr double least_margin = 0.2;

/// Timeline first: it costs a few milliseconds, an opened stack some tens. A request without a
/// trace lets go of the last one.
void answer_detail(
    render::DetailMaker& maker, const render::DetailRequest& request, const Cancel& cancel,
    const std::function<void(std::shared_ptr<const render::DetailResult>)>& publish) {
  if (!request.trace) {
    maker = render::DetailMaker();
    return;
  }
  render::DetailResult result;
  result.timeline = maker.timeline(request, cancel);
  if (!result.timeline) return;
  result.overview = maker.known_overview(request);
  publish(std::make_shared<const render::DetailResult>(result));
  if (!result.overview && request.overview_columns.count > 0) {
    result.overview = maker.overview(request, cancel);
    if (!result.overview) return;
    publish(std::make_shared<const render::DetailResult>(result));
  }
  for (const render::StackRequest& stack : request.stacks) {
    const auto detail = maker.stack(request, stack, cancel);
    if (cancel.requested()) return;
    if (detail) result.stacks[stack.track] = detail;
    publish(std::make_shared<const render::DetailResult>(result));
  }
}

/// Whether an answer of `asked` does for `now` as well.
bool still_answers(const render::DetailRequest& asked, const render::DetailRequest& now,
                   const query::Columns& view) {
  if (asked.trace != now.trace || asked.theme != now.theme || asked.search != now.search ||
      asked.lit_name != now.lit_name || asked.label_columns != now.label_columns ||
      asked.overview_columns != now.overview_columns)
    return false;
  if (asked.columns.ns_per_column != now.columns.ns_per_column) return false;
  const double left =
      static_cast<double>(view.begin_ns - asked.columns.begin_ns) / view.ns_per_column;
  const double right = asked.columns.count - left - view.count;
  const double margin = least_margin * view.count;
  if (left < margin || right < margin) return false;
  const auto within = [](const auto& part, const auto& whole) {
    return std::all_of(part.begin(), part.end(), [&](const auto& item) {
      return std::find(whole.begin(), whole.end(), item) != whole.end();
    });
  };
  return within(now.lanes, asked.lanes) && within(now.curves, asked.curves) &&
         within(now.stacks, asked.stacks);
}

}  // namespace

DetailDesk::DetailDesk(std::function<void()> wake)
    : worker_([this](const auto& request, const Cancel& cancel,
                     const auto& publish) { answer_detail(maker_, request, cancel, publish); },
              std::move(wake)) {}

void DetailDesk::ask(std::uint64_t document, render::DetailRequest now,
                     const query::Columns& columns) {
  const bool same_owner = owner_ == document;
  if (same_owner && wanted_ && !still_answers(*wanted_, now, columns)) wanted_.reset();
  if (same_owner && asked_ && still_answers(*asked_, now, columns)) {
    wanted_.reset();
    return;
  }
  wanted_ = std::move(now);
  if (same_owner && !worker_.idle()) return;  // its wake brings us here again
  if (!same_owner) worker_.cancel();
  owner_ = document;
  asked_ = wanted_;
  worker_.request(std::move(*wanted_));
  wanted_.reset();
}

void DetailDesk::hand_over(const std::vector<std::unique_ptr<DocumentView>>& views) {
  const std::shared_ptr<const render::DetailResult> result = worker_.take();
  if (!result) return;
  for (const auto& view : views) {
    if (view->id() != owner_ || !view->ready() ||
        view->trace()->file != result->timeline->trace->file)
      continue;
    view->detail = result->timeline;
    if (result->overview) view->overview = result->overview;
    for (const auto& [track, stack] : result->stacks) view->stacks[track] = stack;
  }
}

void DetailDesk::ask_anew() {
  wanted_.reset();
  asked_.reset();
}

void DetailDesk::let_go() {
  if (std::exchange(owner_, 0) == 0) return;
  worker_.cancel();
  worker_.request({});
  ask_anew();
}

}  // namespace bytescope::app
