#include "core/trace/lane_fit.h"

#include <algorithm>
#include <bit>

namespace bytescope::trace {

std::uint32_t LaneFit::search_and_place(std::uint32_t start, std::uint64_t end) {
  std::uint32_t lane = lowest_free(start);
  if (lane == most_lanes) {
    overflowed_ = true;
    lane = most_lanes - 1;
    end = std::max(end, ends_[lane]);
  }
  if (lane == ends_.size()) {
    ends_.push_back(end);
    if (ends_.size() > linear_lanes && ends_.size() > leaf_count_) build_tree();
  }
  set_end(lane, end);
  return lane;
}

std::uint32_t LaneFit::lowest_free(std::uint32_t start) const {
  if (ends_.size() > linear_lanes) return lowest_free_in_tree(start);
  for (std::uint32_t lane = 0; lane < ends_.size(); ++lane) {
    if (ends_[lane] <= start) return lane;
  }
  return lane_count();
}

std::uint32_t LaneFit::lowest_free_in_tree(std::uint32_t start) const {
  if (ends_[0] <= start) return 0;
  if (tree_[1] > start) return lane_count();
  std::size_t node = 1;
  while (node < leaf_count_) node = tree_[node * 2] <= start ? node * 2 : node * 2 + 1;
  return static_cast<std::uint32_t>(node - leaf_count_);
}

void LaneFit::set_end(std::uint32_t lane, std::uint64_t end) {
  ends_[lane] = end;
  if (ends_.size() <= linear_lanes) return;
  std::size_t node = leaf_count_ + lane;
  tree_[node] = end;
  for (node /= 2; node >= 1; node /= 2)
    tree_[node] = std::min(tree_[node * 2], tree_[node * 2 + 1]);
}

void LaneFit::build_tree() {
  leaf_count_ = std::bit_ceil(ends_.size());
  tree_.assign(leaf_count_ * 2, UINT64_MAX);
  std::copy(ends_.begin(), ends_.end(), tree_.begin() + static_cast<std::ptrdiff_t>(leaf_count_));
  for (std::size_t node = leaf_count_ - 1; node >= 1; --node)
    tree_[node] = std::min(tree_[node * 2], tree_[node * 2 + 1]);
}

}  // namespace bytescope::trace
