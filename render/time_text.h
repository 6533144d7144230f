#pragma once

#include <cstdint>
#include <string>

#include "core/trace/trace.h"

namespace bytescope::render {

/// The digits of `value` in groups of three: `1 234 567`.
std::string grouped(std::uint64_t value);

/// `ns` as a decimal number of `unit_ns` with `decimals` digits behind the point, cut, not rounded:
/// `12 345.67`. Exact integer arithmetic. `unit_ns` must be a power of ten of at least
/// 10^decimals.
std::string decimal_text(std::int64_t ns, std::int64_t unit_ns, int decimals);

/// A point in time as in `2:11.318 126 s` (below a minute `11.318 126 s`), or in clock cycles as in
/// `1 250 clk`, cut to `resolution_ns` (a power of ten up to a second).
std::string time_text(std::int64_t ns, trace::Unit unit, std::int64_t resolution_ns = 1000);

/// A length of time in three digits and the unit that suits it: `850 ns`, `22.4 µs`,
/// `1.25 ms`, `19.2 s`, `4 min 32.4 s`; cycles as in `1 250 clk`. Not a number gives an empty text.
std::string duration_text(double ns, trace::Unit unit);

}  // namespace bytescope::render
