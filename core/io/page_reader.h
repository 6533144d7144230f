#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/io/input_file.h"

namespace bytescope::io {

/// Random access to a file through a small cache of pages that belongs to one thread.
/// Why not a mapping: a page that another program truncates away would kill us, the resident size
/// could not be bounded, and a first touch costs three times as much as reading (ARCHITECTURE.md).
class PageReader {
public:
  static constexpr std::size_t page_bytes = std::size_t{64} * 1024;

  /// Keeps at most `capacity_pages` pages (at least 2).
  explicit PageReader(std::shared_ptr<const InputFile> file, std::size_t capacity_pages = 64);

  /// `size` bytes from `offset` on, zeros past the end. Valid until the next call. `size` at most
  /// page_bytes.
  const std::byte* at(std::uint64_t offset, std::size_t size);
  const InputFile& file() const { return *file_; }

private:
  struct Slot {
    std::uint64_t page = UINT64_MAX;
    std::uint64_t used = 0;
  };

  const std::byte* page(std::uint64_t number);
  std::size_t victim() const;

  std::shared_ptr<const InputFile> file_;
  std::size_t capacity_;
  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<std::byte[]>> pages_;
  std::unordered_map<std::uint64_t, std::size_t> slot_of_page_;
  std::uint64_t clock_ = 0;
  std::uint64_t last_page_ = UINT64_MAX;
  const std::byte* last_data_ = nullptr;
  std::vector<std::byte> straddling_;
};

}  // namespace bytescope::io
