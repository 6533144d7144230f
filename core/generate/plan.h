#pragma once

#include <cstdint>
#include <vector>

#include "core/bytepack/dialect.h"
#include "core/error.h"
#include "core/generate/generate.h"

namespace bytescope::generate {

/// A stretch of time in nanoseconds since the trace's origin.
struct Window {
  std::int64_t begin_ns = 0;
  std::int64_t length_ns = 0;
  std::int64_t end_ns() const { return begin_ns + length_ns; }
};

/// How many records a device has.
struct DeviceCounts {
  std::uint64_t kernels = 0;
  std::uint64_t copies = 0;
  std::uint64_t weights = 0;     ///< Buffers that are never freed.
  std::uint64_t transients = 0;  ///< Buffers that are.
};

/// Everything about a trace that must be known before its first event is made: how many records
/// each track has and when its steps and batches run. A trace is a run of startup (the compiler
/// works, weights are allocated), then `steps` training steps of `batches` batches each. Whatever
/// happens in a batch follows from the seed, the device and the batch alone, so tracks are made one
/// after another with no more memory than a batch needs.
class Plan {
public:
  static constexpr std::uint64_t most_events = 1'000'000'000;
  static constexpr std::uint32_t most_devices = 1024;

  /// Fails (usage) for an unknown dialect, no devices, or more than there can be.
  static Expected<Plan> make(const Options& options);

  const Options& options() const { return options_; }
  const bytepack::Dialect& dialect() const { return *dialect_; }
  std::uint32_t steps() const { return steps_; }
  std::uint32_t batches() const { return batches_; }
  /// Batches of the whole trace.
  std::uint32_t all_batches() const { return steps_ * batches_; }
  std::uint64_t user_spans() const { return user_spans_; }
  std::uint64_t compiler_spans() const { return compiler_spans_; }
  /// One for each batch, or 0 in the smallest traces.
  std::uint64_t graph_spans() const { return graph_spans_; }
  const std::vector<DeviceCounts>& devices() const { return devices_; }
  std::uint64_t all_kernels() const;
  /// How many kernels have an info text of their own.
  std::uint64_t own_infos() const { return own_infos_; }
  /// The most kernels that a device has in a batch.
  std::uint64_t most_kernels_in_batch() const { return most_kernels_in_batch_; }

  /// Of `total` records spread over all batches, how many come before `batch`.
  std::uint64_t before(std::uint64_t total, std::uint32_t batch) const;
  /// Of `total` records spread over the batches of a step, how many come before batch `in_step`.
  std::uint64_t before_in_step(std::uint64_t total, std::uint32_t in_step) const;
  /// Kernels of all devices and copies in a batch.
  std::uint64_t batch_size(std::uint32_t batch) const;

  /// Sets the time of every batch. `work_ns(first, last)` tells how long kernels number first to
  /// last of a step take on a device that has all its kernels. Afterwards everything ends within
  /// 2^32 microseconds.
  template <class Work>
  void set_times(const Work& work_ns);
  Window startup() const { return startup_; }
  Window batch(std::uint32_t batch) const { return windows_[batch]; }
  /// A step with the pause behind it.
  Window step(std::uint32_t step) const;

private:
  void count(const Options& options);
  void shape();
  void count_memory(std::uint64_t events);
  void shrink_to_fit();

  Options options_;
  const bytepack::Dialect* dialect_ = nullptr;
  std::uint32_t steps_ = 1;
  std::uint32_t batches_ = 1;
  std::uint64_t user_spans_ = 0;
  std::uint64_t compiler_spans_ = 0;
  std::uint64_t graph_spans_ = 0;
  std::uint64_t own_infos_ = 0;
  std::uint64_t busiest_kernels_ = 0;
  std::uint64_t most_kernels_in_batch_ = 0;
  std::vector<DeviceCounts> devices_;
  std::vector<std::uint32_t> weight_before_;  // of the batches of a step, running sum
  Window startup_;
  std::vector<Window> windows_;
  std::vector<std::int64_t> step_begin_ns_;  // one more than steps
};

template <class Work>
void Plan::set_times(const Work& work_ns) {
  constexpr std::int64_t us = 1000;
  constexpr std::int64_t per_kernel = 900;  // gaps between kernels
  std::int64_t now = startup_.length_ns;
  windows_.clear();
  step_begin_ns_.clear();
  for (std::uint32_t batch = 0; batch < all_batches(); ++batch) {
    const std::uint32_t step = batch / batches_;
    if (batch % batches_ == 0) step_begin_ns_.push_back(now);
    const std::uint64_t step_first = before(busiest_kernels_, step * batches_);
    const std::uint64_t first = before(busiest_kernels_, batch) - step_first;
    const std::uint64_t last = before(busiest_kernels_, batch + 1) - step_first;
    const std::int64_t work = work_ns(first, last);
    const std::int64_t length =
        work + work / 16 + per_kernel * static_cast<std::int64_t>(last - first) + 30 * us;
    windows_.push_back({now, length});
    now += length + (20 + batch * 37 % 181) * us;
    if (batch % batches_ + 1 < batches_) continue;
    // Between steps the devices wait for data; now and then for an evaluation on the host.
    const std::int64_t length_of_step = now - step_begin_ns_.back();
    now += step % 25 == 24 ? length_of_step / 2 : length_of_step / 25;
  }
  step_begin_ns_.push_back(now);
  shrink_to_fit();
}

}  // namespace bytescope::generate
