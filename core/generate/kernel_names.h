#pragma once

#include <string>
#include <vector>

#include "core/generate/random.h"

namespace bytescope::generate {

/// `count` different names of kernels as tinygrad writes them: `E` (elementwise) or `r` (a
/// reduction), then sizes coloured by the axis they are of, numbered variants, and a few that were
/// written by hand.
std::vector<std::string> kernel_names(Random& random, std::size_t count);

}  // namespace bytescope::generate
