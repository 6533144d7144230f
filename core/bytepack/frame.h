#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/bytepack/dialect.h"

namespace bytescope::bytepack {

/// The head of every bytepack file (FORMAT.md, "Frame").
struct Frame {
  static constexpr std::uint64_t head_bytes = 20;
  std::uint32_t duration_us = 0;
  std::uint64_t peak_bytes = 0;
  std::uint32_t index_bytes = 0;
  std::uint32_t track_count = 0;
  std::uint64_t tracks_begin() const { return head_bytes + index_bytes; }
};

enum class TrackKind : std::uint8_t { spans, memory, line };

/// What the head of a track says, and where its records lie.
struct TrackHead {
  std::string name;  ///< Raw bytes as in the file; may be any bytes.
  TrackKind kind = TrackKind::spans;
  std::uint32_t count = 0;         ///< Records (polygons: buffers).
  std::uint64_t head_byte = 0;     ///< Where the head begins.
  std::uint64_t records_byte = 0;  ///< Where the first record begins (polygons: the list of times).
  std::uint64_t end_byte = 0;      ///< Just behind the last record.
  std::uint64_t peak = 0;          ///< As in the file; memory and line tracks.
  std::uint32_t step_count = 0;    ///< Polygons: length of the list of times.
  /// Allocations among the records, as they were counted when the track's end was looked for; 0
  /// where they were not.
  std::uint32_t alloc_count = 0;
};

}  // namespace bytescope::bytepack
