#pragma once

#include <cstdint>
#include <vector>

namespace bytescope::trace {

/// First fit: gives each span the lowest lane whose last end is not after its start (FORMAT.md,
/// "Depth"). A linear scan while there are few lanes; beyond 16 a tree of minima over the last
/// ends, O(log lanes) a span.
class LaneFit {
public:
  /// Spans that would need more lanes than this share the last one.
  static constexpr std::uint32_t most_lanes = 65'535;

  /// The lane of a span from `start` to `end` (whole units, end ≥ start), which it then occupies.
  std::uint32_t place(std::uint32_t start, std::uint64_t end) {
    // Most spans of most tracks follow each other in lane 0.
    if (leaf_count_ == 0 && !ends_.empty() && ends_[0] <= start) {
      ends_[0] = end;
      return 0;
    }
    return search_and_place(start, end);
  }
  /// Whether a span from `start` on, and those that follow it one after another, need lane 0 only
  /// as all before them did.
  bool first_is_only_and_free(std::uint32_t start) const {
    return ends_.empty() || (ends_.size() == 1 && ends_[0] <= start);
  }
  std::uint32_t lane_count() const { return static_cast<std::uint32_t>(ends_.size()); }
  /// Whether spans had to share the last lane.
  bool overflowed() const { return overflowed_; }

private:
  static constexpr std::size_t linear_lanes = 16;

  std::uint32_t search_and_place(std::uint32_t start, std::uint64_t end);
  std::uint32_t lowest_free(std::uint32_t start) const;
  std::uint32_t lowest_free_in_tree(std::uint32_t start) const;
  void set_end(std::uint32_t lane, std::uint64_t end);
  void build_tree();

  std::vector<std::uint64_t> ends_;  // last end of each lane
  std::vector<std::uint64_t>
      tree_;  // minima; leaves from leaf_count_ on; unused leaves are UINT64_MAX
  std::size_t leaf_count_ = 0;
  bool overflowed_ = false;
};

}  // namespace bytescope::trace
