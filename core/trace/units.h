#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Numbers as people read them. Points in time and durations: render/time_text.h.

namespace bytescope::trace {

/// A count with its digits in groups: `24,118,204`.
std::string count_text(std::uint64_t count);

/// Bytes in SI units (kB = 1000): `850 B`, `142.7 kB`, `17.2 GB`; two digits behind the point below
/// ten, one above.
std::string bytes_text(std::uint64_t bytes);

/// Bytes to the last one: `1,234 B`.
std::string exact_bytes_text(std::uint64_t bytes);

/// Any amount in SI units: `1.29 TFLOPS`, `1.55 TB/s`. Not a number gives an empty text.
std::string si_text(double amount, std::string_view unit);

/// The amount that somebody typed: a number with or without a prefix (k M G T P E, or Ki Mi … for
/// powers of 1024) and the unit, upper or lower case, blanks or none: `61.4 TFLOPS`, `960GB/s`,
/// `24 GiB`, `1.3e12`. None for anything else, and for less than nothing.
std::optional<double> amount_from_text(std::string_view text, std::string_view unit);

/// A share of 1 in percent: `93%`, `6.1%`; `<0.1%` for what is more than nothing and `99.9%` for
/// what is less than all. Not a number gives an empty text.
std::string percent_text(double share);

}  // namespace bytescope::trace
