#include "render/overview.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/query/memory_curve.h"
#include "core/query/search_columns.h"
#include "core/query/visible.h"
#include "core/trace/byte_share.h"
#include "render/natural_order.h"

namespace bytescope::render {
namespace {

/// Of more tracks every n-th counts.
constexpr std::size_t most_tracks = 256;
/// Kernels that overlap stand in further lanes; the first few tell when something runs.
constexpr std::uint32_t most_lanes = 4;

std::vector<std::uint32_t> tracks_with_role(const trace::Trace& trace, bool devices_only) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const trace::Track& track = trace.tracks[i];
    if (track.spans && (!devices_only || track.role == trace::TrackRole::device))
      found.push_back(i);
  }
  return found;
}

/// The tracks that the rows show, by name as in the window.
std::vector<std::uint32_t> shown_tracks(const trace::Trace& trace) {
  std::vector<std::uint32_t> tracks = tracks_with_role(trace, true);
  if (tracks.empty()) tracks = tracks_with_role(trace, false);
  std::stable_sort(tracks.begin(), tracks.end(), [&](std::uint32_t a, std::uint32_t b) {
    return natural_less(trace.tracks[a].head.name, trace.tracks[b].head.name);
  });
  const std::size_t step = (tracks.size() + most_tracks - 1) / most_tracks;
  if (step <= 1) return tracks;
  std::vector<std::uint32_t> some;
  for (std::size_t i = 0; i < tracks.size(); i += step) some.push_back(tracks[i]);
  return some;
}

/// Busy share of a track by column; what is touched is never 0.
std::vector<float> busy_columns(const trace::Trace& trace, io::PageReader& reader,
                                std::uint32_t track, const query::Columns& columns) {
  constexpr float least_busy = 1.0F / 255;
  std::vector<float> busy(columns.count, 0);
  std::vector<query::VisibleRun> runs;
  const std::uint32_t lanes = std::min(trace.tracks[track].spans->lane_count, most_lanes);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    runs.clear();
    query::append_visible(trace, track, lane, columns, &reader, runs);
    for (const query::VisibleRun& run : runs)
      for (std::uint32_t c = run.begin_column; c < std::min(run.end_column, columns.count); ++c)
        busy[c] = std::max({busy[c], run.busy, least_busy});
  }
  return busy;
}

std::vector<std::uint8_t> mean_of(const std::vector<float>& sum, std::size_t count) {
  std::vector<std::uint8_t> mean;
  mean.reserve(sum.size());
  for (const float busy : sum) {
    const double share = static_cast<double>(busy) / static_cast<double>(count);
    mean.push_back(busy > 0 ? std::max<std::uint8_t>(trace::byte_share(share), 1)
                            : std::uint8_t{0});
  }
  return mean;
}

void add_rows(const trace::Trace& trace, io::PageReader& reader, const Cancel& cancel,
              Overview& overview) {
  const std::vector<std::uint32_t> tracks = shown_tracks(trace);
  const std::size_t each = (tracks.size() + most_overview_rows - 1) / most_overview_rows;
  for (std::size_t begin = 0; begin < tracks.size(); begin += each) {
    const std::size_t end = std::min(begin + each, tracks.size());
    std::vector<float> sum(overview.columns.count, 0);
    for (std::size_t i = begin; i < end; ++i) {
      if (cancel.requested()) return;
      const std::vector<float> busy = busy_columns(trace, reader, tracks[i], overview.columns);
      for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += busy[c];
    }
    overview.rows.push_back(mean_of(sum, end - begin));
  }
}

/// The memory tracks of the family with the largest peak; files count only where nothing else does.
std::vector<std::uint32_t> largest_family(const trace::Trace& trace, std::uint64_t& peak_bytes) {
  std::map<std::pair<bool, std::string>, std::vector<std::uint32_t>> families;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const std::string_view name = trace.tracks[i].own_name();
    if (trace.tracks[i].memory)
      families[{trace::is_file_memory(name), std::string(trace::family_of(name))}].push_back(i);
  }
  std::vector<std::uint32_t> largest;
  bool largest_is_file = true;
  for (const auto& [family, tracks] : families) {
    std::uint64_t peak = 0;
    for (const std::uint32_t track : tracks)
      peak = std::max(peak, trace.tracks[track].memory->peak_bytes);
    const bool wins = largest.empty() || (largest_is_file && !family.first) ||
                      (largest_is_file == family.first && peak > peak_bytes);
    if (!wins) continue;
    largest = tracks;
    largest_is_file = family.first;
    peak_bytes = peak;
  }
  return largest;
}

void add_memory(const trace::Trace& trace, const Cancel& cancel, Overview& overview) {
  std::uint64_t peak_bytes = 0;
  std::vector<std::uint32_t> tracks = largest_family(trace, peak_bytes);
  if (tracks.empty() || peak_bytes == 0) return;
  tracks.resize(std::min(tracks.size(), most_tracks));
  std::vector<std::uint64_t> fullest(overview.columns.count, 0);
  for (const std::uint32_t track : tracks) {
    if (cancel.requested()) return;
    const auto curve = query::memory_curve(*trace.tracks[track].memory, overview.columns);
    for (std::size_t c = 0; c < std::min(fullest.size(), curve.size()); ++c)
      fullest[c] = std::max(fullest[c], curve[c].total());
  }
  for (const std::uint64_t bytes : fullest) {
    overview.memory.push_back(
        trace::byte_share(static_cast<double>(bytes) / static_cast<double>(peak_bytes)));
  }
}

void add_columns(const std::vector<std::uint8_t>& from, std::vector<std::uint8_t>& to) {
  for (std::size_t c = 0; c < std::min(from.size(), to.size()); ++c)
    if (from[c] != 0) to[c] = 1;
}

}  // namespace

std::shared_ptr<const Overview> overview_of(const std::shared_ptr<const trace::Trace>& trace,
                                            io::PageReader& reader, const query::Columns& columns,
                                            const Cancel& cancel) {
  auto overview = std::make_shared<Overview>();
  overview->trace = trace;
  overview->columns = columns;
  add_rows(*trace, reader, cancel, *overview);
  add_memory(*trace, cancel, *overview);
  if (cancel.requested()) return nullptr;
  return overview;
}

std::shared_ptr<const Overview> with_hits(const Overview& overview, io::PageReader& reader,
                                          std::shared_ptr<const query::SearchResult> search) {
  auto result = std::make_shared<Overview>(overview);
  result->search = std::move(search);
  result->hits.clear();
  if (!result->search) return result;
  result->hits.assign(overview.columns.count, 0);
  add_columns(query::marker_columns(*result->search, overview.columns), result->hits);
  for (std::uint32_t track = 0; track < result->search->tracks.size(); ++track) {
    if (result->search->tracks[track].count() == 0) continue;
    add_columns(query::hit_columns(*result->search, reader, track, overview.columns), result->hits);
  }
  return result;
}

}  // namespace bytescope::render
