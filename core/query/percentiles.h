#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/io/large_pages.h"

// Exact percentiles of many groups of durations in one pass over them, without keeping them all.
// A sample tells for each group narrow intervals in which its percentiles should lie. The pass
// counts what lies below, between and above these, and keeps the values inside. Where a percentile
// then turns out to lie elsewhere, which is rare, its place is narrowed down by further passes
// that count the values' bit patterns in bins: those of floats are ordered like their values.

namespace bytescope::query {

constexpr std::size_t percentile_count = 3;
constexpr std::array<std::uint64_t, percentile_count> percentile_hundredths = {50, 90, 99};

/// Place, from 0, of a percentile by nearest rank among `count` values in order.
constexpr std::uint64_t nearest_rank(std::uint64_t count, std::size_t percentile) {
  const std::uint64_t rank = (count / 100) * percentile_hundredths[percentile] +
                             ((count % 100) * percentile_hundredths[percentile] + 99) / 100;
  return rank == 0 ? 0 : rank - 1;
}

/// Bit pattern of a duration (not negative); ordered like durations.
constexpr std::uint32_t float_key(float duration) {
  return std::bit_cast<std::uint32_t>(duration) & 0x7FFFFFFFU;
}
constexpr float float_of_key(std::uint32_t key) { return std::bit_cast<float>(key); }
/// The largest float that is not above `value`.
float float_at_most(double value);

struct ListedValues;

/// The intervals in which the percentiles of a group are expected: interval i holds the values
/// whose keys are from bounds[2 i] on and below bounds[2 i + 1]. Class 2 i + 1 is interval i; the
/// even ones lie between.
struct Brackets {
  static constexpr std::size_t class_count = 2 * percentile_count + 1;
  static constexpr std::uint32_t endless = float_key(std::numeric_limits<float>::infinity());
  std::array<std::uint32_t, 2 * percentile_count> bounds = {0,       endless, endless,
                                                            endless, endless, endless};
  /// Bit c: class c holds values that must be kept; not where all of a class are equal.
  std::uint32_t kept = 2;

  std::size_t class_of(float value) const { return class_of_key(float_key(value)); }
  std::size_t class_of_key(std::uint32_t key) const {
    unsigned number = 0;
    for (const std::uint32_t bound : bounds) number += static_cast<unsigned>(key >= bound);
    return number;
  }
  bool keeps(std::size_t number) const { return ((kept >> number) & 1U) != 0; }
  /// All values are in one interval.
  static Brackets everything() { return {}; }
  /// Brackets from a sample of a group's values. A true percentile lies outside about once in a
  /// million times, if the sample is random.
  static Brackets of_sample(const ListedValues& sample);
};

/// Lists of numbers that grow together, in chunks of one pool.
class ValueLists {
public:
  static constexpr std::uint32_t none = UINT32_MAX;
  /// At most so many bytes are used.
  explicit ValueLists(std::size_t most_bytes) : most_chunks_(most_bytes / sizeof(Chunk)) {}

  /// Adds a value to the list that begins at `head` (none: an empty one). False when there is no
  /// room.
  bool add(std::uint32_t& head, float value) {
    if (head == none || chunk(head).count == Chunk::capacity) {
      if (used_ == most_chunks_) return false;
      if (used_ % slab_chunks == 0) {
        Slab slab(static_cast<Chunk*>(io::LargePages::allocate(slab_bytes)));
        slabs_.push_back(std::move(slab));
      }
      Chunk& fresh = chunk(static_cast<std::uint32_t>(used_));
      fresh.count = 0;
      fresh.next = head;
      head = static_cast<std::uint32_t>(used_++);
    }
    Chunk& last = chunk(head);
    last.values[last.count++] = value;
    return true;
  }

  /// Calls `visit(value)` for all values of a list.
  template <class Visit>
  void for_each(std::uint32_t head, Visit visit) const {
    for (std::uint32_t i = head; i != none; i = chunk(i).next) {
      const Chunk& values = chunk(i);
      if (values.next != none) __builtin_prefetch(&chunk(values.next));
      for (std::uint32_t k = 0; k < values.count; ++k) visit(values.values[k]);
    }
  }

private:
  struct Chunk {
    static constexpr std::uint32_t capacity = 30;
    std::uint32_t next;
    std::uint32_t count;
    std::array<float, capacity> values;
  };
  // As much as a large page: the first touch of fresh memory costs more than keeping the values.
  static constexpr std::size_t slab_bytes = io::LargePages::page_bytes;
  static constexpr std::size_t slab_chunks = slab_bytes / sizeof(Chunk);
  struct FreeSlab {
    void operator()(Chunk* slab) const { io::LargePages::free(slab, slab_bytes); }
  };
  using Slab = std::unique_ptr<Chunk[], FreeSlab>;
  Chunk& chunk(std::uint32_t i) { return slabs_[i / slab_chunks][i % slab_chunks]; }
  const Chunk& chunk(std::uint32_t i) const { return slabs_[i / slab_chunks][i % slab_chunks]; }

  std::size_t most_chunks_;
  std::size_t used_ = 0;
  std::vector<Slab> slabs_;
};

/// A list of some ValueLists.
struct ValueList {
  const ValueLists* lists = nullptr;
  std::uint32_t head = ValueLists::none;
};

/// Finds values by rank without bringing them into order: counts them once in bins of their keys,
/// then looks only into the bin of a rank. `Values` has for_each(visit), which calls visit(value)
/// for all of them, and may be copied.
template <class Values>
class RankSelection {
public:
  /// All values have to be within [`least`, `most`].
  void begin(Values values, float least, float most) {
    values_ = std::move(values);
    least_ = float_key(least);
    const std::uint32_t width = std::max(float_key(most), least_) - least_;
    shift_ = std::max(static_cast<unsigned>(std::bit_width(width)), bin_bits) - bin_bits;
    counts_.fill(0);
    values_.for_each([this](float value) { ++counts_[bin_of(value)]; });
  }

  /// The value of rank `rank`, from 0; that of the last one beyond.
  float nth(std::uint64_t rank) {
    std::size_t bin = 0;
    while (bin + 1 < bins && rank >= counts_[bin]) rank -= counts_[bin++];
    in_bin_.clear();
    values_.for_each([this, bin](float value) {
      if (bin_of(value) == bin) in_bin_.push_back(value);
    });
    if (in_bin_.empty()) return float_of_key(least_);
    const auto at = in_bin_.begin() +
                    static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(rank, in_bin_.size() - 1));
    std::nth_element(in_bin_.begin(), at, in_bin_.end());
    return *at;
  }

private:
  static constexpr unsigned bin_bits = 10;
  static constexpr std::size_t bins = std::size_t{1} << bin_bits;
  std::size_t bin_of(float value) const {
    const std::uint32_t above = std::max(float_key(value), least_) - least_;
    return std::min<std::size_t>(above >> shift_, bins - 1);
  }

  Values values_;
  std::array<std::uint32_t, bins> counts_{};
  std::uint32_t least_ = 0;
  unsigned shift_ = 0;
  std::vector<float> in_bin_;
};

/// Some lists taken together, as RankSelection wants them.
struct ListedValues {
  std::vector<ValueList> lists;
  template <class Visit>
  void for_each(Visit visit) const {
    for (const ValueList& list : lists) list.lists->for_each(list.head, visit);
  }
};

/// A percentile whose place is only roughly known: the value of rank `rank` (from 0) among those of
/// group `group` whose keys are in [begin_key, end_key).
struct OpenPercentile {
  std::uint32_t group = 0;
  std::size_t percentile = 0;
  std::uint64_t rank = 0;
  std::uint64_t count = 0;  ///< Of these values.
  std::uint64_t begin_key = 0;
  std::uint64_t end_key = 0;
};

/// Narrows open percentiles down to one key each, in passes over all values: see the comment above.
class PercentileSearch {
public:
  explicit PercentileSearch(std::vector<OpenPercentile> open);

  /// Whether another pass is needed.
  bool is_done() const { return open_.empty(); }
  /// Begins a pass for as many as fit; false when each of them has but one key, so that end_pass()
  /// may follow at once.
  bool begin_pass();
  /// Counts a value of a group in the pass.
  void add(std::uint32_t group, float value) {
    for (std::uint32_t i = first_of_group(group); i != none; i = search_[i].next) {
      Search& search = search_[i];
      const std::uint64_t key = float_key(value);
      if (key >= search.open.begin_key && key < search.open.end_key)
        ++counts_[search.first_bin + ((key - search.open.begin_key) >> search.shift)];
    }
  }
  /// Ends the pass.
  void end_pass();
  /// What was narrowed down to one key, with the rank among its equals.
  std::vector<OpenPercentile> take_found();

private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct Search {
    OpenPercentile open;
    unsigned shift = 0;
    std::size_t first_bin = 0;
    std::uint32_t next = none;  // of the same group
  };
  std::uint32_t first_of_group(std::uint32_t group) const {
    return group < first_.size() ? first_[group] : none;
  }

  std::vector<OpenPercentile> open_;
  std::vector<OpenPercentile> found_;
  std::vector<Search> search_;
  std::vector<std::uint32_t> first_;
  std::size_t bins_each_ = 1;
  std::vector<std::uint64_t> counts_;
};

}  // namespace bytescope::query
