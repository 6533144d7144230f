#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/bytepack/frame.h"
#include "core/bytepack/json_index.h"
#include "core/trace/trace.h"

namespace bytescope::tests {

/// A user of a buffer, with its name as text.
struct DecodedUser {
  std::uint32_t run = 0;
  std::string name;
  std::uint32_t arg = 0;
  std::uint8_t mode = 0;
  bool operator==(const DecodedUser&) const = default;
};

/// A record of any kind, with texts instead of positions; what its kind lacks is empty.
struct DecodedEvent {
  std::uint32_t record = 0;  ///< Its number in the track; of polygons the number of the event.
  std::uint32_t time = 0;
  std::string name;  ///< Of a span, or the element type of a buffer.
  std::string info;
  float duration = 0;
  std::uint32_t lane = 0;
  std::optional<std::uint32_t> ref;
  std::optional<std::uint32_t> key;  ///< Of memory: the buffer's.
  bool is_free = false;
  std::uint32_t allocated = 0;  ///< Of the buffer.
  std::uint32_t freed = 0;
  std::uint64_t length = 0;  ///< Of an allocation; 0 for polygons.
  std::uint64_t bytes = 0;   ///< Of the buffer.
  std::uint64_t value = 0;   ///< Of a line.
  std::vector<DecodedUser> users;
  bool operator==(const DecodedEvent&) const = default;
};

/// A track with all its records in memory.
struct DecodedTrack {
  std::string name;
  bytepack::TrackKind kind = bytepack::TrackKind::spans;
  std::vector<DecodedEvent> events;
};

/// Decodes all records of a small trace one by one, the slow way.
std::vector<DecodedTrack> decoded_tracks(const trace::Trace& trace);

/// A text of a trace as exports write it: without colour codes, as valid UTF-8.
std::string shown_text(const std::string& raw);

}  // namespace bytescope::tests
