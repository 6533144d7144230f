#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/bytepack/records.h"
#include "core/trace/lane_fit.h"
#include "core/trace/span_index.h"

namespace bytescope::trace {

/// Makes the index of a span track from its records, given one after another in file order.
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

  void add(const bytepack::SpanRecord& span);
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

  std::uint32_t lane_of(const bytepack::SpanRecord& span);
  void store_lane(std::uint32_t lane);
  std::uint32_t slot_of(const bytepack::SpanRecord& span);
  Style resolve_phase(const bytepack::SpanRecord& span, std::uint32_t lane, Style style);
  void add_to_block(const bytepack::SpanRecord& span, std::uint32_t lane, Style style);
  void close_block(std::uint32_t lane);

  SpanIndex index_;
  std::uint32_t count_;
  bool lanes_in_file_;
  bool inherits_phase_;
  std::function<Style(std::uint32_t)> style_of_name_;
  LaneFit fit_;
  std::vector<OpenBlock> open_;
  std::uint32_t record_ = 0;
  double furthest_ = 0;
  double phase_end_ = 0;
  Category phase_ = Category::tiny_other;
};

/// Adds the coarser levels of a lane whose finest level is done.
void build_levels(LaneIndex& lane);

}  // namespace bytescope::trace
