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

  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  /// The first place at or behind `from` at which the text may begin. `nowhere` means that no
  /// string in `raw` from there on that holds neither `\u` nor bytes outside ASCII, once decoded
  /// and folded, contains the text.
  std::size_t find(std::string_view raw, std::size_t from = 0) const;
  /// Whether a place is sure, in a string as above, when no backslash stands before it: raw JSON
  /// holds the whole text.
  bool is_whole() const { return is_whole_; }
  /// Bytes of what is found.
  std::size_t size() const { return core_.size(); }

private:
  bool is_at(const char* at) const;

  std::string core_;  ///< A part of the text that stands in raw JSON as it is, in any case.
  bool is_whole_;
  char first_capital_ = 0;
  char last_capital_ = 0;
};

/// Whether `raw` holds `\u` or a byte outside ASCII.
bool has_unusual_letters(std::string_view raw);

}  // namespace bytescope::query
