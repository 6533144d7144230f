#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/io/page_reader.h"

namespace bytescope::bytepack {

/// Where the texts of `strings` lie in the file: one offset for every 16 of them; nothing is
/// copied. Immutable once made; text() may be called from any thread, each with a reader of its
/// own.
class StringTable {
public:
  static constexpr std::uint32_t stride = 16;

  StringTable() = default;
  /// `offsets[i]` is the file offset of the opening quote of string i × stride.
  StringTable(std::vector<std::uint64_t> offsets, std::uint32_t count);

  std::uint32_t size() const { return count_; }
  /// String number `id` decoded to UTF-8: escapes resolved, lone surrogates kept as three bytes
  /// (WTF-8), bytes that are not UTF-8 as U+FFFD. Empty for an id out of range. Reads at most
  /// `limit_bytes` of text.
  std::string text(io::PageReader& reader, std::uint32_t id,
                   std::size_t limit_bytes = 1 << 24) const;

private:
  std::vector<std::uint64_t> offsets_;
  std::uint32_t count_ = 0;
};

}  // namespace bytescope::bytepack
