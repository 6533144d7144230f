#include "app/document_view.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/net/url.h"
#include "core/trace/category.h"

namespace bytescope::app {
namespace {

/// Pages that the window's thread keeps for tooltips and the selection.
constexpr std::size_t cached_pages = 16;
/// No device holds an exabyte; sums with what a file tells stay in range.
constexpr double most_capacity_bytes = 1e18;
/// Steps that follow one another faster than that are one motion.
constexpr double motion_s = 0.7;

/// Where each track of the old trace is in the new one, by name; equal names in their order.
std::vector<std::optional<std::uint32_t>> new_numbers(const trace::Trace& from,
                                                      const trace::Trace& to) {
  std::map<std::pair<std::string, int>, std::vector<std::uint32_t>> places;
  const auto key = [](const trace::Track& track) {
    return std::pair(track.head.name, static_cast<int>(track.head.kind));
  };
  for (std::uint32_t i = 0; i < to.tracks.size(); ++i) places[key(to.tracks[i])].push_back(i);
  std::map<std::pair<std::string, int>, std::size_t> used;
  std::vector<std::optional<std::uint32_t>> numbers;
  for (const trace::Track& track : from.tracks) {
    const std::vector<std::uint32_t>& candidates = places[key(track)];
    const std::size_t nth = used[key(track)]++;
    numbers.push_back(nth < candidates.size() ? std::optional(candidates[nth]) : std::nullopt);
  }
  return numbers;
}

template <class Value>
std::map<std::uint32_t, Value> renumbered(
    const std::map<std::uint32_t, Value>& old,
    const std::vector<std::optional<std::uint32_t>>& numbers) {
  std::map<std::uint32_t, Value> result;
  for (const auto& [track, value] : old) {
    if (track < numbers.size() && numbers[track]) result[*numbers[track]] = value;
  }
  return result;
}

bool same_span(const trace::Trace& trace, io::PageReader& reader, const Selection& selection) {
  if (selection.kind != Selection::Kind::span) {
    const auto& memory = trace.tracks[selection.track].memory;
    return memory && selection.number < memory->buffers.size() &&
           trace::ns_from_unit(memory->buffers[selection.number].allocated) == selection.begin_ns;
  }
  if (selection.number >= trace.tracks[selection.track].head.count) return false;
  return trace::ns_from_unit(trace.span(reader, selection.track, selection.number).start) ==
         selection.begin_ns;
}

}  // namespace

void DocumentView::leave_in_motion(double now_s) {
  if (now_s - last_motion_s_ > motion_s) leave();
  last_motion_s_ = now_s;
}

query::TimeRange DocumentView::whole() const {
  return {0, trace::ns_from_unit(std::max(trace_->frame.duration_us, 1U))};
}

const render::Theme& DocumentView::theme(const render::Theme& base) {
  const auto& colors = trace_->index->wave_colors;
  if (colors.empty()) return base;
  if (own_theme_base_ != &base) {
    own_theme_ = render::with_wave_colors(base, colors);
    own_theme_base_ = &base;
  }
  return *own_theme_;
}

void DocumentView::set_notes(DocumentNotes notes) {
  notes_ = std::move(notes);
  std::stable_sort(notes_.markers.begin(), notes_.markers.end(),
                   [](const OwnMarker& a, const OwnMarker& b) { return a.time_ns < b.time_ns; });
  show_own_markers();
}

void DocumentView::set_cards(std::shared_ptr<const CardTable> cards) {
  cards_ = std::move(cards);
  show_capacities();
}

RememberedView DocumentView::remembered(std::string path) const {
  RememberedView view;
  view.path = std::move(path);
  view.window = state_.viewport.window();
  view.memory = state_.memory;
  view.notes = notes_;
  view.offsets_us = offsets_us_;
  view.tracks = remembered_tracks(state_.changes, *trace_);
  return view;
}

void DocumentView::recall(const RememberedView& before) {
  set_notes(before.notes);
  state_.memory = before.memory;
  if (before.window.length_ns() > 0) state_.viewport = state_.viewport.showing(before.window);
  state_.changes = changes_from(before.tracks, *trace_);
  show_at_once();
}

/// Tells memory tracks what their devices hold.
void DocumentView::show_capacities() {
  if (!trace_) return;
  for (std::size_t i = 0; i < trace_->tracks.size(); ++i) {
    const trace::Track& track = trace_->tracks[i];
    const bool is_memory =
        track.role == trace::TrackRole::memory && !trace::is_file_memory(track.own_name());
    const double bytes =
        limits_of(*cards_, std::string(trace::family_of(track.own_name()))).memory_bytes;
    model_.capacity_bytes[i] =
        is_memory && bytes < most_capacity_bytes ? static_cast<std::uint64_t>(bytes) : 0;
  }
}

/// Puts the own markers among the file's.
void DocumentView::show_own_markers() {
  std::vector<render::MarkerFlag>& flags = model_.markers;
  std::erase_if(flags, [](const render::MarkerFlag& flag) { return flag.own; });
  for (const OwnMarker& marker : notes_.markers)
    flags.push_back({marker.time_ns, marker.name, std::nullopt, /*own=*/true});
  std::stable_sort(flags.begin(), flags.end(),
                   [](const render::MarkerFlag& a, const render::MarkerFlag& b) {
                     return a.time_ns < b.time_ns;
                   });
}

void DocumentView::follow(const session::Document& document, double width_px) {
  if (!document.trace || document.generation == generation_) return;
  const std::shared_ptr<const trace::Trace> old = std::exchange(trace_, document.trace);
  generation_ = document.generation;
  summary_ = document.summary;
  summary_facts_ = app::summary_facts(*trace_, *summary_);
  model_ = render::timeline_model(*trace_, *summary_);
  tab_menus_ = app::tab_menus(*trace_);
  own_theme_base_ = nullptr;
  show_own_markers();
  show_capacities();
  laid_out_height_ = -1;
  if (old && old->file == trace_->file) return;  // a further stage of the same load
  offsets_us_ = document.offsets_us;
  // A program that was read again may know more.
  const auto viewer = net::viewer_of(document.path);
  program_texts_ = viewer ? std::make_shared<net::ProgramTexts>(*viewer) : nullptr;
  reader_ = std::make_unique<io::PageReader>(trace_->file, cached_pages);
  detail = nullptr;
  overview = nullptr;
  stacks.clear();
  for (DockTab& tab : dock.tabs) tab.answer = nullptr;  // rows of what the file was
  if (!old) {
    state_.viewport = render::Viewport(whole(), width_px);
    return show_at_once();
  }
  move_with_files(*old);
  find_tracks_again(*old);
  history_.clear();
  track_history_.clear();
  const query::TimeRange window = state_.viewport.window();
  state_.viewport = render::Viewport(whole(), width_px).showing(window);
  show_at_once();
}

/// Where a merged trace has its files at other times than before: what is selected moves with its
/// file, and all else with the origin, so that files that keep their offsets stay where they were
/// on the screen.
void DocumentView::move_with_files(const trace::Trace& old_trace) {
  if (old_trace.parts.empty() || trace_->parts.empty()) return;
  const auto moved_us = [&](const trace::TracePart& old) {
    const auto now =
        std::find_if(trace_->parts.begin(), trace_->parts.end(),
                     [&](const trace::TracePart& part) { return part.file.name == old.file.name; });
    if (now == trace_->parts.end()) return std::pair<std::int64_t, std::int64_t>();
    const std::int64_t later_us = std::int64_t{now->file.begin_us} - old.file.begin_us;
    return std::pair(later_us, later_us - (now->file.offset_us - old.file.offset_us));
  };
  if (state_.selection) {
    if (const trace::TracePart* part = old_trace.part_of(state_.selection->track))
      state_.selection->begin_ns += moved_us(*part).first * 1000;
  }
  const std::int64_t origin_ns = moved_us(old_trace.parts.front()).second * 1000;
  if (origin_ns == 0) return;
  const auto moved = [origin_ns](const query::TimeRange& range) {
    return query::TimeRange{range.begin_ns + origin_ns, range.end_ns + origin_ns};
  };
  state_.viewport = state_.viewport.showing(moved(state_.viewport.window()));
  if (state_.range) state_.range = moved(*state_.range);
  for (OwnMarker& marker : notes_.markers) marker.time_ns += origin_ns;
  for (KeptRange& kept : notes_.ranges) kept.range = moved(kept.range);
  show_own_markers();
}

void DocumentView::find_tracks_again(const trace::Trace& old_trace) {
  const auto numbers = new_numbers(old_trace, *trace_);
  state_.changes = renumbered(state_.changes, numbers);
  state_.byte_windows = renumbered(state_.byte_windows, numbers);
  if (!state_.selection) return;
  const std::uint32_t track = state_.selection->track;
  const auto now = track < numbers.size() ? numbers[track] : std::nullopt;
  if (now) state_.selection->track = *now;
  if (!now || !same_span(*trace_, *reader_, *state_.selection)) state_.selection.reset();
}

const render::TrackLayout& DocumentView::layout(double height_px) {
  const double fold_height_px = std::max(height_px, fold_height_px_);
  if (laid_out_height_ != height_px || laid_out_fold_height_ != fold_height_px ||
      !(laid_out_ == state_.changes)) {
    layout_ =
        render::layout_tracks(model_.layout_tracks, state_.changes, height_px, fold_height_px);
    laid_out_ = state_.changes;
    laid_out_height_ = height_px;
    laid_out_fold_height_ = fold_height_px;
  }
  return layout_;
}

void DocumentView::change_tracks(render::TrackChanges changes) {
  note_track_change(std::exchange(state_.changes, std::move(changes)));
}

void DocumentView::note_track_change(render::TrackChanges before) {
  if (!(before == state_.changes)) track_history_.note(std::move(before));
}

bool DocumentView::undo_tracks() {
  auto before = track_history_.undo(state_.changes);
  if (before) state_.changes = std::move(*before);
  return before.has_value();
}

bool DocumentView::redo_tracks() {
  auto after = track_history_.redo(state_.changes);
  if (after) state_.changes = std::move(*after);
  return after.has_value();
}

double DocumentView::most_scroll_px(double height_px) {
  return std::max(layout(height_px).height_px - height_px, 0.0);
}

void DocumentView::clamp_scroll(double height_px) {
  state_.scroll_px = std::clamp(state_.scroll_px, 0.0, most_scroll_px(height_px));
}

void DocumentView::set_motion(bool moves) {
  moves_ = moves;
  show_at_once();
}

void DocumentView::move_on(double width_px, double height_px, double now_s) {
  clamp_scroll(height_px);
  if (state_.viewport.width_px() != width_px) {
    state_.viewport = state_.viewport.resized(width_px);
    show_at_once();
  }
  if (!moves_) return;
  const ViewPlace wanted = motion_.advance(place(), most_scroll_px(height_px), now_s);
  state_.viewport = wanted.viewport;
  state_.scroll_px = wanted.scroll_px;
}

void DocumentView::hold() {
  state_.viewport = shown_viewport();
  state_.scroll_px = shown_scroll_px();
  show_at_once();
}

void DocumentView::coast(const DragSpeed& speed, double now_s) {
  if (moves_) motion_.coast(speed, now_s);
}

void DocumentView::reveal_rows(double top_px, double bottom_px, double height_px) {
  const double pinned_px = layout(height_px).pinned_px;
  if ((top_px + bottom_px) / 2 < pinned_px) return;
  if (bottom_px > state_.scroll_px + height_px) state_.scroll_px = bottom_px - height_px;
  state_.scroll_px = std::min(state_.scroll_px, top_px - pinned_px);
  clamp_scroll(height_px);
}

}  // namespace bytescope::app
