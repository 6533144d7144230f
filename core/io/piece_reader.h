#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/io/input_file.h"

namespace bytescope::io {

/// Walks forward over a stretch of a file, reading it once in pieces of 256 KB into one
/// reused buffer: small enough to be still in the processor's cache when the bytes are looked at.
class PieceReader {
public:
  static constexpr std::size_t piece_bytes = std::size_t{256} * 1024;

  /// Walks over [begin, end); `end` may lie past the file's end, which reads as zeros.
  PieceReader(const InputFile& file, std::uint64_t begin, std::uint64_t end);

  std::uint64_t offset() const { return buffer_offset_ + position_; }
  std::uint64_t remaining() const { return end_ - offset(); }

  /// The next bytes without moving: at least `size` of them where so many remain, else what
  /// remains. Valid until the next call. `size` at most piece_bytes.
  std::span<const std::byte> peek(std::size_t size);
  /// Everything that is already in the buffer; reads the next piece when it is empty.
  std::span<const std::byte> available() { return peek(1); }
  /// Moves forward; `size` may exceed what is buffered but not what remains.
  void skip(std::uint64_t size);

private:
  void refill(std::size_t wanted);

  const InputFile& file_;
  std::uint64_t end_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t capacity_ = 0;
  std::uint64_t buffer_offset_;
  std::size_t position_ = 0;
  std::size_t filled_ = 0;
};

}  // namespace bytescope::io
