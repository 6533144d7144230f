#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/bytepack/dialect.h"
#include "core/bytepack/frame.h"
#include "core/cancel.h"
#include "core/error.h"
#include "core/io/input_file.h"
#include "core/io/piece_reader.h"
#include "core/trace/memory_build.h"
#include "core/trace/memory_index.h"

namespace bytescope::trace {

/// What the rest of the trace says about the records of a memory track.
struct MemoryLoadContext {
  std::uint32_t duration = 0;  ///< Of the trace, in its unit.
  /// When the file begins and ends that the track comes from, where the trace is a merged one.
  std::uint32_t begin = 0;
  std::uint32_t end = UINT32_MAX;
  std::uint32_t string_count = 0;  ///< Positions in `strings` are below that.
  /// Bytes per element of the type named by that string; none when unknown. Asked about once a
  /// type.
  std::function<std::optional<std::uint64_t>(std::uint32_t)> dtype_bytes;
  SortingRoom* room = nullptr;        ///< Used when there is one.
  io::PieceBuffer* buffer = nullptr;  ///< For reading; likewise.
};

/// Reads and checks the records of a memory track once and indexes them (FORMAT.md, "Memory").
/// `head` says where they lie, see TrackHead; its end may be wrong, which is an error like any
/// other violation: kind bad_input with the byte and the record; the track is for the caller to
/// add. A peak that differs from the one in the head is a warning, and so are polygons that leave
/// steps unexplained. Times stop one short of the largest u32, which means `never`. Costs O(n) for
/// n records plus O(buffers) where keys come out of order; memory: the index, and while loading 8
/// bytes a live buffer and (keys out of order) 16 a buffer.
Expected<MemoryIndex> load_memory(const io::InputFile& file, const bytepack::Dialect& dialect,
                                  const bytepack::TrackHead& head, const MemoryLoadContext& context,
                                  Warnings& warnings, const Cancel& cancel);

/// The same for a line track.
Expected<LineIndex> load_line(const io::InputFile& file, const bytepack::TrackHead& head,
                              const MemoryLoadContext& context, Warnings& warnings,
                              const Cancel& cancel);

}  // namespace bytescope::trace
