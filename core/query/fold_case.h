#pragma once

#include <string>
#include <string_view>

namespace bytescope::query {

/// Appends `wtf8` with the differences between capitals and small letters taken away: Unicode's
/// simple case folding for Latin, Greek, Cyrillic, Armenian and full-width letters. Bytes that mean
/// nothing stay. Costs O(bytes); about 1 ns a byte for ASCII, less in long runs.
void append_folded(std::string& out, std::string_view wtf8);

/// The same as a text of its own.
std::string folded(std::string_view wtf8);

}  // namespace bytescope::query
