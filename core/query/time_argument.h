#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "core/query/time_range.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// The time that a number with `ns`, `us`, `ms`, `s` or `clk` tells, in ns, exact to one; a bare
/// number is in microseconds, or cycles: a cycle counts as 1000 ns as everywhere. Times beyond
/// three years are cut to that. None when `text` is no such number.
std::optional<std::int64_t> ns_from_number_text(std::string_view text);

/// The same for a time as it is shown, in groups of three digits and with hours and minutes:
/// `12.424 644 s`, `2:11.318 s`, `1 250 clk`. None for bare numbers, which may be meant otherwise.
std::optional<std::int64_t> ns_from_shown_time(std::string_view text);

/// The time since the origin, in ns, that `argument` tells: a number or a time as it is shown, else
/// the first marker (in
/// time) of that plain name, `NAME#2` the second of them; `marker:NAME` is always a marker. Fails
/// with ErrorKind::usage, which tells the closest names.
Expected<std::int64_t> time_from_argument(const trace::Trace& trace, std::string_view argument);

/// The half-open range that `A..B`, `A..` or `..B` tells; a missing side is the trace's beginning
/// or end. Fails with ErrorKind::usage also for an empty range (A ≥ B).
Expected<TimeRange> range_from_argument(const trace::Trace& trace, std::string_view argument);

}  // namespace bytescope::query
