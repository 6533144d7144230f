#pragma once

#include <cstdint>
#include <string>

#include "core/error.h"
#include "core/trace/trace.h"

namespace bytescope::app {

/// What the machine itself needs for a file, in CPU seconds: the measure of everything that we do
/// with it.
struct MachineLimits {
  double read_cpu_s = 0;  ///< To read it once in pieces of 1 MB into one reused buffer.
  double walk_cpu_s = 0;  ///< To walk its already mapped span records once, touching each.
};

/// Measures both in a process of its own, so that its memory does not count as ours. To be called
/// before the program has threads. Zero where it cannot be measured.
MachineLimits measure_limits(const std::string& path);

/// Resident memory of this process in bytes.
struct ResidentMemory {
  std::uint64_t peak_bytes = 0;       ///< The most there ever was.
  std::uint64_t anonymous_bytes = 0;  ///< Now, our own.
  std::uint64_t file_bytes = 0;       ///< Now, mapped files (the program and its libraries).
};
ResidentMemory resident_memory();

}  // namespace bytescope::app
