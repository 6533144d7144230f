#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bytescope::exporting {

/// A set of positions and their ranks in it. Costs 1.5 bits for each position there is.
class RankedBits {
public:
  explicit RankedBits(std::uint32_t size) : words_(std::size_t{size} / 64 + 1) {}

  /// Positions out of range are left out.
  void insert(std::uint32_t position) {
    if (position / 64 < words_.size()) words_[position / 64] |= std::uint64_t{1} << (position % 64);
  }
  bool contains(std::uint32_t position) const {
    return position / 64 < words_.size() && (words_[position / 64] >> (position % 64) & 1U) != 0;
  }
  /// To be called after the last insert() and before rank().
  void count_ranks() {
    ranks_.resize(words_.size());
    for (std::size_t i = 0; i < words_.size(); ++i) {
      ranks_[i] = size_;
      size_ += static_cast<std::uint32_t>(std::popcount(words_[i]));
    }
  }
  /// How many positions in the set are smaller; 0 for a position out of range.
  std::uint32_t rank(std::uint32_t position) const {
    if (position / 64 >= words_.size()) return 0;
    const std::uint64_t below = (std::uint64_t{1} << (position % 64)) - 1;
    return ranks_[position / 64] +
           static_cast<std::uint32_t>(std::popcount(words_[position / 64] & below));
  }
  /// How many are in it.
  std::uint32_t size() const { return size_; }

private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> ranks_;
  std::uint32_t size_ = 0;
};

/// Which strings of a trace a written one needs, and their positions there: first those used as
/// names, then those used as infos, which may become other texts, and last an empty one.
class StringPlan {
public:
  explicit StringPlan(std::uint32_t string_count) : names_(string_count), infos_(string_count) {}

  void use_name(std::uint32_t id) { names_.insert(id); }
  void use_info(std::uint32_t id) { infos_.insert(id); }
  /// To be called when all are told.
  void finish() {
    names_.count_ranks();
    infos_.count_ranks();
  }
  const RankedBits& names() const { return names_; }
  const RankedBits& infos() const { return infos_; }
  std::uint32_t name(std::uint32_t id) const { return names_.rank(id); }
  std::uint32_t info(std::uint32_t id) const { return names_.size() + infos_.rank(id); }
  std::uint32_t empty() const { return names_.size() + infos_.size(); }

private:
  RankedBits names_;
  RankedBits infos_;
};

}  // namespace bytescope::exporting
