#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bytescope::query {

/// Up to `limit` different ones of `names`, those most like `wanted` first, of equals in their
/// order: by the number of letters to change, where a name that contains `wanted` counts as close;
/// case does not matter. Only the first 64 bytes of a name and the first 10,000 different names
/// count. O(names).
std::vector<std::string> closest_names(std::string_view wanted,
                                       const std::vector<std::string>& names,
                                       std::size_t limit = 3);

/// The same as a sentence's end: `; the closest are "a", "b"`, empty where there are no names.
std::string closest_names_text(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace bytescope::query
