#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bytescope::tests {

/// One gzip member.
std::vector<std::byte> gzipped(std::span<const std::byte> bytes);
/// One zstd frame.
std::vector<std::byte> zstandard(std::span<const std::byte> bytes);

}  // namespace bytescope::tests
