#pragma once

#include <memory>
#include <string>

#include "core/cancel.h"
#include "core/error.h"
#include "core/trace/trace.h"

namespace CLI {
class App;
}

namespace bytescope::app {

/// Declares the argument FILE, which must be given, and returns where its value will stand.
std::shared_ptr<std::string> add_file(CLI::App& arguments);

/// Opens a trace completely and prints its warnings on standard error.
Expected<std::shared_ptr<const trace::Trace>> open_trace(const std::string& path,
                                                         const Cancel& cancel);

/// The word for a kind of track in results: "spans", "memory" or "line".
const char* kind_name(bytepack::TrackKind kind);

}  // namespace bytescope::app
