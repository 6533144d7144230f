#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/query/time_range.h"
#include "core/trace/trace.h"

// Writing a trace, or what touches a range of it, for other programs. The folder's name is a word
// of the language; so the namespace is called after what happens in it.

namespace bytescope::exporting {

/// What can be written.
enum class Format : std::uint8_t {
  chrome_json,  ///< Chrome's trace events, which Perfetto opens.
  csv,          ///< A row for each record.
  bytepack,     ///< The newest dialect.
};

/// The format that the end of a path asks for (`.json`, `.csv`, `.bin`), or none.
std::optional<Format> format_of_path(std::string_view path);

/// A track at its place among others.
struct PlacedTrack {
  std::uint32_t track = 0;
  std::string label;
};

/// Tracks that belong together: a process in Chrome's format.
struct TrackProcess {
  std::string name;
  std::vector<PlacedTrack> tracks;
};

/// What to write.
struct Request {
  Format format = Format::chrome_json;
  /// Only what touches this stretch, whole and at its own time: spans that run in it, buffers that
  /// live in it with both of their events, values in it and the last one before it, markers in it.
  /// In Chrome's format memory begins with what lives at its begin. None: everything.
  std::optional<query::TimeRange> range;
  /// Chrome's format: how tracks are grouped, named and ordered. Tracks that are not named here
  /// follow as processes of their own.
  std::vector<TrackProcess> processes;
};

/// What was written.
struct Outcome {
  std::uint64_t events = 0;  ///< Records of the trace.
  std::uint64_t size_bytes = 0;
  Warnings warnings;  ///< What the format could not say.
};

/// Writes a complete trace to `path` beside its place and renames it there at the end; a failure
/// leaves nothing behind and what was there untouched, even where that is the opened file itself.
/// Costs one to three reads of the file and some hundred nanoseconds an event; memory: two bytes a
/// span at most, and some 200 MB where links are looked up. `progress` counts records as events.
/// Fails with ErrorKind::machine where it cannot be written, ErrorKind::cancelled, and
/// ErrorKind::bad_input where the trace's file changed meanwhile.
Expected<Outcome> export_trace(const trace::Trace& trace, const std::string& path,
                               const Request& request, const Cancel& cancel,
                               Progress* progress = nullptr);

}  // namespace bytescope::exporting
