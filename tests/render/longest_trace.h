#pragma once

#include <cstdint>

#include "core/query/time_range.h"

namespace bytescope::render {

/// As long as a file can tell: 71 minutes.
constexpr query::TimeRange longest_trace = {0, 4294967295LL * 1000};

}  // namespace bytescope::render
