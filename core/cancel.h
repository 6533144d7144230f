#pragma once

#include <atomic>
#include <chrono>
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

/// For work that nobody stops.
inline const Cancel never;

/// How far a load has come; written by the loading threads, read by the window.
struct Progress {
  /// When it began; for what is done a second.
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> bytes_done{0};
  std::atomic<std::uint64_t> bytes_total{0};
  std::atomic<std::uint64_t> events_done{0};
  std::atomic<std::uint64_t> events_total{0};
  /// Bytes that came out of a compressed file so far; 0 while none is unpacked.
  std::atomic<std::uint64_t> unpacked_bytes{0};
  std::atomic<std::uint64_t> cpu_us{0};  ///< CPU time of the loading threads that have ended.
  /// Bytes that a server has sent so far, before anything is loaded, and how many it said there
  /// will be; 0 where it does not say.
  std::atomic<std::uint64_t> received_bytes{0};
  std::atomic<std::uint64_t> expected_bytes{0};
};

}  // namespace bytescope
