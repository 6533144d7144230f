#include "core/query/percentiles.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace bytescope::query {
namespace {

/// So far from the sample's own percentile, in standard deviations, may the true one lie.
constexpr double deviations = 5;
/// Samples of fewer values tell nothing.
constexpr std::size_t least_sample = 32;
/// Bins of a pass, for all percentiles together.
constexpr std::size_t most_bins = 1 << 21;
constexpr std::size_t least_bins_each = 64;

/// Places of a sorted sample between which a percentile lies; the outer ones may be outside.
struct Places {
  double low;
  double high;
};

Places places_of(std::size_t sample_size, std::size_t percentile) {
  const double q = static_cast<double>(percentile_hundredths[percentile]) / 100;
  const auto size = static_cast<double>(sample_size);
  const double spread = deviations * std::sqrt(size * q * (1 - q)) + 2;
  return {std::floor(size * q - spread), std::ceil(size * q + spread)};
}

}  // namespace

float float_at_most(double value) {
  const auto rounded = static_cast<float>(value);
  if (static_cast<double>(rounded) <= value) return rounded;
  return std::nextafter(rounded, -std::numeric_limits<float>::infinity());
}

Brackets Brackets::of_sample(const ListedValues& sample) {
  std::size_t size = 0;
  float least = 0;
  float most = 0;
  sample.for_each([&](float value) {
    least = size == 0 ? value : std::min(least, value);
    most = std::max(most, value);
    ++size;
  });
  if (size < least_sample) return everything();
  RankSelection<ListedValues> selection;
  selection.begin(sample, least, most);
  const auto key_at = [&selection](double place) {
    return float_key(selection.nth(static_cast<std::uint64_t>(place)));
  };
  Brackets brackets;
  brackets.bounds.fill(endless);
  brackets.kept = 0;
  std::size_t intervals = 0;
  std::uint32_t last_high = 0;  // of the interval before, itself included
  for (std::size_t p = 0; p < percentile_count; ++p) {
    const Places places = places_of(size, p);
    const std::uint32_t low = places.low < 0 ? 0 : key_at(places.low);
    const bool is_last = places.high >= static_cast<double>(size);
    const std::uint32_t high = is_last ? endless : key_at(places.high);
    const bool joins = intervals > 0 && low <= last_high;
    if (!joins) brackets.bounds[2 * intervals++] = low;
    last_high = std::max(last_high, high);
    brackets.bounds[2 * intervals - 1] = is_last ? endless : last_high + 1;
    const bool is_one_value = brackets.bounds[2 * intervals - 2] == last_high;
    if (!is_one_value) brackets.kept |= 1U << (2 * intervals - 1);
  }
  return brackets;
}

PercentileSearch::PercentileSearch(std::vector<OpenPercentile> open) : open_(std::move(open)) {}

bool PercentileSearch::begin_pass() {
  search_.clear();
  std::fill(first_.begin(), first_.end(), none);
  const auto is_found = [](const OpenPercentile& open) {
    return open.end_key - open.begin_key <= 1;
  };
  const auto rest = std::stable_partition(open_.begin(), open_.end(), std::not_fn(is_found));
  found_.insert(found_.end(), rest, open_.end());
  open_.erase(rest, open_.end());
  if (open_.empty()) return false;
  const std::size_t batch = std::min(open_.size(), most_bins / least_bins_each);
  bins_each_ = std::bit_floor(most_bins / batch);
  for (std::size_t i = open_.size() - batch; i < open_.size(); ++i) {
    Search search;
    search.open = open_[i];
    const std::uint64_t width = search.open.end_key - search.open.begin_key;
    while ((width - 1) >> search.shift >= bins_each_) ++search.shift;
    search.first_bin = search_.size() * bins_each_;
    const std::uint32_t group = search.open.group;
    if (group >= first_.size()) first_.resize(group + 1, none);
    search.next = std::exchange(first_[group], static_cast<std::uint32_t>(search_.size()));
    search_.push_back(search);
  }
  counts_.assign(batch * bins_each_, 0);
  return true;
}

void PercentileSearch::end_pass() {
  open_.resize(open_.size() - search_.size());
  for (const Search& search : search_) {
    OpenPercentile open = search.open;
    std::size_t bin = 0;
    while (bin + 1 < bins_each_ && open.rank >= counts_[search.first_bin + bin])
      open.rank -= counts_[search.first_bin + bin++];
    const std::uint64_t width = std::uint64_t{1} << search.shift;
    open.count = counts_[search.first_bin + bin];
    open.begin_key += bin * width;
    open.end_key = std::min(open.begin_key + width, open.end_key);
    open_.push_back(open);
  }
  search_.clear();
}

std::vector<OpenPercentile> PercentileSearch::take_found() { return std::move(found_); }

}  // namespace bytescope::query
