#include <ctime>

#include "core/io/thread_clock.h"

namespace bytescope::io {
namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

double thread_cpu_s() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
double process_cpu_s() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace bytescope::io
