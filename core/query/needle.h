#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bytescope::query {

/// Looks for a folded text in raw JSON, where it may stand inside strings: says "no" quickly and
/// surely for what it cannot be in, 64 bytes at a time. "Perhaps" has to be looked at decoded.
class Needle {
public:
  /// Looks for `folded_text` (fold_case.h).
  explicit Needle(std::string_view folded_text);

  /// False only when no string in `raw` that holds neither `\u` nor bytes outside ASCII, once
  /// decoded and folded, contains the text.
  bool may_be_in(std::string_view raw) const;

private:
  bool is_at(const char* at) const;

  std::string core_;  ///< A part of the text that stands in raw JSON as it is, in any case.
  char first_capital_ = 0;
  char last_capital_ = 0;
};

/// Whether `raw` holds `\u` or a byte outside ASCII.
bool has_unusual_letters(std::string_view raw);

}  // namespace bytescope::query
