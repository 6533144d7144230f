#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/io/scratch_file.h"

namespace bytescope::io {

/// Writes a file beside its final place and renames it there when all went well, so that nobody
/// ever sees half of it. Without a commit() nothing is left behind.
class OutputFile {
public:
  /// Who may read the file in the end: whoever the system lets read new files, or its owner alone.
  enum class Readers : std::uint8_t { usual, owner };

  /// Fails when the folder cannot be written.
  static Expected<OutputFile> create(const std::string& path);

  /// Writes into a file that has no place: release() instead of commit() keeps it.
  static OutputFile without_place(ScratchFile scratch);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Buffered; a failure is remembered and told by commit().
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// Bytes written so far.
  std::uint64_t size_bytes() const { return size_bytes_; }
  bool ok() const { return error_number_ == 0; }
  /// Flushes and renames into place; says what went wrong on the way, if anything.
  Expected<void> commit(Readers readers = Readers::usual);
  /// Flushes and hands the descriptor over, to be closed by somebody else; or says what went wrong.
  Expected<int> release();

private:
  OutputFile(std::string path, std::string temporary, int descriptor);
  void flush();
  void discard();
  Error refusal() const;

  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
  int error_number_ = 0;
  std::uint64_t size_bytes_ = 0;
  std::vector<std::byte> buffer_;
};

}  // namespace bytescope::io
