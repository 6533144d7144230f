#pragma once

#include <cstdint>

namespace bytescope::render {

/// What the colour of a stacked buffer tells.
enum class BufferColors : std::uint8_t { lifetime, type, size };

/// How memory tracks are shown; part of the view state.
struct MemoryLook {
  BufferColors colors = BufferColors::lifetime;
  bool scale_per_track = false;  ///< Each has its own peak at the top; else a family shares one.
  bool operator==(const MemoryLook&) const = default;
};

}  // namespace bytescope::render
