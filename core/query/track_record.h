#pragma once

#include <cstdint>

namespace bytescope::query {

/// A record of a track.
struct TrackRecord {
  std::uint32_t track = 0;
  std::uint32_t record = 0;
  bool operator==(const TrackRecord&) const = default;
};

}  // namespace bytescope::query
