#pragma once

#include <cstdint>
#include <string>

namespace bytescope::exporting {

/// Where a trace goes in a file that holds several.
struct Placement {
  std::string prefix;              ///< In front of the names of its tracks.
  std::uint32_t later_us = 0;      ///< Added to its times.
  std::uint32_t first_string = 0;  ///< Added to positions of its strings.
  std::uint32_t first_ref = 0;     ///< Added to its refs.
  std::uint32_t first_key = 0;     ///< Added to its run keys, those of spans and of users alike.
};

}  // namespace bytescope::exporting
