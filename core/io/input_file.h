#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/io/file_stamp.h"

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

  /// What lies behind a descriptor that it will close: a file without a path of its own, told by
  /// `name`. Nobody else can change it.
  static std::shared_ptr<const InputFile> of_descriptor(std::string name, int descriptor,
                                                        std::uint64_t size_bytes);

  /// The same of a file that is made of the content of others: on_disk() tells what became of them.
  static std::shared_ptr<const InputFile> made_of(
      std::string name, int descriptor, std::uint64_t size_bytes,
      std::span<const std::shared_ptr<const InputFile>> sources);

  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  InputFile(InputFile&&) = delete;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  /// A file that is unpacked from this one and stands for it: with its path and what on_disk()
  /// compares, but with the content behind `descriptor`, which it will close.
  std::shared_ptr<const InputFile> with_content(int descriptor, std::uint64_t size_bytes) const;

  const std::string& path() const { return path_; }
  /// The size when it was opened; of what came out of it where it is compressed.
  std::uint64_t size_bytes() const { return size_bytes_; }
  /// Fills `out` from `offset` on; bytes that cannot be read become zero and mark the file as
  /// changed. Bytes past the size it had when opened are zero without that.
  void read_at(std::uint64_t offset, std::span<std::byte> out) const;
  /// Whether a read came up short so far.
  bool changed() const { return changed_.load(std::memory_order_relaxed); }
  /// Asks the system what is at the path now; of several sources the worst. Costs a system call for
  /// each, which a network may delay.
  OnDisk on_disk() const;
  /// What lies there now: at the path, or at those of the sources. Costs the same.
  std::vector<FileStamp> stamps_now() const;

private:
  /// A file on the disk that the content comes from, as it was when it was opened.
  struct Origin {
    std::string path;
    FileStamp stamp;
  };
  InputFile(std::string path, int descriptor, std::uint64_t size_bytes,
            std::vector<Origin> origins);

  std::string path_;
  int descriptor_;
  std::uint64_t size_bytes_;
  std::vector<Origin> origins_;
  mutable std::atomic<bool> changed_{false};
};

}  // namespace bytescope::io
