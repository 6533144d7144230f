#include "core/generate/plan.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace bytescope::generate {
namespace {

/// Kernels of a batch, about.
constexpr std::uint64_t kernels_in_batch = 150;
/// A polygon track holds the corners of all its buffers: more of them would not be streamed.
constexpr std::uint64_t most_polygons = 20'000;
constexpr std::uint64_t most_weights = 8'000;
/// Nothing may end later: times are stored in 32 bits of microseconds.
constexpr std::int64_t most_ns = std::int64_t{std::numeric_limits<std::uint32_t>::max()} * 950;

std::uint64_t whole_root(std::uint64_t x) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31U; bit != 0; bit >>= 1U) {
    if ((root | bit) * (root | bit) <= x) root |= bit;
  }
  return root;
}

/// Part number `i` of `total` spread over `parts`.
std::uint64_t share(std::uint64_t total, std::uint64_t i, std::uint64_t parts) {
  return total * (i + 1) / parts - total * i / parts;
}

}  // namespace

Expected<Plan> Plan::make(const Options& options) {
  const auto wrong = [](std::string message) {
    return failure(ErrorKind::usage, std::move(message));
  };
  Plan plan;
  plan.options_ = options;
  plan.dialect_ = bytepack::dialect_of(options.dialect);
  if (plan.dialect_ == nullptr) return wrong("The dialects are A to L");
  if (options.devices == 0) return wrong("A trace has at least one device");
  if (options.devices > most_devices) {
    return wrong(fmt::format("A trace has at most {} devices", most_devices));
  }
  if (options.events > most_events) {
    return wrong(fmt::format("A trace has at most {} events", most_events));
  }
  plan.count(options);
  return plan;
}

void Plan::count(const Options& options) {
  const std::uint64_t events = options.events;
  devices_.resize(options.devices);
  user_spans_ = events * 15 / 1000;
  compiler_spans_ = events * 25 / 1000;
  const std::uint64_t copies = events / 10;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    devices_[i].copies = share(copies, i, devices_.size());
  }
  count_memory(events * 7 / 100);
  std::uint64_t rest = events - user_spans_ - compiler_spans_ - copies;
  std::uint64_t frees_per_weight = dialect_->frees_at_end_mean_alive ? 1 : 0;
  for (const DeviceCounts& device : devices_) {
    rest -= dialect_->memory == bytepack::MemoryForm::polygons
                ? device.weights + device.transients
                : device.weights * (1 + frees_per_weight) + device.transients * 2;
  }
  // One device has less to do than the others.
  const std::size_t lazy = devices_.size() > 2 ? devices_.size() / 2 : devices_.size();
  const std::uint64_t parts = devices_.size() * 10 - (lazy < devices_.size() ? 3 : 0);
  busiest_kernels_ = rest * 10 / parts;
  shape();
  graph_spans_ = events >= 100 ? all_batches() : 0;
  rest -= std::min(rest, graph_spans_);
  busiest_kernels_ = 0;
  std::uint64_t part = 0;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const std::uint64_t first = part;
    part += i == lazy ? 7 : 10;
    devices_[i].kernels = rest * part / parts - rest * first / parts;
    busiest_kernels_ = std::max(busiest_kernels_, devices_[i].kernels);
  }
  if (options.distinct_infos) own_infos_ = std::min(rest, events / 2);
  for (std::uint32_t batch = 0; batch < all_batches(); ++batch) {
    most_kernels_in_batch_ =
        std::max(most_kernels_in_batch_,
                 before(busiest_kernels_, batch + 1) - before(busiest_kernels_, batch) + 1);
  }
  startup_.length_ns = 5'000'000 + static_cast<std::int64_t>(compiler_spans_) * 30'000;
}

/// Chooses the number of steps and batches: both grow with the trace.
void Plan::shape() {
  steps_ = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(whole_root(busiest_kernels_) / 8, 1, 1000));
  batches_ = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(busiest_kernels_ / steps_ / kernels_in_batch, 1, 400));
  constexpr std::array<std::uint32_t, 8> weights = {1, 2, 4, 4, 5, 4, 3, 4};
  weight_before_ = {0};
  for (std::uint32_t batch = 0; batch < batches_; ++batch) {
    weight_before_.push_back(weight_before_.back() + weights[batch % weights.size()]);
  }
}

void Plan::count_memory(std::uint64_t events) {
  const bool polygons = dialect_->memory == bytepack::MemoryForm::polygons;
  const std::uint64_t buffers = events / 2;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    std::uint64_t count = share(buffers, i, devices_.size());
    if (polygons) count = std::min(count, most_polygons);
    devices_[i].weights = std::min(count / 3, most_weights);
    devices_[i].transients = count - devices_[i].weights;
  }
}

std::uint64_t Plan::all_kernels() const {
  std::uint64_t count = 0;
  for (const DeviceCounts& device : devices_) count += device.kernels;
  return count;
}

std::uint64_t Plan::before(std::uint64_t total, std::uint32_t batch) const {
  const std::uint64_t weight = weight_before_.back();
  const std::uint64_t place = batch / batches_ * weight + weight_before_[batch % batches_];
  return total * place / (steps_ * weight);
}

std::uint64_t Plan::before_in_step(std::uint64_t total, std::uint32_t in_step) const {
  return total * weight_before_[in_step] / weight_before_.back();
}

std::uint64_t Plan::batch_size(std::uint32_t batch) const {
  std::uint64_t size = 0;
  for (const DeviceCounts& device : devices_) {
    size += before(device.kernels, batch + 1) - before(device.kernels, batch);
    size += before(device.copies, batch + 1) - before(device.copies, batch);
  }
  return size;
}

Window Plan::step(std::uint32_t step) const {
  return {step_begin_ns_[step], step_begin_ns_[step + 1] - step_begin_ns_[step]};
}

void Plan::shrink_to_fit() {
  const std::int64_t end = step_begin_ns_.back();
  if (end <= most_ns) return;
  const double factor = static_cast<double>(most_ns) / static_cast<double>(end);
  const auto shrunk = [factor](std::int64_t ns) {
    return static_cast<std::int64_t>(static_cast<double>(ns) * factor);
  };
  startup_.length_ns = shrunk(startup_.length_ns);
  for (std::int64_t& begin : step_begin_ns_) begin = shrunk(begin);
  for (Window& window : windows_) {
    window = {shrunk(window.begin_ns), shrunk(window.length_ns)};
  }
}

}  // namespace bytescope::generate
