#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/io/packed_numbers.h"
#include "core/trace/buffer_table.h"

namespace bytescope::trace {

/// How long a buffer lived: decides its colour.
enum class Lifetime : std::uint8_t { never_freed, long_lived, transient };
constexpr std::size_t lifetime_count = 3;
/// How a lifetime is called: `never freed`.
constexpr const char* lifetime_text(Lifetime lifetime) {
  constexpr std::array<const char*, lifetime_count> texts = {"never freed", "long-lived",
                                                             "transient"};
  return texts[static_cast<std::size_t>(lifetime)];
}
using LifetimeBytes = std::array<std::uint64_t, lifetime_count>;  ///< Bytes by Lifetime.
/// Modulo 2^64.
constexpr std::uint64_t total_bytes(const LifetimeBytes& bytes) {
  return bytes[0] + bytes[1] + bytes[2];
}

/// A stretch of MemoryIndex::block_events events.
struct MemoryBlock {
  std::uint64_t byte = 0;          ///< Where its first record lies in the file (events only).
  std::uint32_t time = 0;          ///< Of its first event.
  std::uint32_t frees_before = 0;  ///< Free records before its first event.
  LifetimeBytes before{};          ///< Live bytes before its first event.
  LifetimeBytes at_max{};  ///< Live bytes after the event that first reaches its largest total.
};

/// What is known of a memory track after one pass. Buffers lie in stacking order: by key, then by
/// allocation.
struct MemoryIndex {
  static constexpr std::uint32_t block_events = 256;
  static constexpr std::uint32_t blocks_per_group = 16;

  BufferTable buffers;                   ///< A buffer's place here is its ordinal.
  io::PackedNumbers events;              ///< In file order: ordinal × 2, + 1 for a free.
  std::vector<MemoryBlock> blocks;       ///< One each block_events events.
  std::vector<LifetimeBytes> group_max;  ///< at_max of the largest of each blocks_per_group blocks.
  std::uint64_t peak_bytes = 0;          ///< Largest total after any event.
  std::uint32_t peak_event = 0;          ///< The first event that reaches it.
  std::uint32_t frees = 0;               ///< Free records.
  std::uint32_t never_freed =
      0;  ///< Buffers without one plus, from E on, those freed at the trace's end.
  std::uint64_t never_freed_bytes = 0;   ///< Of all those.
  std::uint32_t begin_time = 0;          ///< When its file begins: 0 but in merged traces.
  std::uint32_t end_time = 0;            ///< The trace's duration; merged ones: when its file ends.
  bool free_at_end_means_alive = false;  ///< From dialect E on.

  static bool is_free(std::uint32_t event) { return (event & 1U) != 0; }
  static std::uint32_t ordinal(std::uint32_t event) { return event >> 1U; }
  /// When an event happened, in the trace's unit.
  std::uint32_t event_time(std::uint32_t event_number) const {
    const std::uint32_t event = events[event_number];
    const Buffer buffer = buffers[ordinal(event)];
    return is_free(event) ? buffer.freed : buffer.allocated;
  }
  /// Fetches the buffer of an event a little behind that one: frees are spread over all buffers,
  /// and a replay would wait for memory most of the time.
  void prefetch(std::size_t event_number) const {
    constexpr std::size_t ahead = 12;
    if (event_number + ahead >= events.size()) return;
    buffers.prefetch(ordinal(events[event_number + ahead]));
  }
  /// Whether the file does not tell that it was freed before the end.
  bool alive_at_end(const Buffer& buffer) const {
    return buffer.freed == Buffer::never || (free_at_end_means_alive && buffer.freed == end_time);
  }
  /// How long it lived; 10 % of the trace and more is long.
  Lifetime lifetime(const Buffer& buffer) const {
    if (alive_at_end(buffer)) return Lifetime::never_freed;
    const std::uint64_t lived = buffer.freed - buffer.allocated;
    return lived * 10 >= end_time - begin_time ? Lifetime::long_lived : Lifetime::transient;
  }
};

/// What is known of a line track.
struct LineIndex {
  static constexpr std::size_t block_points = 64;
  std::vector<std::uint32_t> times;  ///< Non-decreasing.
  std::vector<std::uint64_t> values;
  std::vector<std::uint64_t> block_max;  ///< Largest value of each block_points points.
  std::uint64_t peak = 0;
  /// Where the line is a clock's rate in Hz over a trace of cycles: real time of each point since
  /// the first. A point tells the rate over the cycles since the point before it: so they give
  /// whole ticks of the counter that they were measured against. Empty for other lines, and where a
  /// rate is 0.
  std::vector<double> elapsed_ns;
};

/// Fills block_max from the values.
void add_block_maxima(LineIndex& line);
/// Whether a line track of that name tells the rate of a clock in Hz.
bool is_clock_name(const std::string& name);
/// Fills elapsed_ns of a clock.
void add_elapsed(LineIndex& line);

}  // namespace bytescope::trace
