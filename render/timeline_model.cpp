#include "render/timeline_model.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/trace/css_color.h"
#include "core/trace/units.h"

namespace bytescope::render {
namespace {

bool is_memory(const trace::Track& track) { return track.head.kind == bytepack::TrackKind::memory; }

void add_memory_scales(const trace::Trace& trace, TimelineModel& model) {
  std::map<std::string, std::uint64_t> family_peak;
  const auto peak = [](const trace::Track& track) {
    return track.memory ? track.memory->peak_bytes : track.head.peak;
  };
  for (const trace::Track& track : trace.tracks) {
    if (!is_memory(track)) continue;
    std::uint64_t& largest = family_peak[std::string(trace::family_of(track.own_name()))];
    largest = std::max(largest, peak(track));
  }
  for (const trace::Track& track : trace.tracks) {
    model.peak_bytes.push_back(is_memory(track) ? std::max<std::uint64_t>(peak(track), 1) : 1);
    model.family_peak_bytes.push_back(
        is_memory(track) ? std::max<std::uint64_t>(
                               family_peak[std::string(trace::family_of(track.own_name()))], 1)
                         : 1);
    model.capacity_bytes.push_back(0);
    const bool has_peak = track.memory && !track.memory->events.empty();
    model.peak_ns.push_back(
        has_peak ? trace::ns_from_unit(track.memory->event_time(track.memory->peak_event)) : -1);
  }
}

/// Devices that are closer to the mean of their family than that are no stragglers.
constexpr double least_lag = 0.03;

struct Family {
  double sum = 0;
  std::uint32_t devices = 0;
  std::uint32_t worst = 0;  // track
};

std::map<std::string, Family> families_of(const trace::Trace& trace,
                                          const query::TraceSummary& summary) {
  std::map<std::string, Family> families;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const double busy = summary.busy_share[i];
    if (trace.tracks[i].role != trace::TrackRole::device || busy < 0) continue;
    const trace::Track& track = trace.tracks[i];
    Family& family =
        families[family_group_id(track.file_name(), trace::family_of(track.own_name()))];
    if (family.devices == 0 || busy < summary.busy_share[family.worst]) family.worst = i;
    family.sum += busy;
    ++family.devices;
  }
  return families;
}

std::string percent_text(double share) {
  return share > 0 && share < 0.01 ? "<1%" : fmt::format("{:.0f}%", share * 100);
}

std::string figure_text(const trace::Track& track, double busy) {
  if (track.memory) return trace::bytes_text(track.memory->peak_bytes);
  if (busy < 0) return "";
  return percent_text(busy);
}

}  // namespace

std::uint64_t memory_scale_bytes(const TimelineModel& model, const MemoryLook& look,
                                 std::uint32_t track) {
  if (look.scale_per_track) return model.peak_bytes[track];
  return std::max(model.family_peak_bytes[track], model.capacity_bytes[track]);
}

TimelineModel timeline_model(const trace::Trace& trace, const query::TraceSummary& summary) {
  TimelineModel model;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const trace::Track& track = trace.tracks[i];
    model.layout_tracks.push_back({track.head.name, track.head.kind, track.role,
                                   track.spans ? std::max(track.spans->lane_count, 1U) : 1U,
                                   track.prefix_bytes});
    model.figures.push_back({figure_text(track, summary.busy_share[i]), false});
  }
  for (const auto& [id, family] : families_of(trace, summary)) {
    if (family.devices < 2) continue;
    const double mean = family.sum / family.devices;
    model.family_figures[id] = percent_text(mean);
    if (summary.busy_share[family.worst] < mean - least_lag)
      model.figures[family.worst].worst = true;
  }
  add_memory_scales(trace, model);
  for (const std::uint32_t i : summary.marker_order) {
    const bytepack::FileMarker& marker = trace.index->markers[i];
    MarkerFlag flag;
    // A marker far outside would not survive the conversion to whole nanoseconds.
    flag.time_ns = static_cast<std::int64_t>(std::clamp(*marker.time_us, -1e13, 1e13) * 1000);
    flag.raw_name = marker.name.value_or("");
    if (marker.color) {
      if (const auto hex = trace::parse_css_color(*marker.color)) flag.color = rgb(*hex >> 8U);
    }
    model.markers.push_back(std::move(flag));
  }
  return model;
}

}  // namespace bytescope::render
