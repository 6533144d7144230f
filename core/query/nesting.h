#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/bytepack/records.h"
#include "core/query/span_scan.h"

namespace bytescope::query {

/// Tells how much of a span's time others are nested in it, while the spans of a track pass by in
/// file order. The parent of a span is the latest one before it that still runs (its end cut to
/// whole units lies behind the start) and does not end before it. What ends before a later span
/// does can hold nothing that comes behind that one: so a stack with falling ends is all that needs
/// to be kept. Costs O(1) a span.
class Nesting {
public:
  explicit Nesting(const Cut& cut) : cut_(cut) {}

  void clear() { open_.clear(); }

  /// Adds the next span, which belongs to row `row`; `counts` says whether what is nested in it
  /// matters. Calls `nested(row, time)` for the parent's row, if that one counts.
  template <class Nested>
  void add(const bytepack::SpanRecord& span, std::uint32_t row, bool counts, Nested nested) {
    const double end = span.end();
    while (!open_.empty() && (open_.back().whole_end <= span.start || open_.back().end < end))
      open_.pop_back();
    if (!open_.empty()) {
      Open& parent = open_.back();
      const double begin = std::max(static_cast<double>(span.start), parent.nested_until);
      const double inside_end = std::min(end, cut_.end);
      if (inside_end > begin) {
        parent.nested_until = inside_end;
        if (parent.counts) nested(parent.row, inside_end - begin);
      }
    }
    const std::uint64_t whole = span.start + static_cast<std::uint64_t>(span.duration);
    const double inside_begin = std::max(static_cast<double>(span.start), cut_.begin);
    open_.push_back({end, inside_begin, whole, row, counts});
  }

  /// Whether a span that counts can still have something nested that starts at `start`.
  bool waits_at(std::uint32_t start) const {
    return std::any_of(open_.begin(), open_.end(),
                       [start](const Open& open) { return open.counts && open.whole_end > start; });
  }

private:
  struct Open {
    double end;
    double nested_until;  ///< Its nested spans so far cover nothing behind this.
    std::uint64_t whole_end;
    std::uint32_t row;
    bool counts;
  };
  Cut cut_;
  std::vector<Open> open_;
};

}  // namespace bytescope::query
