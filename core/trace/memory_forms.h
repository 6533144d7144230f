#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "core/trace/memory_load.h"

namespace bytescope::trace {

/// Looks up a type's size, asking the trace only for types it has not seen of late.
class DtypeSizes {
public:
  explicit DtypeSizes(const MemoryLoadContext& context) : context_(context) {}

  /// Bytes of `length` elements; none when the type is unknown or they exceed 64 bits.
  std::optional<std::uint64_t> bytes(std::uint32_t dtype, std::uint64_t length) {
    Known& known = known_[dtype % known_.size()];
    if (!known.filled || known.dtype != dtype)
      known = {true, dtype,
               dtype < context_.string_count ? context_.dtype_bytes(dtype) : std::nullopt};
    std::uint64_t product = 0;
    if (!known.size || __builtin_mul_overflow(length, *known.size, &product)) return {};
    return product;
  }

  /// Why bytes() had no answer.
  const char* complaint(std::uint32_t dtype) const {
    const Known& known = known_[dtype % known_.size()];
    return known.size ? "A buffer of 2^64 bytes or more" : "A buffer's element type is unknown";
  }

private:
  struct Known {
    bool filled = false;
    std::uint32_t dtype = 0;
    std::optional<std::uint64_t> size;
  };
  const MemoryLoadContext& context_;
  std::array<Known, 64> known_{};
};

/// The latest time that a record of this trace may have: one past its duration.
inline std::uint32_t time_limit(const MemoryLoadContext& context) {
  return context.duration == UINT32_MAX ? UINT32_MAX : context.duration + 1;
}

/// Everything that the loaders share.
struct MemorySource {
  const io::InputFile& file;
  const bytepack::Dialect& dialect;
  const bytepack::TrackHead& head;
  const MemoryLoadContext& context;
  const Cancel& cancel;

  /// Where the records end: not behind the file, whatever the head says.
  std::uint64_t end_byte() const {
    return std::max(head.records_byte, std::min(head.end_byte, file.size_bytes()));
  }
  /// Whether that many records of at least `least_bytes` each can lie behind `begin`.
  bool has_room(std::uint64_t begin, std::uint64_t count, std::uint64_t least_bytes) const {
    return begin <= end_byte() && count <= (end_byte() - begin) / least_bytes;
  }
  tl::unexpected<Error> no_room() const {
    return failure(ErrorKind::bad_input, "The track has more records than bytes for them",
                   {head.records_byte, {}, {}, {}});
  }
  tl::unexpected<Error> cancelled() const {
    return failure(ErrorKind::cancelled, "Cancelled", {}, {});
  }
};

/// Dialects C to L. Buffers come in the order of allocation; what follows from them is not filled
/// in yet.
Expected<MemoryIndex> load_events(const MemorySource& source);
/// Dialects A and B, likewise.
Expected<MemoryIndex> load_polygons(const MemorySource& source, Warnings& warnings);

}  // namespace bytescope::trace
