#pragma once

#include <atomic>
#include <exception>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "core/cancel.h"
#include "core/io/thread_clock.h"

namespace bytescope::query {

/// Calls `work(i)` once on each of `threads` threads, of which the calling one is number 0, and
/// waits for all. False when one of them ran out of memory. Where the system gives no more threads,
/// fewer calls are made: `work` takes what there is to do from a shared place. `progress` gets the
/// CPU time of the other threads.
template <class Work>
bool run_on_threads(unsigned threads, const Work& work, Progress* progress = nullptr) {
  std::atomic<bool> has_memory{true};
  const auto guarded = [&](unsigned number) {
    try {
      work(number);
    } catch (const std::bad_alloc&) {
      // Out of a thread's function it would end the program.
      has_memory = false;
    }
  };
  std::vector<std::thread> others;
  others.reserve(threads);
  try {
    for (unsigned i = 1; i < threads; ++i) {
      others.emplace_back([&guarded, progress, i] {
        guarded(i);
        if (progress != nullptr)
          progress->cpu_us += static_cast<std::uint64_t>(io::thread_cpu_s() * 1e6);
      });
    }
  } catch (const std::system_error&) {
    // Those that there are do the work.
  }
  guarded(0);
  for (std::thread& thread : others) thread.join();
  return has_memory;
}

}  // namespace bytescope::query
