#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/io/large_pages.h"
#include "core/io/page_reader.h"
#include "core/trace/info_facts.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// All spans met of one name and info.
struct InfoSum {
  /// No name and info of a span have this key.
  static constexpr std::uint64_t no_key = UINT64_MAX;
  std::uint64_t key = no_key;
  double time = 0;   ///< Sum of the parts that count.
  double spans = 0;  ///< Number of spans; of a cut one the share that counts.
  std::uint32_t row = 0;
  static std::uint64_t key_of(std::uint32_t name, std::uint32_t info) {
    return std::uint64_t{name} << 32U | info;
  }
  std::uint32_t info() const { return static_cast<std::uint32_t>(key); }
  bool is_used() const { return key != no_key; }
};
static_assert(sizeof(InfoSum) == 32);

/// The sums by name and info: open addressing, at most half full.
class InfoSums {
public:
  static constexpr std::size_t most = 1 << 17;

  /// Where sums stand; valid until the next count_new() or drain().
  class Places {
  public:
    /// The sum of a key; a new one is not used and gets its key from the caller.
    InfoSum& at(std::uint64_t key) const {
      std::size_t i = (key * 0x9E3779B97F4A7C15ULL) >> shift_;
      while (entries_[i].key != key && entries_[i].is_used()) i = (i + 1) & mask_;
      return entries_[i];
    }

  private:
    friend class InfoSums;
    Places(InfoSum* entries, std::size_t size)
        : entries_(entries), mask_(size - 1), shift_(64 - std::countr_zero(size)) {}
    InfoSum* entries_;
    std::size_t mask_;
    int shift_;
  };

  InfoSums() : entries_(least_size) {}

  Places places() { return {entries_.data(), entries_.size()}; }
  /// Takes note that a new one is used now.
  void count_new() {
    // A small table has much room: nearly all are found where they are looked for first.
    const std::size_t room = entries_.size() < roomy_size ? 32 : 2;
    if (++count_ * room > entries_.size()) grow();
  }
  bool full() const { return count_ >= most; }
  /// Moves all sums to the end of `out`.
  void drain(std::vector<InfoSum>& out);

private:
  static constexpr std::size_t least_size = 1 << 14;
  static constexpr std::size_t roomy_size = 1 << 17;
  void grow();

  std::vector<InfoSum, io::LargePageAllocator<InfoSum>> entries_;
  std::size_t count_ = 0;
};

/// Rates of a row on the way to weighted means.
struct RateSums {
  struct Mean {
    double weight = 0;
    double sum = 0;
    void add(const trace::Rate& rate, double time) {
      if (!rate.value) return;
      weight += time;
      sum += *rate.value * time;
    }
    void add(const Mean& other) {
      weight += other.weight;
      sum += other.sum;
    }
    std::optional<double> value() const {
      if (!(weight > 0)) return std::nullopt;
      return sum / weight;
    }
  };
  Mean flops, mem, lds, bytes_per_s;
  double spans = 0;        ///< As in InfoSum.
  double bytes = 0;        ///< Moved, as the infos tell.
  double bytes_spans = 0;  ///< How many spans tell theirs …
  double bytes_time = 0;   ///< … and how long these took.
  void add(const trace::InfoRates& rates, const InfoSum& sum);
  void add(const RateSums& other);
};

/// Parses the infos of `sums`, each once, and adds them to the rates of their rows. Sorts `sums` by
/// info, so that texts that follow each other in the file are read in one walk. Stops when
/// cancelled.
void add_rates(const trace::Trace& trace, std::vector<InfoSum>& sums, std::vector<RateSums>& rows,
               const Cancel& cancel);

}  // namespace bytescope::query
