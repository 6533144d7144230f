#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/error.h"

namespace bytescope::io {

/// A private file without a name, that is gone with the last who has it open, however the program
/// ends. In $TMPDIR, else in /var/tmp, which is meant for large files, else in /tmp.
class ScratchFile {
public:
  static Expected<ScratchFile> create();

  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&& other) noexcept;
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();

  /// Adds to its end; tells why it cannot.
  Expected<void> write(std::span<const std::byte> bytes);
  std::uint64_t size_bytes() const { return size_bytes_; }
  /// How much more the disk holds.
  std::uint64_t room_bytes() const;
  const std::string& folder() const { return folder_; }
  /// Hands the descriptor over to be closed by somebody else.
  int release();

private:
  ScratchFile(std::string folder, int descriptor);

  std::string folder_;
  int descriptor_;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace bytescope::io
