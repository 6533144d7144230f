#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/query/ranges.h"
#include "core/query/statistics.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// From where to where a copy goes, and how much, as its name tells.
struct CopyRoute {
  std::string source;  ///< Empty where the name does not tell.
  std::string destination;
  std::optional<double> bytes;
  bool operator==(const CopyRoute&) const = default;
};

/// Reads the plain name of a copy: `AMD -> AMD:1`, `1.00 GB, AMD:1 <- AMD`, `copy 4.00 MB, AMD <-
/// CPU`. Sizes in names are powers of two though they say GB (FORMAT.md). None when it names no
/// copy.
std::optional<CopyRoute> copy_route(std::string_view plain_name);

/// All copies from one place to another. Times in the trace's unit.
struct CopyGroup {
  std::string source;
  std::string destination;
  std::uint64_t count = 0;
  double total = 0;
  /// From the infos, else from the names; of copies that a range cuts in proportion.
  std::optional<double> bytes;
  std::optional<double> bytes_per_s;  ///< `bytes` over the time of the copies that tell theirs.
  double longest = 0;                 ///< Duration of the longest copy.
  TrackRecord longest_at;
};

/// How a device's copies lie beside what it computes. Times in the trace's unit.
struct CopyExposure {
  std::uint32_t device = 0;  ///< Its track.
  double copying = 0;        ///< A copy was at work on its engines or in its own track.
  double exposed = 0;        ///< Of that, while it computed nothing.
  Stretch longest_exposed;   ///< The longest stretch of that, the first of equals.
};

/// Copies of a trace or a range.
struct CopyFacts {
  std::vector<CopyGroup> groups;       ///< By total, descending.
  std::vector<CopyExposure> exposure;  ///< Of devices with copies, in file order.
};

/// Groups the copies of all devices and engines (with the request's range and threads; its tracks
/// and grouping do not count). Costs one read of those tracks in the range. Fails with
/// ErrorKind::cancelled.
Expected<CopyFacts> copy_facts(const trace::Trace& trace, const StatisticsRequest& request,
                               const Cancel& cancel, Progress* progress = nullptr);

}  // namespace bytescope::query
