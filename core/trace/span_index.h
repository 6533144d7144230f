#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/io/large_pages.h"
#include "core/trace/category.h"
#include "core/trace/name_slots.h"

namespace bytescope::trace {

/// What a stretch of neighbouring spans of one lane looks like from afar. Times in the trace's
/// unit. On the lowest level a block holds up to SpanIndex::block_spans spans of its lane.
struct SpanBlock {
  std::uint32_t start = 0;  ///< Start of its first span.
  float extent = 0;         ///< Furthest end minus start, never less than the truth.
  float covered = 0;        ///< Time covered by its spans; overlaps count once.
  float longest = 0;        ///< Duration of its longest span.
  std::uint32_t first =
      0;        ///< Lowest level: record number of its first span; above: number of spans.
  Style style;  ///< Of its longest span (the first of equals).
  std::uint8_t reduce_share = 0;  ///< Share of `covered` that is Category::reduce, in 1/255.
  std::uint8_t elementwise_share = 0;
  std::uint8_t count = 0;  ///< Lowest level: its number of spans.
  double end() const { return static_cast<double>(start) + static_cast<double>(extent); }
};
static_assert(sizeof(SpanBlock) == 24);

/// One level of a lane.
using SpanBlocks = io::LargeVector<SpanBlock>;

/// One lane of a track: a pyramid of blocks, each level eight times coarser than the one below.
struct LaneIndex {
  static constexpr std::size_t fanout = 8;
  std::vector<SpanBlocks> levels;  ///< levels[0] is the finest.
  std::uint32_t span_count = 0;
};

/// All spans of one name in one track.
struct NameTotal {
  std::uint32_t name = 0;  ///< Position in `strings`.
  std::uint32_t count = 0;
  double total = 0;  ///< Sum of durations in the trace's unit.
  float shortest = 0;
  float longest = 0;
  std::uint32_t longest_record = 0;  ///< The first of equals.
  Style style;
};

/// What is known of a span track after one pass over its records (ARCHITECTURE.md, "The index
/// pass").
struct SpanIndex {
  std::uint32_t lane_count = 0;
  /// Lane of each record; empty when all are in lane 0. One of the two is used.
  io::LargeVector<std::uint8_t> lanes8;
  io::LargeVector<std::uint16_t> lanes16;
  /// Style of each record; only where it does not follow from the name alone (TINY: the phase of
  /// the ancestor).
  io::LargeVector<Style> styles;
  std::vector<LaneIndex> lanes;
  std::vector<NameTotal> names;  ///< In order of first appearance.
  NameSlots slots;               ///< Position in `strings` → place in `names`.
  double busy = 0;               ///< Time covered by at least one span.
  std::uint32_t block_spans = 16;
  bool sampled = false;  ///< A preview drawn from samples; lanes and totals are not known yet.

  std::uint32_t lane(std::uint32_t record) const {
    if (!lanes8.empty()) return lanes8[record];
    return lanes16.empty() ? 0 : lanes16[record];
  }
};

}  // namespace bytescope::trace
