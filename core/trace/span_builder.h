#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/trace/lane_fit.h"
#include "core/trace/rising_sums.h"
#include "core/trace/span_batch.h"
#include "core/trace/span_index.h"

namespace bytescope::trace {

/// Makes the index of a span track from its records, given in batches in file order. About eight
/// nanoseconds a span where one lane is enough, twice as many elsewhere.
/// Why blocks close early: the records of one lane may lie far apart in a track of many lanes. A
/// block ends after block_spans spans of its lane or block_spans × max(16, lanes) records of the
/// track, whichever comes first, so that reading a block is bounded and the blocks of a track
/// number at most one for each eight spans.
class SpanBuilder {
public:
  /// `style_of_name` tells the style of a name that is met for the first time. `lanes_in_file`:
  /// dialect A. `inherits_phase`: spans below lane 0 take the category of the span above them
  /// (TINY).
  SpanBuilder(std::uint32_t count, std::uint32_t block_spans, bool lanes_in_file,
              bool inherits_phase, std::function<Style(std::uint32_t)> style_of_name);

  /// Adds spans whose starts do not decrease and whose durations are between 0 and 10^12.
  void add(const SpanBatch& batch);
  /// The index; the builder is spent.
  SpanIndex finish();
  /// Whether more lanes were needed than there can be.
  bool overflowed() const { return fit_.overflowed(); }

private:
  struct OpenBlock {
    SpanBlock block;
    double extent = 0;
    double lane_furthest = 0;  // end of the lane so far, over all its blocks
    double covered = 0, reduce = 0, elementwise = 0;
    bool open = false;
  };

  /// Names below that have a table of slots while the index is made.
  static constexpr std::uint32_t most_direct_names = 1 << 16;

  void count_names(const SpanBatch& batch);
  std::size_t count_known_names(const SpanBatch& batch, std::size_t i);
  std::uint32_t distant_slot_of(std::uint32_t name) const;
  void add_name(std::uint32_t name, float duration, std::uint32_t record);
  bool all_rise_in_lane_0(const SpanBatch& batch);
  void add_in_lane_0(const SpanBatch& batch);
  void add_one_by_one(const SpanBatch& batch);
  std::uint32_t place(const SpanBatch& batch, std::size_t i);
  void add_lane(std::uint32_t lane);
  void start_lanes(std::uint32_t lane);
  void resolve_phase(const SpanBatch& batch, std::size_t i, std::uint32_t lane);
  OpenBlock& block_for(std::uint32_t lane, std::uint32_t start, std::uint32_t record);
  void extend(OpenBlock& open, const SpanBatch& batch, std::size_t i) const;
  void extend_rising(OpenBlock& open, const SpanBatch& batch, std::size_t begin, std::size_t end);
  void close_block(std::uint32_t lane);
  std::size_t expected_blocks(std::size_t so_far) const;

  SpanIndex index_;
  std::uint32_t count_;
  std::uint32_t most_direct_;                // not more of them than spans
  std::vector<std::uint32_t> direct_slots_;  // by name, below most_direct_
  bool lanes_in_file_;
  bool inherits_phase_;
  std::function<Style(std::uint32_t)> style_of_name_;
  LaneFit fit_;
  std::vector<OpenBlock> open_;
  std::uint64_t reach_ = 0;   // records of the track that a block may lie over
  std::uint32_t record_ = 0;  // of the batch's first span
  double furthest_ = 0;       // end of the track so far
  double phase_end_ = 0;
  Category phase_ = Category::tiny_other;
  std::array<Style, SpanBatch::capacity> styles_;      // of the batch's spans
  std::array<float, SpanBatch::capacity> overlaps_{};  // of each with the one before it
  FreshParts parts_;
};

/// Adds the coarser levels of a lane whose finest level is done.
void build_levels(LaneIndex& lane);

}  // namespace bytescope::trace
