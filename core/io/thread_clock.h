#pragma once

namespace bytescope::io {

/// CPU seconds that the calling thread has used.
double thread_cpu_s();
/// CPU seconds that the whole process has used, all threads.
double process_cpu_s();

}  // namespace bytescope::io
