#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/io/input_file.h"
#include "core/io/large_pages.h"

namespace bytescope::io {

/// Room for the pieces of readers that follow one another: for each of them to get fresh memory
/// costs more than to read a small track.
class PieceBuffer {
public:
  static constexpr std::size_t bytes = std::size_t{512} * 1024;
  /// So many uninitialised bytes; made at the first call.
  std::byte* data() {
    if (!memory_) memory_.reset(static_cast<std::byte*>(LargePages::allocate(bytes)));
    return memory_.get();
  }

private:
  struct Free {
    void operator()(std::byte* memory) const { LargePages::free(memory, bytes); }
  };
  std::unique_ptr<std::byte[], Free> memory_;
};

/// Walks forward over a stretch of a file, reading it once in pieces of 256 KB into one
/// reused buffer: small enough to be still in the processor's cache when the bytes are looked at.
class PieceReader {
public:
  static constexpr std::size_t piece_bytes = std::size_t{256} * 1024;

  /// Walks over [begin, end); `end` may lie past the file's end, which reads as zeros. `shared` is
  /// used by one reader at a time and outlives it; without one the reader has a buffer of its own.
  PieceReader(const InputFile& file, std::uint64_t begin, std::uint64_t end,
              PieceBuffer* shared = nullptr);

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
  void make_buffer(std::size_t wanted);
  void refill(std::size_t wanted);

  const InputFile& file_;
  std::uint64_t end_;
  PieceBuffer* shared_;
  std::unique_ptr<std::byte[]> own_;
  std::byte* buffer_ = nullptr;
  std::size_t capacity_ = 0;
  std::uint64_t buffer_offset_;
  std::size_t position_ = 0;
  std::size_t filled_ = 0;
};

}  // namespace bytescope::io
