#include "core/query/steps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "core/query/memory_curve.h"
#include "core/query/ranges.h"
#include "core/query/span_scan.h"
#include "core/trace/ansi.h"

namespace bytescope::query {
namespace {

std::vector<std::uint32_t> devices_of(const trace::Trace& trace) {
  std::vector<std::uint32_t> devices;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    if (trace.tracks[i].role == trace::TrackRole::device && has_spans(trace.tracks[i]))
      devices.push_back(i);
  }
  return devices;
}

std::int64_t ns_of(double units) {
  return static_cast<std::int64_t>(std::clamp(units * 1000, -9e15, 9e15));
}

/// The largest total of a memory track in a step.
std::uint64_t peak_in(const trace::MemoryIndex& memory, const Step& step) {
  const std::int64_t begin_ns = ns_of(step.begin);
  const auto length_ns = static_cast<double>(ns_of(step.end) - begin_ns);
  if (length_ns <= 0) return 0;
  const std::vector<CurveColumn> curve = memory_curve(memory, {begin_ns, length_ns, 1});
  return curve.empty() ? 0 : curve.front().total();
}

void add_peaks(const trace::Trace& trace, StepTable& table, const Cancel& cancel) {
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const trace::Track& track = trace.tracks[i];
    if (!track.memory || trace::is_file_memory(track.own_name())) continue;
    for (Step& step : table.steps) {
      if (cancel.requested()) return;
      const std::uint64_t peak = peak_in(*track.memory, step);
      if (step.peak_track && peak <= step.memory_peak_bytes) continue;
      step.memory_peak_bytes = peak;
      step.peak_track = i;
    }
  }
}

/// False when cancelled.
bool add_busy_shares(const trace::Trace& trace, StepTable& table, const Cancel& cancel) {
  std::vector<Stretch> ranges;
  for (const Step& step : table.steps) ranges.push_back({step.begin, step.end});
  for (const std::uint32_t device : table.devices) {
    const std::vector<double> busy = busy_times(trace, device, ranges, cancel);
    if (busy.size() < ranges.size()) return false;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const double length = ranges[i].length();
      table.steps[i].busy_share.push_back(length > 0 ? std::min(busy[i] / length, 1.0) : 0);
    }
  }
  for (Step& step : table.steps) {
    const double sum = std::accumulate(step.busy_share.begin(), step.busy_share.end(), 0.0);
    if (!step.busy_share.empty())
      step.mean_busy_share = sum / static_cast<double>(step.busy_share.size());
  }
  return true;
}

}  // namespace

std::optional<std::string> family_of(const std::string& plain_name) {
  const std::size_t digits = plain_name.find_last_not_of("0123456789");
  if (digits == std::string::npos || digits + 1 == plain_name.size()) return std::nullopt;
  return plain_name.substr(0, digits + 1);
}

std::vector<std::uint32_t> marker_order(const trace::Trace& trace) {
  const std::vector<bytepack::FileMarker>& markers = trace.index->markers;
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < markers.size(); ++i) {
    if (markers[i].time_us && std::isfinite(*markers[i].time_us)) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return *markers[a].time_us < *markers[b].time_us;
  });
  return order;
}

std::vector<MarkerFamily> marker_families(const trace::Trace& trace, std::uint32_t least) {
  std::map<std::string, std::vector<std::uint32_t>> by_name;
  for (const std::uint32_t i : marker_order(trace)) {
    const bytepack::FileMarker& marker = trace.index->markers[i];
    const auto name = marker.name ? family_of(trace::plain_text(*marker.name)) : std::nullopt;
    if (name) by_name[*name].push_back(i);
  }
  std::vector<MarkerFamily> families;
  for (auto& [name, markers] : by_name) {
    if (markers.size() >= least) families.push_back({name, std::move(markers)});
  }
  std::stable_sort(families.begin(), families.end(),
                   [](const MarkerFamily& a, const MarkerFamily& b) {
                     return a.markers.size() > b.markers.size();
                   });
  return families;
}

Expected<StepTable> step_table(const trace::Trace& trace, const MarkerFamily& family,
                               const Cancel& cancel) {
  StepTable table;
  table.family = family.name;
  table.devices = devices_of(trace);
  const std::vector<bytepack::FileMarker>& markers = trace.index->markers;
  for (std::size_t i = 0; i < family.markers.size(); ++i) {
    const bytepack::FileMarker& marker = markers[family.markers[i]];
    const bool is_last = i + 1 == family.markers.size();
    Step step;
    step.marker = family.markers[i];
    step.name = trace::plain_text(marker.name.value_or(""));
    step.begin = marker.time_us.value_or(0);
    step.end = is_last ? static_cast<double>(trace.frame.duration_us)
                       : markers[family.markers[i + 1]].time_us.value_or(step.begin);
    if (is_last && step.end <= step.begin) break;
    table.last_is_open = is_last;
    table.steps.push_back(std::move(step));
  }
  const bool done = add_busy_shares(trace, table, cancel);
  if (done) add_peaks(trace, table, cancel);
  if (!done || cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled");
  return table;
}

std::vector<std::uint32_t> slowest_first(const StepTable& table) {
  std::vector<std::uint32_t> order(table.steps.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&table](std::uint32_t a, std::uint32_t b) {
    return table.steps[a].length() > table.steps[b].length();
  });
  return order;
}

}  // namespace bytescope::query
