#include "core/trace/memory_records.h"

#include <algorithm>

#include "core/bytepack/little_endian.h"

namespace bytescope::trace {

using bytepack::load;

MemoryCursor::MemoryCursor(io::PageReader& reader, const bytepack::Dialect& dialect,
                           const bytepack::TrackHead& head, const MemoryIndex* index)
    : reader_(reader),
      dialect_(dialect),
      head_(head),
      index_(index),
      polygons_(head.kind != bytepack::TrackKind::line &&
                dialect.memory == bytepack::MemoryForm::polygons),
      end_byte_(std::min(head.end_byte, reader.file().size_bytes())),
      first_byte_(head.records_byte +
                  (polygons_ ? std::uint64_t{head.step_count} * sizeof(std::uint32_t) : 0)),
      following_byte_(first_byte_) {}

const std::byte* MemoryCursor::bytes(std::uint64_t offset, std::size_t size) {
  if (offset > end_byte_ || size > end_byte_ - offset) return nullptr;
  return reader_.at(offset, size);
}

bool MemoryCursor::skip_to(std::uint64_t offset) {
  if (offset > end_byte_) return false;
  byte_ = following_byte_;
  following_byte_ = offset;
  ++following_;
  return true;
}

void MemoryCursor::rewind() {
  following_ = 0;
  following_byte_ = first_byte_;
}

bool MemoryCursor::seek(std::uint32_t record) {
  if (record >= head_.count) return false;
  if (head_.kind == bytepack::TrackKind::line) {
    following_ = record;
    following_byte_ = first_byte_ + std::uint64_t{record} * bytepack::line_bytes;
    return true;
  }
  const std::uint32_t block = record / MemoryIndex::block_events;
  const bool indexed = !polygons_ && index_ != nullptr && block < index_->blocks.size();
  if (indexed && (record < following_ || following_ < block * MemoryIndex::block_events)) {
    following_ = block * MemoryIndex::block_events;
    following_byte_ = index_->blocks[block].byte;
  } else if (record < following_) {
    rewind();
  }
  while (following_ < record) {
    if (!next()) return false;
  }
  return true;
}

bool MemoryCursor::next() {
  if (following_ >= head_.count) return false;
  if (head_.kind == bytepack::TrackKind::line) return read_point();
  return polygons_ ? read_outline() : read_event();
}

bool MemoryCursor::read_event() {
  const std::uint64_t begin = following_byte_;
  const std::byte* at = bytes(begin, bytepack::free_bytes);
  if (at == nullptr) return false;
  const auto kind = load<std::uint8_t>(at);
  if (kind > 1) return false;
  bytepack::MemoryRecord event;
  event.is_alloc = kind == 1;
  event.time = load<std::uint32_t>(at + 1);
  event.key = load<std::uint32_t>(at + 5);
  std::uint64_t end = begin + bytepack::free_bytes;
  if (event.is_alloc) {
    at = bytes(begin, bytepack::alloc_bytes);
    if (at == nullptr) return false;
    event.dtype = load<std::uint32_t>(at + 9);
    event.length = load<std::uint64_t>(at + 13);
    end = begin + bytepack::alloc_bytes;
  } else if (dialect_.user.stride != 0) {
    at = bytes(end, sizeof(std::uint32_t));
    if (at == nullptr) return false;
    event.user_count = load<std::uint32_t>(at);
    end += sizeof(std::uint32_t) + std::uint64_t{event.user_count} * dialect_.user.stride;
  }
  if (!skip_to(end)) return false;
  event_ = event;
  return true;
}

bool MemoryCursor::read_outline() {
  const std::uint64_t begin = following_byte_;
  const std::byte* at = bytes(begin, sizeof(std::uint32_t));
  if (at == nullptr) return false;
  OutlineRecord outline;
  outline.point_count = load<std::uint32_t>(at);
  const std::uint64_t tail =
      begin + sizeof(std::uint32_t) + std::uint64_t{outline.point_count} * 12;
  at = bytes(tail, 12);
  if (at == nullptr || !skip_to(tail + 12)) return false;
  outline.dtype = load<std::uint32_t>(at);
  outline.length = load<std::uint64_t>(at + 4);
  outline_ = outline;
  return true;
}

bool MemoryCursor::read_point() {
  const std::byte* at = bytes(following_byte_, bytepack::line_bytes);
  if (at == nullptr) return false;
  point_ = {load<std::uint32_t>(at), load<std::uint64_t>(at + 4)};
  return skip_to(following_byte_ + bytepack::line_bytes);
}

void MemoryCursor::append_users(std::uint32_t first, std::uint32_t limit,
                                std::vector<bytepack::UserRecord>& out) {
  if (event_.is_alloc) return;
  const std::uint32_t stride = dialect_.user.stride;
  const std::uint64_t begin = byte_ + bytepack::free_bytes + sizeof(std::uint32_t);
  const std::uint64_t last =
      std::min<std::uint64_t>(std::uint64_t{first} + limit, event_.user_count);
  for (std::uint64_t i = first; i < last; ++i) {
    const std::byte* user = bytes(begin + i * stride, stride);
    if (user == nullptr) return;
    out.push_back(bytepack::decode_user(dialect_.user, user));
  }
}

void MemoryCursor::append_points(std::uint32_t first, std::uint32_t limit,
                                 std::vector<OutlinePoint>& out) {
  const std::uint64_t steps_byte = byte_ + sizeof(std::uint32_t);
  const std::uint64_t edges_byte = steps_byte + std::uint64_t{outline_.point_count} * 4;
  const std::uint64_t last =
      std::min<std::uint64_t>(std::uint64_t{first} + limit, outline_.point_count);
  for (std::uint64_t i = first; i < last; ++i) {
    OutlinePoint point;
    const std::byte* at = bytes(steps_byte + i * 4, 4);
    if (at == nullptr) return;
    point.step = load<std::uint32_t>(at);
    if (point.step >= head_.step_count) return;
    at = bytes(edges_byte + i * 8, 8);
    if (at == nullptr) return;
    point.y_bytes = load<std::uint64_t>(at);
    at = bytes(head_.records_byte + std::uint64_t{point.step} * 4, 4);
    if (at == nullptr) return;
    point.time = load<std::uint32_t>(at);
    out.push_back(point);
  }
}

std::uint32_t free_event(const MemoryIndex& memory, std::uint32_t ordinal) {
  const auto count = static_cast<std::uint32_t>(memory.events.size());
  if (ordinal >= memory.buffers.size()) return count;
  const std::uint32_t freed = memory.buffers[ordinal].freed;
  if (freed == Buffer::never) return count;
  std::uint32_t begin = 0;
  for (std::uint32_t size = count; size != 0;) {
    const std::uint32_t half = size / 2;
    if (memory.event_time(begin + half) < freed) {
      begin += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  const auto found = std::find(memory.events.begin() + begin, memory.events.end(), ordinal * 2 + 1);
  return static_cast<std::uint32_t>(found - memory.events.begin());
}

BufferUsers users_of(io::PageReader& reader, const bytepack::Dialect& dialect,
                     const bytepack::TrackHead& head, const MemoryIndex& memory,
                     std::uint32_t ordinal, std::uint32_t limit) {
  BufferUsers result;
  if (dialect.user.stride == 0) return result;
  const std::uint32_t event = free_event(memory, ordinal);
  MemoryCursor cursor(reader, dialect, head, &memory);
  if (event == memory.events.size() || !cursor.seek(event) || !cursor.next()) return result;
  if (cursor.event().is_alloc || cursor.event().key != memory.buffers[ordinal].key) return result;
  result.total = cursor.event().user_count;
  cursor.append_users(0, limit, result.users);
  return result;
}

}  // namespace bytescope::trace
