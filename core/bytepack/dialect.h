#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace bytescope::bytepack {

/// Offsets of the fields in a span record of fixed size; `absent` where the dialect has no such
/// field.
struct SpanLayout {
  static constexpr std::int8_t absent = -1;
  std::uint8_t stride;
  std::int8_t name, ref, key, start, duration, depth, category, info;
  bool operator==(const SpanLayout&) const = default;
};

/// How memory tracks are written.
enum class MemoryForm : std::uint8_t {
  polygons,        ///< Ready-made outlines of each buffer (A, B).
  events,          ///< Allocations and frees in time order.
  events_or_line,  ///< The same behind a byte that may say "this is a line instead".
};

/// Offsets of the fields in one user of a free record; stride 0 where frees have no users.
struct UserLayout {
  static constexpr std::int8_t absent = -1;
  std::uint8_t stride;
  std::int8_t run, name, arg, mode;
  std::uint8_t arg_bytes;
  bool operator==(const UserLayout&) const = default;
};

/// What the info text of a span is made of.
enum class InfoForm : std::uint8_t { text, lines, json };

/// One of the twelve dialects of bytepack (FORMAT.md): everything that differs between them.
struct Dialect {
  char letter;
  const char* since;
  SpanLayout span;
  bool lane_count_in_head;  ///< Span tracks begin with their number of lanes (A).
  MemoryForm memory;
  UserLayout user;
  bool frees_at_end_mean_alive;  ///< From E on a free at the trace's end says "alive at the end".
  InfoForm info;
};

/// All dialects, newest first: the order of trial.
extern const std::array<Dialect, 12> dialects;

/// The dialect of that letter, or null.
const Dialect* dialect_of(char letter);

}  // namespace bytescope::bytepack
