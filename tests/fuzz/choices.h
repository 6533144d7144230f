#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace bytescope::fuzz {

/// Choices that a seed decides, the same on every machine.
class Choices {
public:
  explicit Choices(std::uint32_t seed) : random_(seed) {}

  /// A number below `count`, which must not be 0.
  std::size_t below(std::size_t count) { return random_() % count; }
  std::uint32_t number() { return static_cast<std::uint32_t>(random_()); }
  bool one_in(std::size_t count) { return below(count) == 0; }
  /// An element of a list that is not empty.
  template <class List>
  auto& of(List& list) {
    return list[below(std::size(list))];
  }

private:
  std::mt19937 random_;
};

}  // namespace bytescope::fuzz
