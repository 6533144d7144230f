#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace bytescope::bytepack {

static_assert(std::endian::native == std::endian::little,
              "bytepack is little-endian; a big-endian port swaps in load()");

/// An unaligned little-endian number at `bytes`.
template <class T>
T load(const std::byte* bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace bytescope::bytepack
