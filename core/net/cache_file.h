#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/error.h"
#include "core/io/input_file.h"

namespace bytescope::net {

/// A private file in the cache folder for what a server sends. It has no name from the moment it
/// is made, so that it is gone with the last who has it open, however the program ends.
class CacheFile {
public:
  /// Makes one in `bytescope` in $XDG_CACHE_HOME, by default ~/.cache, readable by its owner only;
  /// makes the folders on the way. Fails with ErrorKind::machine.
  static Expected<CacheFile> create();

  CacheFile(CacheFile&& other) noexcept;
  CacheFile& operator=(CacheFile&& other) noexcept;
  CacheFile(const CacheFile&) = delete;
  CacheFile& operator=(const CacheFile&) = delete;
  ~CacheFile();

  /// Adds to its end; tells why it cannot.
  Expected<void> write(std::span<const std::byte> bytes);
  std::uint64_t size_bytes() const { return size_bytes_; }
  /// How much more the disk holds.
  std::uint64_t room_bytes() const;
  const std::string& folder() const { return folder_; }
  /// Hands it over for reading, under a name for messages; not to be used after that.
  std::shared_ptr<const io::InputFile> release(std::string name);

private:
  CacheFile(std::string folder, int descriptor);

  std::string folder_;
  int descriptor_;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace bytescope::net
