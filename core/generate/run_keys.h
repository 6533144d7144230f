#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/generate/plan.h"

namespace bytescope::generate {

/// Which run keys the kernels of one batch on one device carry, and which of them buffers know.
///
/// The producer gives a kernel the key of the last run that its device had announced, so one
/// announcement covers several kernels. Going through the kernels of a batch, announcements follow
/// each other in a fixed pattern of 33 kernels, in the shares that a real training trace shows: 5
/// kernels carry the key of a run of their own name (15 %), 18 the stale key of the run before
/// (54 %), 4 the key of the batch (12 %), 6 a key that no buffer knows (20 %).
class RunKeys {
public:
  RunKeys(const Plan& plan, std::uint32_t device, std::uint32_t batch);

  /// The key of kernel number `i` of the batch.
  std::uint32_t key(std::uint64_t i) const;
  /// The key of the batch as a whole.
  std::uint32_t batch_key() const { return batch_key_; }
  /// Runs that buffers may know.
  std::uint64_t known_runs() const { return known_; }
  /// Which kernel of the batch known run `run` started with; key() of it is the key of the run.
  std::uint64_t first_kernel(std::uint64_t run) const;

private:
  std::uint32_t batch_key_;
  std::uint32_t device_key_;
  std::uint64_t offset_;  // where in the pattern the batch begins
  std::uint64_t known_before_ = 0;
  std::uint64_t known_ = 0;
};

}  // namespace bytescope::generate
