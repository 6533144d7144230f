#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/answers/answer_text.h"
#include "app/viewer.h"
#include "core/query/gaps.h"
#include "core/query/links.h"

namespace bytescope::app {
namespace {

/// The device that gaps are stepped through of: the selected one, else the least busy, else the
/// first.
std::optional<std::uint32_t> gap_track(const DocumentView& view) {
  const auto& tracks = view.trace()->tracks;
  const std::optional<Selection>& selection = view.state().selection;
  const auto is_device = [&](std::uint32_t track) {
    return tracks[track].role == trace::TrackRole::device && tracks[track].spans;
  };
  if (selection && is_device(selection->track)) return selection->track;
  if (view.summary()->slowest_device) return view.summary()->slowest_device;
  for (std::uint32_t i = 0; i < tracks.size(); ++i)
    if (is_device(i)) return i;
  return std::nullopt;
}

/// A span that a query found as somewhere to go.
RowTarget target_of(const trace::Trace& trace, io::PageReader& reader,
                    const std::optional<query::TrackRecord>& place) {
  if (!place) return {};
  return span_target(trace, reader, place->track, place->record);
}

RowTarget linked(const trace::Trace& trace, io::PageReader& reader, const Selection& of, int step,
                 const Cancel& cancel) {
  const bool back = step < 0;
  if (of.kind == Selection::Kind::buffer) {
    return target_of(trace, reader,
                     back ? query::producer_of_buffer(trace, reader, of.track, of.number, cancel)
                          : query::consumer_of_buffer(trace, reader, of.track, of.number, cancel));
  }
  if (trace.tracks[of.track].role == trace::TrackRole::shader) {
    if (back)
      return target_of(trace, reader, query::cause_of_span(trace, reader, of.track, of.number));
    const auto effects = query::effects_of_span(trace, of.track, of.number, cancel, 1);
    return effects.empty() ? RowTarget() : target_of(trace, reader, effects.front());
  }
  return target_of(trace, reader,
                   back ? query::producer_of_span(trace, reader, of.track, of.number, cancel)
                        : query::consumer_of_span(trace, reader, of.track, of.number, cancel));
}

/// What to say where a walk along links ends.
std::string no_link(const trace::Trace& trace, const Selection& of, int step) {
  if (of.kind == Selection::Kind::buffer)
    return step < 0 ? "No recorded writer has a span" : "No recorded reader has a span";
  if (trace.tracks[of.track].role == trace::TrackRole::shader)
    return step < 0 ? "The file names no cause" : "The file names nothing that this caused";
  return step < 0 ? "No recorded producer has a span" : "No recorded consumer has a span";
}

}  // namespace

/// Steps lead on from where the one before leads: they wait for it.
bool Viewer::joins_queue(void (Viewer::*step)(int), int direction) {
  if (queued_steps_.is_looking && queued_steps_.step == step) {
    queued_steps_.count += direction;
    return true;
  }
  queued_steps_ = {step, 0, true};
  return false;
}

void Viewer::take_jump() {
  const std::optional<JumpResult> jump = dock_driver_.take_jump();
  if (!jump && !dock_driver_.looks_for()) queued_steps_ = {};  // a search that ended with nothing
  if (!jump) return;
  queued_steps_.is_looking = false;
  if (active() == nullptr || active()->trace() != jump->trace) return;
  if (std::holds_alternative<std::monostate>(jump->target)) {
    queued_steps_ = {};
    return tell(jump->nothing, /*is_good=*/true);
  }
  go_to(jump->target, /*zoom=*/false);
  if (queued_steps_.count == 0 || queued_steps_.step == nullptr) return;
  const int direction = queued_steps_.count > 0 ? 1 : -1;
  const int left = queued_steps_.count - direction;
  (this->*queued_steps_.step)(direction);
  queued_steps_.count = left;
}

void Viewer::step_namesake(int step) {
  DocumentView* view = active();
  if (view == nullptr || !view->state().selection) return;
  if (joins_queue(&Viewer::step_namesake, step)) return;
  dock_driver_.look_for(
      {view->trace(),
       [trace = view->trace(), of = *view->state().selection, step](const Cancel& cancel,
                                                                    io::PageReader& reader) {
         return target_of(*trace, reader,
                          query::neighbour_namesake(*trace, of.track, of.number, step, cancel));
       },
       step > 0 ? "No later span has this name" : "No earlier span has this name"});
}

void Viewer::step_link(int step) {
  DocumentView* view = active();
  if (view == nullptr || !view->state().selection) return;
  if (joins_queue(&Viewer::step_link, step)) return;
  dock_driver_.look_for({view->trace(),
                         [trace = view->trace(), of = *view->state().selection, step](
                             const Cancel& cancel, io::PageReader& reader) {
                           return linked(*trace, reader, of, step, cancel);
                         },
                         no_link(*view->trace(), *view->state().selection, step)});
}

/// Where a step along the trace begins: at the spot gone to last, else at the selection, else in
/// the middle of the view.
std::int64_t Viewer::step_origin_ns(DocumentView& view) const {
  const ViewState& state = view.state();
  if (spot_ns_) return *spot_ns_;
  if (state.range) return state.range->begin_ns;
  if (state.selection) return state.selection->begin_ns;
  return state.viewport.ns_from_px(state.viewport.width_px() / 2);
}

void Viewer::step_marker(int step) {
  DocumentView* view = active();
  if (view == nullptr) return;
  const std::int64_t from = step_origin_ns(*view);
  std::optional<std::int64_t> next;
  for (const render::MarkerFlag& flag : view->model().markers) {
    if (step > 0 && flag.time_ns > from) {
      next = flag.time_ns;
      break;
    }
    if (step < 0 && flag.time_ns < from) next = flag.time_ns;
  }
  if (next) return go_to(RowTarget(*next), /*zoom=*/false);
  tell(step > 0 ? "No marker follows" : "No marker comes before", /*is_good=*/true);
}

void Viewer::step_gap(int step) {
  DocumentView* view = active();
  const auto track = view == nullptr ? std::nullopt : gap_track(*view);
  if (!track || joins_queue(&Viewer::step_gap, step)) return;
  const std::optional<query::TimeRange> range = view->state().range;
  // The gap that is shown itself is not found again.
  std::int64_t from = step_origin_ns(*view);
  if (range && !spot_ns_) from = step > 0 ? range->end_ns - 1 : range->begin_ns + 1;
  reveal_track(*track);
  dock_driver_.look_for({view->trace(),
                         [trace = view->trace(), track = *track, from, step](
                             const Cancel& cancel, io::PageReader&) -> RowTarget {
                           const auto gap = query::neighbour_gap(*trace, track, from, step,
                                                                 query::gap_resolution, cancel);
                           if (!gap) return {};
                           return query::TimeRange{ns_of(gap->begin), ns_of(gap->end)};
                         },
                         fmt::format("{} has no {} idle gap", track_text(*view->trace(), *track),
                                     step > 0 ? "later" : "earlier")});
}

/// From the highest peak of all to the next lower one, or back; closed tracks open.
void Viewer::step_peak(int step) {
  DocumentView* view = active();
  if (view == nullptr) return;
  const auto& tracks = view->trace()->tracks;
  std::vector<std::uint32_t> by_peak;
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    if (tracks[i].memory && view->model().peak_ns[i] >= 0 &&
        !trace::is_file_memory(tracks[i].own_name()))
      by_peak.push_back(i);
  }
  if (by_peak.empty()) return;
  std::stable_sort(by_peak.begin(), by_peak.end(), [&](std::uint32_t a, std::uint32_t b) {
    return tracks[a].memory->peak_bytes > tracks[b].memory->peak_bytes;
  });
  const auto at = std::find(by_peak.begin(), by_peak.end(), peak_shown_);
  const auto count = static_cast<std::int64_t>(by_peak.size());
  const std::int64_t place =
      at == by_peak.end() ? 0 : (at - by_peak.begin() + step + count) % count;
  peak_shown_ = by_peak[static_cast<std::size_t>(place)];
  go_to(RowTarget(view->model().peak_ns[peak_shown_]), /*zoom=*/false);
  reveal_track(peak_shown_);
}

}  // namespace bytescope::app
