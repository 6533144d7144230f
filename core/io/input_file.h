#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/error.h"

namespace bytescope::io {

/// What lies on the disk where an opened file was.
enum class OnDisk : std::uint8_t {
  same,     ///< What was opened, unmodified.
  changed,  ///< It was written to or cut short, or another file took its place.
  gone,     ///< Nothing that can be looked at.
};

/// A regular file opened for reading. All reading is positioned and may happen from any thread.
/// The file may be truncated or rewritten by others at any time: what is missing reads as zeros and
/// the file counts as changed from then on.
class InputFile {
public:
  /// Fails for folders, pipes, devices, missing or unreadable files and files without a byte.
  static Expected<std::shared_ptr<const InputFile>> open(const std::string& path);

  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  InputFile(InputFile&&) = delete;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  const std::string& path() const { return path_; }
  /// The size when it was opened.
  std::uint64_t size_bytes() const { return size_bytes_; }
  /// Fills `out` from `offset` on; bytes that cannot be read become zero and mark the file as
  /// changed. Bytes past the size it had when opened are zero without that.
  void read_at(std::uint64_t offset, std::span<std::byte> out) const;
  /// Whether a read came up short so far.
  bool changed() const { return changed_.load(std::memory_order_relaxed); }
  /// Asks the system what is at the path now. Costs a system call, which a network may delay.
  OnDisk on_disk() const;

private:
  InputFile(std::string path, int descriptor, std::uint64_t size_bytes, std::int64_t modified_ns,
            std::uint64_t inode);

  std::string path_;
  int descriptor_;
  std::uint64_t size_bytes_;
  std::int64_t modified_ns_;
  std::uint64_t inode_;
  mutable std::atomic<bool> changed_{false};
};

}  // namespace bytescope::io
