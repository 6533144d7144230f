#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/bytepack/writer.h"

namespace bytescope::tests {

/// Ways in which the spans of a track can lie.
enum class SpanShape : std::uint8_t {
  one_lane,        ///< One after another with gaps.
  nested,          ///< Up to six deep, like a compiler's.
  many_lanes,      ///< Dozens at once.
  hundreds,        ///< More than 255 at once.
  heavy_tailed,    ///< Durations from 0.1 us to a second.
  short_spans,     ///< Many of less than 1 us within each microsecond: they overlap in a lane.
  same_time,       ///< All begin in one microsecond.
  giant_over_all,  ///< One that lasts as long as the trace, tiny ones under it.
  bursts,          ///< Stretches of work, seconds of nothing between them.
  no_duration,     ///< Some last no time at all.
};

/// All of them.
std::vector<SpanShape> span_shapes();
std::string name_of(SpanShape shape);

/// `count` random spans of that shape, sorted by start, beginning at `origin`. Names are of ten
/// kernels of several categories; all infos are `info`.
std::vector<bytepack::SpanDescription> random_spans(SpanShape shape, std::uint32_t count,
                                                    std::uint32_t seed,
                                                    const std::string& info = "{}",
                                                    std::uint32_t origin = 0);

}  // namespace bytescope::tests
