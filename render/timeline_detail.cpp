#include "render/timeline_detail.h"

#include <algorithm>
#include <utility>

#include "core/query/namesake_columns.h"
#include "core/query/search_columns.h"
#include "render/stack_picture.h"

namespace bytescope::render {
namespace {

/// Pages that the worker keeps: 8 MB, about what a lane of single spans touches. Reading one again
/// costs less than decoding what is in it.
constexpr std::size_t cached_pages = 128;
/// Names that the worker remembers before it starts afresh.
constexpr std::size_t cached_names = 20'000;
/// Longer names are cut; no label is that wide.
constexpr std::size_t name_limit_bytes = 2048;

/// A lane whose runs are cut where `touched` changes, unless they stand for one span: that one is
/// lit when `is_lit` says so, whatever shares a column with it.
template <class IsLit>
LaneDetail with_lit_runs(const LaneDetail& lane, const query::TouchedColumns& touched,
                         IsLit is_lit) {
  LaneDetail result;
  const auto add = [&](query::VisibleRun run, std::uint32_t name, bool lit) {
    result.runs.push_back(run);
    result.names.push_back(name);
    result.lit.push_back(lit ? 1 : 0);
  };
  for (std::size_t i = 0; i < lane.runs.size(); ++i) {
    query::VisibleRun run = lane.runs[i];
    if (touched.empty()) {
      add(run, lane.names[i], false);
      continue;
    }
    const std::uint32_t end = run.end_column;
    if (run.record != query::VisibleRun::unknown && !run.dense() && end - run.begin_column > 1) {
      add(run, lane.names[i], is_lit(run.record));
      continue;
    }
    while (run.begin_column < end) {
      const bool lit = touched[run.begin_column] != 0;
      run.end_column = run.begin_column + 1;
      while (run.end_column < end && (touched[run.end_column] != 0) == lit) ++run.end_column;
      add(run, lane.names[i], lit);
      run.begin_column = run.end_column;
    }
  }
  return result;
}

}  // namespace

void DetailMaker::follow(const std::shared_ptr<const trace::Trace>& trace) {
  if (!trace_ || trace_->file != trace->file) {
    reader_ = std::make_unique<io::PageReader>(trace->file, cached_pages);
    names_.clear();
    last_ = nullptr;
    stacks_.clear();
    overview_ = nullptr;
    lit_names_.reset();
  }
  trace_ = trace;
}

std::shared_ptr<const std::string> DetailMaker::name(std::uint32_t id) {
  std::shared_ptr<const std::string>& known = names_[id];
  if (!known)
    known = std::make_shared<const std::string>(
        trace_->index->strings.text(*reader_, id, name_limit_bytes));
  return known;
}

void DetailMaker::add_names(const DetailRequest& request, std::uint32_t track, LaneDetail& lane,
                            TimelineDetail& detail) {
  lane.names.assign(lane.runs.size(), query::VisibleRun::unknown);
  for (std::size_t i = 0; i < lane.runs.size(); ++i) {
    const query::VisibleRun& run = lane.runs[i];
    if (run.record == query::VisibleRun::unknown ||
        run.end_column - run.begin_column < request.label_columns)
      continue;
    lane.names[i] = trace_->span(*reader_, track, run.record).name;
    detail.names.emplace(lane.names[i], name(lane.names[i]));
  }
}

void DetailMaker::add_hits(const DetailRequest& request, TimelineDetail& detail) {
  detail.search = request.search;
  if (last_ && last_->search == request.search && last_->columns == request.columns)
    detail.hits = last_->hits;
  detail.marker_hits = query::marker_columns(*request.search, request.columns);
  for (const std::uint64_t key : request.lanes) {
    const auto track = static_cast<std::uint32_t>(key >> 32U);
    const auto& tracks = request.search->tracks;
    if (track >= tracks.size() || tracks[track].count() == 0 || detail.hits.contains(track))
      continue;
    detail.hits[track] = query::hit_columns(*request.search, *reader_, track, request.columns);
  }
}

/// Tells the runs with spans of the name from the others. Cuts what stands for many spans where
/// that changes.
void DetailMaker::add_lit(const DetailRequest& request, TimelineDetail& detail,
                          const Cancel& cancel) {
  detail.lit_name = request.lit_name;
  if (!lit_names_ || !lit_names_->complete || lit_names_->ids.front() != *request.lit_name)
    lit_names_ = query::namesakes_of(*trace_, *request.lit_name, cancel);
  std::unordered_map<std::uint32_t, std::vector<query::TouchedColumns>> touched;
  for (auto& [key, lane] : detail.lanes) {
    const auto track = static_cast<std::uint32_t>(key >> 32U);
    const auto [columns, is_new] = touched.try_emplace(track);
    if (is_new)
      columns->second =
          query::namesake_columns(*trace_, *reader_, track, *lit_names_, request.columns, cancel);
    if (cancel.requested()) return;
    const auto number = static_cast<std::uint32_t>(key);
    const query::TouchedColumns none;
    const auto& of_lane = number < columns->second.size() ? columns->second[number] : none;
    lane = with_lit_runs(lane, of_lane, [&](std::uint32_t record) {
      return lit_names_->has(trace_->span(*reader_, track, record).name);
    });
  }
}

/// What the last answer says of a lane, where that still holds.
const LaneDetail* DetailMaker::known_lane(const DetailRequest& request, std::uint64_t key) const {
  // Runs were cut where spans of a name begin and end.
  const bool is_cut = last_ && last_->lit_name.has_value();
  if (!last_ || is_cut || last_->columns != request.columns ||
      last_label_columns_ != request.label_columns)
    return nullptr;
  const std::size_t track = key >> 32U;
  if (last_->trace->tracks.size() <= track ||
      last_->trace->tracks[track].spans != trace_->tracks[track].spans)
    return nullptr;
  const auto found = last_->lanes.find(key);
  return found == last_->lanes.end() ? nullptr : &found->second;
}

const std::vector<query::CurveColumn>* DetailMaker::known_curve(const DetailRequest& request,
                                                                std::uint32_t track) const {
  if (!last_ || last_->columns != request.columns) return nullptr;
  if (last_->trace->tracks.size() <= track ||
      last_->trace->tracks[track].memory != trace_->tracks[track].memory)
    return nullptr;
  const auto found = last_->curves.find(track);
  return found == last_->curves.end() ? nullptr : &found->second;
}

void DetailMaker::add_lane(const DetailRequest& request, std::uint64_t key,
                           TimelineDetail& detail) {
  const auto track = static_cast<std::uint32_t>(key >> 32U);
  const auto lane = static_cast<std::uint32_t>(key);
  LaneDetail& found = detail.lanes[key];
  if (const LaneDetail* known = known_lane(request, key)) {
    found = *known;
    for (const std::uint32_t id : found.names)
      if (id != query::VisibleRun::unknown) detail.names.emplace(id, name(id));
    return;
  }
  query::append_visible(*trace_, track, lane, request.columns, reader_.get(), found.runs);
  add_names(request, track, found, detail);
}

std::shared_ptr<const TimelineDetail> DetailMaker::timeline(const DetailRequest& request,
                                                            const Cancel& cancel) {
  follow(request.trace);
  if (names_.size() > cached_names) names_.clear();
  auto detail = std::make_shared<TimelineDetail>();
  detail->trace = request.trace;
  detail->columns = request.columns;
  for (const std::uint64_t key : request.lanes) {
    if (cancel.requested()) return nullptr;
    add_lane(request, key, *detail);
  }
  for (const std::uint32_t track : request.curves) {
    if (cancel.requested()) return nullptr;
    const auto& memory = trace_->tracks[track].memory;
    if (!memory) continue;
    const auto* known = known_curve(request, track);
    detail->curves[track] = known ? *known : query::memory_curve(*memory, request.columns);
  }
  if (request.search) add_hits(request, *detail);
  if (request.lit_name) add_lit(request, *detail, cancel);
  if (cancel.requested()) return nullptr;
  last_ = detail;
  last_label_columns_ = request.label_columns;
  return detail;
}

std::shared_ptr<const Overview> DetailMaker::known_overview(const DetailRequest& request) const {
  const bool holds = overview_ && overview_->trace == request.trace &&
                     overview_->columns == request.overview_columns &&
                     overview_->search == request.search;
  return holds ? overview_ : nullptr;
}

std::shared_ptr<const Overview> DetailMaker::overview(const DetailRequest& request,
                                                      const Cancel& cancel) {
  follow(request.trace);
  if (request.overview_columns.count == 0) return nullptr;
  if (!overview_ || overview_->trace != request.trace ||
      overview_->columns != request.overview_columns)
    overview_ = overview_of(request.trace, *reader_, request.overview_columns, cancel);
  if (overview_ && overview_->search != request.search)
    overview_ = with_hits(*overview_, *reader_, request.search);
  return overview_;
}

std::shared_ptr<const StackDetail> DetailMaker::stack(const DetailRequest& request,
                                                      const StackRequest& stack,
                                                      const Cancel& cancel) {
  follow(request.trace);
  const auto& memory = trace_->tracks[stack.track].memory;
  if (!memory || stack.height_px == 0) return nullptr;
  std::erase_if(stacks_, [&](const auto& entry) {
    return std::none_of(request.stacks.begin(), request.stacks.end(),
                        [&](const StackRequest& other) { return other.track == entry.first; });
  });
  KnownStack& known = stacks_[stack.track];
  if (known.detail && known.memory == memory && known.theme == request.theme &&
      known.detail->request == stack && known.detail->cells.columns == request.columns)
    return known.detail;
  known = {};
  const std::uint64_t shown = std::max<std::uint64_t>(stack.end_bytes - stack.begin_bytes, 1);
  auto detail = std::make_shared<StackDetail>();
  detail->request = stack;
  detail->cells = query::memory_stack(*memory, request.columns,
                                      std::max<std::uint64_t>(shown / stack.height_px, 1), cancel,
                                      {stack.begin_bytes, stack.end_bytes});
  if (cancel.requested()) return nullptr;
  detail->cells.cells.shrink_to_fit();  // kept as long as the track is open, in megabytes
  const auto type_name = [this](std::uint32_t dtype) { return *name(dtype); };
  BufferPalette palette(*memory, stack.colors, *request.theme, type_name);
  detail->picture = stack_picture(detail->cells, palette, stack, *request.theme);
  detail->legend = palette.legend(detail->cells);
  detail->labels = stack_labels(detail->cells, *memory, stack, type_name);
  known = {memory, request.theme, detail};
  return detail;
}

}  // namespace bytescope::render
