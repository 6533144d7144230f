#pragma once

#include <string_view>

namespace bytescope::render {

/// Whether `a` comes before `b` when runs of digits count as numbers: AMD:2 before AMD:10. Numbers
/// may have any length; texts that differ only in leading zeros are told apart by their bytes, so
/// the order is total.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace bytescope::render
