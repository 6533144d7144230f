#pragma once

#include <atomic>
#include <cstdint>

namespace bytescope {

/// Asks long work to stop. Shared between the thread that works and the one that may lose interest.
class Cancel {
public:
  void request() { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const { return requested_.load(std::memory_order_relaxed); }

private:
  std::atomic<bool> requested_{false};
};

/// How far a load has come; written by the loading threads, read by the window.
struct Progress {
  std::atomic<std::uint64_t> bytes_done{0};
  std::atomic<std::uint64_t> bytes_total{0};
  std::atomic<std::uint64_t> events_done{0};
  std::atomic<std::uint64_t> events_total{0};
  std::atomic<std::uint64_t> cpu_us{0};  ///< CPU time of the loading threads that have ended.
};

}  // namespace bytescope
