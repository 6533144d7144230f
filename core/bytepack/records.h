#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/bytepack/dialect.h"
#include "core/bytepack/little_endian.h"

namespace bytescope::bytepack {

/// A span as its record tells it. Times in the trace's unit (microseconds or clock cycles).
struct SpanRecord {
  std::uint32_t name = 0;  ///< Position in `strings`.
  std::uint32_t info = 0;  ///< Position in `strings`.
  std::uint32_t start = 0;
  float duration = 0;
  std::optional<std::uint32_t> ref;      ///< Id of a compiler context.
  std::optional<std::uint32_t> key;      ///< Run id; none before dialect G.
  std::optional<std::uint8_t> category;  ///< A to C.
  std::uint8_t depth = 0;                ///< A only.
  /// Where it ends, exact to f32's precision.
  double end() const { return static_cast<double>(start) + static_cast<double>(duration); }
};

/// An optional number is stored as value + 1, with 0 for none.
template <class T>
std::optional<T> load_optional(const std::byte* bytes) {
  const T stored = load<T>(bytes);
  if (stored == 0) return std::nullopt;
  return static_cast<T>(stored - 1);
}

/// Decodes the record at `bytes`, which has at least `layout.stride` bytes. Any bytes give a
/// record.
inline SpanRecord decode_span(const SpanLayout& layout, const std::byte* bytes) {
  SpanRecord record;
  record.name = load<std::uint32_t>(bytes + layout.name);
  record.info = load<std::uint32_t>(bytes + layout.info);
  record.start = load<std::uint32_t>(bytes + layout.start);
  record.duration = load<float>(bytes + layout.duration);
  record.ref = load_optional<std::uint32_t>(bytes + layout.ref);
  if (layout.key >= 0) record.key = load_optional<std::uint32_t>(bytes + layout.key);
  if (layout.category >= 0) record.category = load_optional<std::uint8_t>(bytes + layout.category);
  if (layout.depth >= 0) record.depth = load<std::uint8_t>(bytes + layout.depth);
  return record;
}

/// One user of a buffer, from a free record. What the dialect lacks is none.
struct UserRecord {
  std::optional<std::uint32_t> run;   ///< Run key.
  std::optional<std::uint32_t> name;  ///< Position in `strings`.
  std::optional<std::uint32_t> arg;   ///< Number of the kernel argument.
  std::optional<std::uint8_t> mode;   ///< 0 read, 1 write, 2 both.
};

/// Decodes the user at `bytes`, which has at least `layout.stride` bytes.
inline UserRecord decode_user(const UserLayout& layout, const std::byte* bytes) {
  UserRecord user;
  if (layout.run >= 0) user.run = load<std::uint32_t>(bytes + layout.run);
  if (layout.name >= 0) user.name = load<std::uint32_t>(bytes + layout.name);
  if (layout.arg >= 0) {
    user.arg = layout.arg_bytes == 1 ? load<std::uint8_t>(bytes + layout.arg)
                                     : load<std::uint32_t>(bytes + layout.arg);
  }
  if (layout.mode >= 0) user.mode = load<std::uint8_t>(bytes + layout.mode);
  return user;
}

/// Bytes of an allocation record: kind, ts, key, dtype, length.
constexpr std::size_t alloc_bytes = 1 + 4 + 4 + 4 + 8;
/// Bytes of a free record without its users: kind, ts, key.
constexpr std::size_t free_bytes = 1 + 4 + 4;
/// Bytes of a line record: ts, value.
constexpr std::size_t line_bytes = 4 + 8;

/// An allocation or a free; `users` follow the record in the file.
struct MemoryRecord {
  bool is_alloc = false;
  std::uint32_t time = 0;
  std::uint32_t key = 0;
  std::uint32_t dtype = 0;       ///< Allocation: position in `strings`.
  std::uint64_t length = 0;      ///< Allocation: elements.
  std::uint32_t user_count = 0;  ///< Free: from dialect E on.
};

}  // namespace bytescope::bytepack
