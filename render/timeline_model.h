#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/query/summary.h"
#include "core/trace/trace.h"
#include "render/color.h"
#include "render/memory_look.h"
#include "render/track_layout.h"

namespace bytescope::render {

/// A marker, ready to be drawn.
struct MarkerFlag {
  std::int64_t time_ns = 0;
  std::string raw_name;
  std::optional<Color> color;  ///< None: the file tells none that makes sense.
  bool own = false;            ///< Not of the file: somebody put it while looking.
};

/// What is shown beside the name of a track.
struct TrackFigure {
  std::string text;    ///< Busy share or peak.
  bool worst = false;  ///< The least busy device of its family.
};

/// All of a trace that a frame needs beside the spans themselves: computed once a trace, O(tracks +
/// markers).
struct TimelineModel {
  std::vector<LayoutTrack> layout_tracks;
  /// Mean busy share of families of devices, by the ids of their groups.
  std::map<std::string, std::string> family_figures;
  std::vector<TrackFigure> figures;       ///< By track.
  std::vector<std::uint64_t> peak_bytes;  ///< By track: of memory tracks, at least 1.
  std::vector<std::uint64_t>
      family_peak_bytes;  ///< By track: the largest peak of its family of devices, at least 1.
  std::vector<std::uint64_t>
      capacity_bytes;  ///< By track: what its device holds, where somebody said so; else 0.
  std::vector<std::int64_t>
      peak_ns;  ///< By track: when a memory track first reaches its peak; −1 for none.
  std::vector<MarkerFlag> markers;  ///< By time.
};

/// Bytes at the upper edge of a memory track that is not zoomed, without the air above: the peak of
/// its family or its capacity, whichever is larger, or its own peak.
std::uint64_t memory_scale_bytes(const TimelineModel& model, const MemoryLook& look,
                                 std::uint32_t track);

TimelineModel timeline_model(const trace::Trace& trace, const query::TraceSummary& summary);

}  // namespace bytescope::render
