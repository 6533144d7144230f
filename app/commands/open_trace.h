#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/trace/trace.h"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace bytescope::app {

/// Declares the argument FILE, which must be given, and returns where its value will stand.
std::shared_ptr<std::string> add_file(CLI::App& arguments);

/// Declares the option --track, which may be given several times.
void add_tracks(CLI::App& arguments, std::vector<std::string>& tracks, const std::string& help);

/// The numbers of the tracks that these arguments name. Fails with ErrorKind::usage for unknown
/// ones and for those that have no spans.
Expected<std::vector<std::uint32_t>> span_tracks_from_arguments(
    const trace::Trace& trace, const std::vector<std::string>& arguments, Warnings& warnings);

/// Warns when the file turned out to be another than what was opened.
void warn_of_change(const trace::Trace& trace, Warnings& warnings);

/// Opens a trace, also that of a running program at its address, completely and prints its warnings
/// on standard error.
Expected<std::shared_ptr<const trace::Trace>> open_trace(const std::string& path,
                                                         const Cancel& cancel);

/// The word for a kind of track in results: "spans", "memory" or "line".
const char* kind_name(bytepack::TrackKind kind);

}  // namespace bytescope::app
