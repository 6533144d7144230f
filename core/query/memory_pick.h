#pragma once

#include <cstdint>
#include <optional>

#include "core/query/memory_stack.h"

namespace bytescope::query {

/// The cell of column `column` that holds the byte `y_bytes` above the ground, or null above the
/// top, outside the columns and where a cancelled stack has none. Costs O(log of its cells).
const StackCell* pick_cell(const StackColumns& stack, std::uint32_t column, std::uint64_t y_bytes);

/// The buffer that holds the byte `y_bytes` above the ground after the first `event_count` events:
/// what pick_cell() does not tell inside a band. Costs O(event_count), so ask when the pointer
/// rests.
std::optional<LiveBuffer> pick_buffer(const trace::MemoryIndex& memory, std::uint32_t event_count,
                                      std::uint64_t y_bytes);

}  // namespace bytescope::query
