#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/query/memory_stack.h"
#include "core/trace/memory_index.h"
#include "render/memory_look.h"
#include "render/theme.h"

namespace bytescope::render {

/// A line of a legend.
struct LegendEntry {
  Color color;
  std::string text;
  bool operator==(const LegendEntry&) const = default;
};

/// The slot in Theme::type_fills of an element type: a fixed one for the usual types, so that they
/// differ from each other in every run; for others by name.
std::size_t type_slot(std::string_view type_name);

/// The slot in Theme::size_fills of a buffer: one for each power of ten from 1 kB to 1 GB.
std::size_t size_slot(std::uint64_t bytes);

/// Which colour a buffer of one track has. For one thread; keeps what it found out of types.
class BufferPalette {
public:
  /// `type_name` tells an element type by its position in `strings`. References live on.
  BufferPalette(const trace::MemoryIndex& memory, BufferColors colors, const Theme& theme,
                std::function<std::string(std::uint32_t)> type_name);

  /// Neighbours by key differ a little in lightness.
  Color color(std::uint32_t ordinal);
  /// What the colours in `cells` mean: lifetimes in their order, types and sizes by the area that
  /// they take, at most eight. Costs the number of cells.
  std::vector<LegendEntry> legend(const query::StackColumns& cells);

private:
  std::size_t slot(const trace::Buffer& buffer);
  std::string slot_text(std::size_t slot, std::uint32_t dtype) const;
  Color slot_color(std::size_t slot, std::uint32_t shade) const;

  const trace::MemoryIndex& memory_;
  BufferColors colors_;
  const Theme& theme_;
  std::function<std::string(std::uint32_t)> type_name_;
  std::unordered_map<std::uint32_t, std::size_t> type_slots_;
};

}  // namespace bytescope::render
