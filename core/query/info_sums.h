#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/io/page_reader.h"
#include "core/trace/info_facts.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// All spans met of one name and info.
struct InfoSum {
  static constexpr std::uint32_t no_row = UINT32_MAX;
  std::uint32_t name = 0;
  std::uint32_t info = 0;
  std::uint32_t row = no_row;
  bool used = false;
  double time = 0;   ///< Sum of the parts that count.
  double spans = 0;  ///< Number of spans; of a cut one the share that counts.
};
static_assert(sizeof(InfoSum) == 32);

/// The sums by name and info: open addressing, at most half full.
class InfoSums {
public:
  static constexpr std::size_t most = 1 << 17;

  InfoSums() : entries_(least_size), shift_(64 - 12) {}

  /// The sum of a name and an info; a new one is not `used` and gets it from the caller. Valid
  /// until the next call.
  InfoSum& at(std::uint32_t name, std::uint32_t info) {
    const std::size_t mask = entries_.size() - 1;
    for (std::size_t i = home(name, info);; i = (i + 1) & mask) {
      InfoSum& entry = entries_[i];
      if (entry.name == name && entry.info == info && entry.used) return entry;
      if (!entry.used) return entry;
    }
  }
  /// Takes note that a new one is used now.
  void count_new() {
    if (++count_ * 2 > entries_.size()) grow();
  }
  bool full() const { return count_ >= most; }
  /// Moves all sums to the end of `out`.
  void drain(std::vector<InfoSum>& out);

private:
  static constexpr std::size_t least_size = 1 << 12;
  std::size_t home(std::uint32_t name, std::uint32_t info) const {
    const std::uint64_t both = (std::uint64_t{name} << 32U | info) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(both >> shift_);
  }
  void grow();

  std::vector<InfoSum> entries_;
  std::size_t count_ = 0;
  int shift_;
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
  double bytes = 0;
  bool knows_bytes = false;
  void add(const trace::InfoRates& rates, const InfoSum& sum);
  void add(const RateSums& other);
};

/// Parses the infos of `sums`, each once, and adds them to the rates of their rows. Sorts `sums` by
/// info, so that texts that follow each other in the file are read in one walk. Stops when
/// cancelled.
void add_rates(const trace::Trace& trace, std::vector<InfoSum>& sums, std::vector<RateSums>& rows,
               const Cancel& cancel);

}  // namespace bytescope::query
