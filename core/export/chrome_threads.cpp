#include "core/export/chrome_threads.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/io/json_writer.h"

namespace bytescope::exporting {
namespace {

/// Lanes of a track stand together, those of the next one behind them.
constexpr std::uint64_t lanes_in_order = 1 << 16;

void append_name(std::string& out, const char* event, std::uint32_t pid, std::uint32_t tid,
                 const std::string& name) {
  fmt::format_to(std::back_inserter(out),
                 R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":)", event, pid, tid);
  io::append_json_string(out, name);
  out += "}},\n";
}

void append_order(std::string& out, const char* event, std::uint32_t pid, std::uint32_t tid,
                  std::uint64_t order) {
  constexpr std::uint64_t largest = INT32_MAX;
  fmt::format_to(std::back_inserter(out),
                 R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"sort_index":{}}}}},)"
                 "\n",
                 event, pid, tid, std::min(order, largest));
}

}  // namespace

ChromeThreads::ChromeThreads(const trace::Trace& trace, std::vector<TrackProcess> processes)
    : processes_(std::move(processes)), places_(trace.tracks.size()) {
  std::vector<bool> is_named(trace.tracks.size());
  for (const TrackProcess& process : processes_)
    for (const PlacedTrack& track : process.tracks) is_named[track.track] = true;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const std::string& name = trace.tracks[i].head.name;
    if (!is_named[i]) processes_.push_back({name, {{i, name}}});
  }
  for (std::uint32_t i = 0; i < processes_.size(); ++i) {
    std::uint32_t order = 0;
    for (const PlacedTrack& track : processes_[i].tracks)
      places_[track.track] = {i + 1, order++, &track.label, {}};
  }
  next_tid_ = static_cast<std::uint32_t>(processes_.size()) + 1;
}

void ChromeThreads::append_processes(std::string& out) const {
  for (std::uint32_t i = 0; i < processes_.size(); ++i) {
    append_name(out, "process_name", i + 1, i + 1, processes_[i].name);
    append_order(out, "process_sort_index", i + 1, i + 1, i);
  }
}

std::uint32_t ChromeThreads::tid(std::uint32_t track, std::uint32_t lane, std::string& out) {
  Place& place = places_[track];
  if (lane < place.tids.size()) return place.tids[lane];
  const std::uint32_t tid = next_tid_++;
  place.tids.push_back(tid);
  const std::string name =
      lane == 0 ? *place.label : fmt::format("{} ({})", *place.label, lane + 1);
  append_name(out, "thread_name", place.pid, tid, name);
  append_order(out, "thread_sort_index", place.pid, tid, place.order * lanes_in_order + lane);
  return tid;
}

}  // namespace bytescope::exporting
