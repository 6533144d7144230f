#include "core/io/piece_reader.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace bytescope::io {

PieceReader::PieceReader(const InputFile& file, std::uint64_t begin, std::uint64_t end,
                         PieceBuffer* shared)
    : file_(file), end_(std::max(begin, end)), shared_(shared), buffer_offset_(begin) {}

std::span<const std::byte> PieceReader::peek(std::size_t size) {
  assert(size <= piece_bytes);
  if (filled_ - position_ < size) refill(size);
  return {buffer_ + position_, filled_ - position_};
}

void PieceReader::skip(std::uint64_t size) {
  assert(size <= remaining());
  if (size <= filled_ - position_) {
    position_ += static_cast<std::size_t>(size);
    return;
  }
  buffer_offset_ = offset() + size;
  position_ = filled_ = 0;
}

void PieceReader::make_buffer(std::size_t wanted) {
  static_assert(piece_bytes * 2 <= PieceBuffer::bytes);
  capacity_ = static_cast<std::size_t>(
      std::min<std::uint64_t>(piece_bytes * 2, std::max<std::uint64_t>(remaining(), wanted)));
  if (shared_ != nullptr && capacity_ >= LargePages::least_bytes) {
    buffer_ = shared_->data();
    return;
  }
  // Not cleared: a track's last page would be touched for nothing.
  own_ = std::make_unique_for_overwrite<std::byte[]>(capacity_);
  buffer_ = own_.get();
}

void PieceReader::refill(std::size_t wanted) {
  const std::size_t kept = filled_ - position_;
  const std::uint64_t unread = end_ - (buffer_offset_ + filled_);
  if (unread == 0) return;
  if (buffer_ == nullptr) make_buffer(wanted);
  std::memmove(buffer_, buffer_ + position_, kept);
  buffer_offset_ += position_;
  position_ = 0;
  const auto fresh =
      static_cast<std::size_t>(std::min<std::uint64_t>({unread, piece_bytes, capacity_ - kept}));
  file_.read_at(buffer_offset_ + kept, {buffer_ + kept, fresh});
  filled_ = kept + fresh;
}

}  // namespace bytescope::io
