#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/export/export.h"
#include "core/trace/trace.h"

namespace bytescope::exporting {

/// Deals out the numbers of processes and threads. Every lane of a span track is a thread; all
/// numbers are unlike each other, since some readers know threads by theirs alone.
class ChromeThreads {
public:
  /// Tracks that no process names get one of their own, behind the others.
  ChromeThreads(const trace::Trace& trace, std::vector<TrackProcess> processes);

  const std::vector<TrackProcess>& processes() const { return processes_; }
  std::uint32_t pid(std::uint32_t track) const { return places_[track].pid; }
  const std::string& label(std::uint32_t track) const { return *places_[track].label; }

  /// Appends the events that name the processes and tell their order.
  void append_processes(std::string& out) const;
  /// The thread of a lane; lanes are asked for from 0 on without gaps. The first time, appends the
  /// events that name it.
  std::uint32_t tid(std::uint32_t track, std::uint32_t lane, std::string& out);
  /// The thread of a lane that was asked for before.
  std::uint32_t known_tid(std::uint32_t track, std::uint32_t lane) const {
    return places_[track].tids[lane];
  }

private:
  struct Place {
    std::uint32_t pid = 0;
    std::uint32_t order = 0;  ///< Among the tracks of its process.
    const std::string* label = nullptr;
    std::vector<std::uint32_t> tids;  ///< By lane.
  };

  std::vector<TrackProcess> processes_;
  std::vector<Place> places_;  ///< By track.
  std::uint32_t next_tid_ = 0;
};

}  // namespace bytescope::exporting
