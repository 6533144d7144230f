#pragma once

#include <cstddef>
#include <vector>

#include "tests/fuzz/choices.h"

namespace bytescope::fuzz {

/// The bytes of a small trace of any dialect that is as its dialect wants it but for up to four
/// hostile facts: times that are none, keys that are not live, sizes beyond 2^64, names of any
/// bytes, an index that says things twice.
std::vector<std::byte> hostile_trace(Choices& choices);

}  // namespace bytescope::fuzz
