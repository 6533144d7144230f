#pragma once

#include <cstdint>
#include <vector>

#include "core/cancel.h"
#include "core/query/time_range.h"
#include "core/trace/memory_index.h"

namespace bytescope::query {

/// Part of one pixel column of an opened memory track.
struct StackCell {
  static constexpr std::uint32_t thin = UINT32_MAX;
  std::uint64_t begin_bytes = 0;  ///< Lower edge.
  std::uint64_t end_bytes = 0;    ///< Upper edge.
  std::uint32_t ordinal =
      thin;  ///< The buffer, or `thin` for a band of buffers that are less than a pixel each.
  std::uint32_t thin_count = 0;  ///< How many buffers the band holds.
};

/// A stretch of bytes of a stack, half-open.
struct ByteRange {
  std::uint64_t begin_bytes = 0;
  std::uint64_t end_bytes = UINT64_MAX;
};

/// The stack of buffers of each pixel column at the column's instant of largest total (first of
/// equals).
struct StackColumns {
  /// At most so many thick buffers lie in a column's window, however small a threshold was asked
  /// for: no screen has more pixels, and a file must not fill the memory.
  static constexpr std::uint64_t most_thick = 4096;

  Columns columns;
  std::uint64_t thick_bytes = 0;  ///< Buffers of at least so many bytes have a cell of their own.
  std::vector<std::uint32_t>
      first_cell;  ///< Column c has cells [first_cell[c], first_cell[c + 1]); count + 1 entries.
  std::vector<StackCell> cells;  ///< Bottom to top in each column, gapless from 0.
  std::vector<std::uint32_t>
      event;  ///< Of each column: the number of events that have happened at its instant.
};

/// The settled picture of an opened track: exact, equal to the brute-force stack. Buffers of at
/// least `thick_bytes` (and of a byte, and of 1 / most_thick of the window's height) get cells of
/// their own, runs of others between them are blended into bands; the result says what counted as
/// thick. What lies wholly below or wholly above `window` is one band each. Costs O(log64 n) for
/// each event in the columns, O(n) once, plus the cells made and the thick ones below the window;
/// a thick buffer that appears in the middle of a band costs O(64 log64 n). Returns what was done
/// so far when cancelled: later columns have no cells.
StackColumns memory_stack(const trace::MemoryIndex& memory, const Columns& columns,
                          std::uint64_t thick_bytes, const Cancel& cancel,
                          const ByteRange& window = {});

/// A live buffer and where it lies.
struct LiveBuffer {
  std::uint32_t ordinal = 0;
  std::uint64_t begin_bytes = 0;  ///< Lower edge: the bytes of live buffers with smaller keys.
};

/// All live buffers in stacking order after the first `event_count` events. Costs O(event_count).
std::vector<LiveBuffer> live_buffers(const trace::MemoryIndex& memory, std::uint32_t event_count);

}  // namespace bytescope::query
