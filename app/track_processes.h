#pragma once

#include <vector>

#include "core/export/export.h"
#include "core/trace/trace.h"

namespace bytescope::app {

/// The tracks of a trace grouped, named and ordered as the window shows them: a device with its
/// copy engines and its memory is a process, and so is each other group.
std::vector<exporting::TrackProcess> track_processes(const trace::Trace& trace);

}  // namespace bytescope::app
