#pragma once

#include <cstdint>

namespace bytescope::tests {

constexpr std::int64_t us = 1000;  ///< A microsecond in ns.
constexpr std::int64_t ms = 1000 * us;

}  // namespace bytescope::tests
