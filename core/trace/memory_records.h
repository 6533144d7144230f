#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bytepack/dialect.h"
#include "core/bytepack/frame.h"
#include "core/bytepack/records.h"
#include "core/io/page_reader.h"
#include "core/trace/memory_index.h"

namespace bytescope::trace {

/// A buffer as dialects A and B write it; its outline is read with MemoryCursor::append_points.
struct OutlineRecord {
  std::uint32_t dtype = 0;   ///< Position in `strings`.
  std::uint64_t length = 0;  ///< Elements.
  std::uint32_t point_count = 0;
};

/// A corner of an outline: from `time` on the buffer's lower edge is at `y_bytes`.
struct OutlinePoint {
  std::uint32_t step = 0;
  std::uint32_t time = 0;
  std::uint64_t y_bytes = 0;
};

/// A record of a line track.
struct LinePoint {
  std::uint32_t time = 0;
  std::uint64_t value = 0;
};

/// Walks over the raw records of a memory or line track, straight from the file. Any bytes are
/// safe: a file that was changed since it was checked may end the walk early or give odd values,
/// nothing worse. Keeps references to all that it is given.
class MemoryCursor {
public:
  /// `index` may be null; with it seek() into allocations and frees costs at most block_events
  /// records, without it, or among polygons, all records in front.
  MemoryCursor(io::PageReader& reader, const bytepack::Dialect& dialect,
               const bytepack::TrackHead& head, const MemoryIndex* index = nullptr);

  /// Makes next() read record `record`. False when there is no such record.
  bool seek(std::uint32_t record);
  /// Reads the next record. False behind the last one, and where the bytes make no sense.
  bool next();

  /// Number of the record that next() read.
  std::uint32_t record() const { return following_ - 1; }
  /// Where it begins in the file.
  std::uint64_t byte() const { return byte_; }
  /// The record, in tracks of allocations and frees.
  const bytepack::MemoryRecord& event() const { return event_; }
  /// The record, in polygon tracks.
  const OutlineRecord& outline() const { return outline_; }
  /// The record, in line tracks.
  const LinePoint& point() const { return point_; }

  /// Appends users [first, first + limit) of the free record that next() read.
  void append_users(std::uint32_t first, std::uint32_t limit,
                    std::vector<bytepack::UserRecord>& out);
  /// Appends corners [first, first + limit) of the outline that next() read.
  void append_points(std::uint32_t first, std::uint32_t limit, std::vector<OutlinePoint>& out);

private:
  const std::byte* bytes(std::uint64_t offset, std::size_t size);
  bool skip_to(std::uint64_t offset);
  bool read_event();
  bool read_outline();
  bool read_point();
  void rewind();

  io::PageReader& reader_;
  const bytepack::Dialect& dialect_;
  const bytepack::TrackHead& head_;
  const MemoryIndex* index_;
  bool polygons_;
  std::uint64_t end_byte_;
  std::uint64_t first_byte_;      ///< Of record 0.
  std::uint64_t byte_ = 0;        ///< Of the current record.
  std::uint64_t following_byte_;  ///< Of the record behind it.
  std::uint32_t following_ = 0;   ///< Number of the record behind it.
  bytepack::MemoryRecord event_;
  OutlineRecord outline_;
  LinePoint point_;
};

/// The users of one lifetime of a buffer.
struct BufferUsers {
  std::vector<bytepack::UserRecord> users;  ///< The first ones, up to the limit asked for.
  std::uint32_t total = 0;                  ///< How many the file has.
};

/// Number of the event that frees the buffer of that ordinal, or the number of events when none
/// does. Costs O(log n + events at the same time).
std::uint32_t free_event(const MemoryIndex& memory, std::uint32_t ordinal);

/// Users of the buffer of that ordinal, read from its free record. None before dialect E, for
/// buffers without a free record and where the file has changed. Costs at most block_events
/// records and the users asked for.
BufferUsers users_of(io::PageReader& reader, const bytepack::Dialect& dialect,
                     const bytepack::TrackHead& head, const MemoryIndex& memory,
                     std::uint32_t ordinal, std::uint32_t limit = 1000);

}  // namespace bytescope::trace
