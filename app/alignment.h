#pragma once

#include <cstdint>

namespace bytescope::app {

/// How two open traces lie beside each other in time.
struct Alignment {
  std::uint64_t a = 0;  ///< Numbers of their documents.
  std::uint64_t b = 0;
  std::int64_t shift_ns = 0;   ///< A moment t of A lies beside t + shift of B.
  bool moves_together = true;  ///< Moving the view of one moves that of the other.
  bool shows_both = true;      ///< Both are shown, one above the other, where there is room.

  bool is_of(std::uint64_t one, std::uint64_t other) const {
    return (a == one && b == other) || (a == other && b == one);
  }
  /// What is added to a moment of `from`, one of both, for the moment of the other beside it.
  std::int64_t shift_from(std::uint64_t from) const { return from == a ? shift_ns : -shift_ns; }
};

}  // namespace bytescope::app
