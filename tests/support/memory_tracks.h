#pragma once

#include <cstdint>

#include "core/bytepack/frame.h"
#include "core/trace/memory_load.h"
#include "tests/support/memory_bytes.h"

namespace bytescope::tests {

/// What the rest of a trace says that lasts so long: ten strings, of which some are types.
trace::MemoryLoadContext load_context(std::uint32_t duration = 1000);

/// Loads a memory track of that dialect in such a trace.
Expected<trace::MemoryIndex> load(const RecordFile& file, char letter,
                                  const bytepack::TrackHead& head, Warnings& warnings,
                                  std::uint32_t duration = 1000);

/// Test failures where two indexes differ.
void expect_same(const trace::MemoryIndex& a, const trace::MemoryIndex& b);

}  // namespace bytescope::tests
