#pragma once

namespace bytescope::app {

/// Asks the C library not to hand small amounts of freed memory back to the system: a software GL
/// driver frees and takes some megabytes each frame, and getting fresh pages for them costs as much
/// as drawing. Does nothing where there is no such setting. Keeps at most 8 MB.
void keep_freed_memory();

}  // namespace bytescope::app
