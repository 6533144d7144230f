#include "core/query/summary.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/query/steps.h"
#include "core/trace/ansi.h"

namespace bytescope::query {
namespace {

constexpr std::size_t kernels_shown = 8;
/// So many names by cost are compared by their plain text; names that differ in colour codes alone
/// are few.
constexpr std::size_t kernels_compared = 256;
/// Families of fewer markers are no steps.
constexpr std::uint32_t least_steps = 3;

bool is_kernel(trace::Category category) {
  return category == trace::Category::elementwise || category == trace::Category::reduce ||
         category == trace::Category::other_kernel;
}

struct Sum {
  double total = 0;
  std::uint64_t count = 0;
  trace::Style style;
};

std::vector<TopKernel> top_kernels(const trace::Trace& trace, const Cancel& cancel) {
  std::unordered_map<std::uint32_t, Sum> by_name;
  double all = 0;
  for (const trace::Track& track : trace.tracks) {
    if (track.role != trace::TrackRole::device || !track.spans || track.spans->sampled) continue;
    for (const trace::NameTotal& name : track.spans->names) {
      if (!is_kernel(name.style.category())) continue;
      Sum& sum = by_name[name.name];
      sum.total += name.total;
      sum.count += name.count;
      sum.style = name.style;
      all += name.total;
    }
    if (cancel.requested()) return {};
  }
  std::vector<std::pair<std::uint32_t, Sum>> sorted(by_name.begin(), by_name.end());
  const auto costlier = [](const auto& a, const auto& b) {
    return a.second.total != b.second.total ? a.second.total > b.second.total : a.first < b.first;
  };
  const std::size_t compared = std::min(sorted.size(), kernels_compared);
  std::partial_sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(compared),
                    sorted.end(), costlier);
  io::PageReader reader(trace.file, 8);
  std::vector<TopKernel> kernels;
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < compared; ++i) {
    std::string raw = trace.text(reader, sorted[i].first);
    const auto [known, fresh] = place.try_emplace(trace::plain_text(raw), kernels.size());
    if (fresh) kernels.push_back({std::move(raw), sorted[i].second.style, 0, 0, 0});
    kernels[known->second].total += sorted[i].second.total;
    kernels[known->second].count += sorted[i].second.count;
  }
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const TopKernel& a, const TopKernel& b) { return a.total > b.total; });
  kernels.resize(std::min(kernels.size(), kernels_shown));
  for (TopKernel& kernel : kernels) kernel.share = all > 0 ? kernel.total / all : 0;
  return kernels;
}

std::optional<Steps> steps_of(const trace::Trace& trace) {
  const std::vector<MarkerFamily> families = marker_families(trace, least_steps);
  if (families.empty()) return std::nullopt;
  const std::vector<std::uint32_t>& of_family = families.front().markers;
  const std::vector<bytepack::FileMarker>& markers = trace.index->markers;
  const auto count = static_cast<std::uint32_t>(of_family.size());
  const double length = *markers[of_family.back()].time_us - *markers[of_family.front()].time_us;
  return Steps{families.front().name, count, length / (count - 1)};
}

void add_busy(const trace::Trace& trace, TraceSummary& summary) {
  double sum = 0;
  std::uint32_t devices = 0;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const trace::Track& track = trace.tracks[i];
    summary.busy_share.push_back(-1);
    if (!track.spans || track.spans->sampled || trace.frame.duration_us == 0) continue;
    const double share = std::min(track.spans->busy / trace.frame.duration_us, 1.0);
    summary.busy_share.back() = share;
    if (track.role != trace::TrackRole::device) continue;
    sum += share;
    ++devices;
    if (!summary.slowest_device || share < summary.busy_share[*summary.slowest_device])
      summary.slowest_device = i;
  }
  if (devices > 0) summary.device_busy = sum / devices;
  if (devices < 2) summary.slowest_device.reset();
}

void add_memory(const trace::Trace& trace, TraceSummary& summary) {
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const trace::Track& track = trace.tracks[i];
    if (!track.memory || trace::is_file_memory(track.own_name())) continue;
    if (!summary.peak_track ||
        track.memory->peak_bytes > trace.tracks[*summary.peak_track].memory->peak_bytes)
      summary.peak_track = i;
    summary.never_freed_bytes += track.memory->never_freed_bytes;
  }
}

}  // namespace

TraceSummary summarize(const trace::Trace& trace, const Cancel& cancel) {
  TraceSummary summary;
  summary.marker_order = marker_order(trace);
  summary.steps = steps_of(trace);
  add_busy(trace, summary);
  add_memory(trace, summary);
  summary.top_kernels = top_kernels(trace, cancel);
  return summary;
}

}  // namespace bytescope::query
