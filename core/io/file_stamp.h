#pragma once

#include <cstdint>
#include <string>

namespace bytescope::io {

/// What tells whether a file is still the same: two looks that find the same saw no change.
struct FileStamp {
  bool exists = false;
  std::uint64_t size_bytes = 0;
  std::int64_t modified_ns = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileStamp&) const = default;
};

/// Looks at a path. Costs a system call, which a network may delay.
FileStamp file_stamp(const std::string& path);
/// The same of an open file.
FileStamp file_stamp(int descriptor);

}  // namespace bytescope::io
