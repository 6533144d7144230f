#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/query/time_range.h"

namespace bytescope::app {

/// A marker that somebody put while looking; it is not in the file.
struct OwnMarker {
  std::int64_t time_ns = 0;
  std::string name;
  bool operator==(const OwnMarker&) const = default;
};

/// A measured range that was kept.
struct KeptRange {
  query::TimeRange range;
  std::string name;
  bool operator==(const KeptRange&) const = default;
};

/// What somebody noted on a trace; lives beside it, never in it.
struct DocumentNotes {
  std::vector<OwnMarker> markers;  ///< By time.
  std::vector<KeptRange> ranges;   ///< In the order of keeping.
  bool operator==(const DocumentNotes&) const = default;
};

}  // namespace bytescope::app
