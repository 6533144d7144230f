#include "render/buffer_colors.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/trace/units.h"

namespace bytescope::render {
namespace {

constexpr std::size_t most_legend_entries = 8;
constexpr std::uint64_t smallest_step_bytes = 1000;
constexpr std::uint64_t step_factor = 10;

/// The element types that a program mostly holds, each with a slot of its own.
constexpr std::array<std::pair<std::string_view, std::size_t>, 12> usual_types = {{
    {"float", 0},
    {"half", 1},
    {"__bf16", 2},
    {"bfloat16", 2},
    {"int", 3},
    {"unsigned char", 4},
    {"uchar", 4},
    {"long", 5},
    {"unsigned int", 6},
    {"uint", 6},
    {"signed char", 7},
    {"bool", 7},
}};

/// FNV-1a.
std::uint32_t hash_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

}  // namespace

std::size_t type_slot(std::string_view type_name) {
  constexpr std::string_view prefix = "dtypes.";
  if (type_name.starts_with(prefix)) type_name.remove_prefix(prefix.size());
  const auto* const usual =
      std::find_if(usual_types.begin(), usual_types.end(),
                   [&](const auto& known) { return known.first == type_name; });
  return usual != usual_types.end() ? usual->second : hash_of(type_name) % type_fill_count;
}

std::size_t size_slot(std::uint64_t bytes) {
  std::size_t slot = 0;
  for (std::uint64_t step = smallest_step_bytes; slot + 1 < size_fill_count && bytes >= step;
       step *= step_factor)
    ++slot;
  return slot;
}

BufferPalette::BufferPalette(const trace::MemoryIndex& memory, BufferColors colors,
                             const Theme& theme,
                             std::function<std::string(std::uint32_t)> type_name)
    : memory_(memory), colors_(colors), theme_(theme), type_name_(std::move(type_name)) {}

std::size_t BufferPalette::slot(const trace::Buffer& buffer) {
  switch (colors_) {
    case BufferColors::lifetime: return static_cast<std::size_t>(memory_.lifetime(buffer));
    case BufferColors::size: return size_slot(buffer.bytes);
    case BufferColors::type: break;
  }
  const auto [known, is_new] = type_slots_.try_emplace(buffer.dtype, 0);
  if (is_new) known->second = type_slot(type_name_(buffer.dtype));
  return known->second;
}

Color BufferPalette::slot_color(std::size_t slot, std::uint32_t shade) const {
  switch (colors_) {
    case BufferColors::lifetime: return theme_.buffer_fills[slot][shade];
    case BufferColors::size: return theme_.size_fills[slot][shade];
    case BufferColors::type: break;
  }
  return theme_.type_fills[slot][shade];
}

Color BufferPalette::color(std::uint32_t ordinal) {
  const trace::Buffer& buffer = memory_.buffers[ordinal];
  return slot_color(slot(buffer), buffer.key % 2);
}

std::string BufferPalette::slot_text(std::size_t slot, std::uint32_t dtype) const {
  if (colors_ == BufferColors::lifetime)
    return trace::lifetime_text(static_cast<trace::Lifetime>(slot));
  if (colors_ == BufferColors::type) return type_name_(dtype);
  const auto from = [](std::size_t step) {
    std::uint64_t bytes = smallest_step_bytes;
    for (std::size_t i = 1; i < step; ++i) bytes *= step_factor;
    return trace::bytes_text(bytes);
  };
  if (slot == 0) return "under " + from(1);
  if (slot + 1 == size_fill_count) return "from " + from(slot);
  return from(slot) + " to " + from(slot + 1);
}

std::vector<LegendEntry> BufferPalette::legend(const query::StackColumns& cells) {
  struct Share {
    double area = 0;
    std::size_t slot = 0;
    std::uint32_t dtype = 0;
  };
  // Types of one colour are lines of their own.
  std::map<std::pair<std::size_t, std::uint32_t>, Share> shares;
  for (const query::StackCell& cell : cells.cells) {
    if (cell.ordinal == query::StackCell::thin) continue;
    const trace::Buffer& buffer = memory_.buffers[cell.ordinal];
    const std::uint32_t dtype = colors_ == BufferColors::type ? buffer.dtype : 0;
    const std::size_t where = slot(buffer);
    Share& share = shares[{where, dtype}];
    share = {share.area + static_cast<double>(cell.end_bytes - cell.begin_bytes), where, dtype};
  }
  std::vector<Share> order;
  order.reserve(shares.size());
  for (const auto& [key, share] : shares) order.push_back(share);
  if (colors_ == BufferColors::type)
    std::stable_sort(order.begin(), order.end(),
                     [](const Share& a, const Share& b) { return a.area > b.area; });
  if (colors_ == BufferColors::size) std::reverse(order.begin(), order.end());
  order.resize(std::min(order.size(), most_legend_entries));
  std::vector<LegendEntry> entries;
  entries.reserve(order.size());
  for (const Share& share : order)
    entries.push_back({slot_color(share.slot, 0), slot_text(share.slot, share.dtype)});
  return entries;
}

}  // namespace bytescope::render
