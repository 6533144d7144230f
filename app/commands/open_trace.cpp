#include "app/commands/open_trace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/messages.h"
#include "app/progress_line.h"
#include "core/query/track_argument.h"
#include "core/session/load_source.h"

namespace bytescope::app {

std::shared_ptr<std::string> add_file(CLI::App& arguments) {
  auto path = std::make_shared<std::string>();
  arguments.add_option("FILE", *path, "The trace: a file, or the address of a running program")
      ->required();
  return path;
}

void add_tracks(CLI::App& arguments, std::vector<std::string>& tracks, const std::string& help) {
  arguments.add_option("--track", tracks, help)
      ->expected(1)
      ->allow_extra_args(false)  // Else CLI11 takes a name in brackets for a list.
      ->take_all();
}

Expected<std::vector<std::uint32_t>> span_tracks_from_arguments(
    const trace::Trace& trace, const std::vector<std::string>& arguments, Warnings& warnings) {
  std::vector<std::uint32_t> tracks;
  for (const std::string& argument : arguments) {
    const auto track = query::track_from_argument(trace, argument, warnings);
    if (!track) return tl::make_unexpected(track.error());
    const bytepack::TrackHead& head = trace.tracks[*track].head;
    if (head.kind != bytepack::TrackKind::spans) {
      return failure(ErrorKind::usage, fmt::format("Track \"{}\" has no spans", head.name), {},
                     trace.file->path());
    }
    tracks.push_back(*track);
  }
  return tracks;
}

void warn_of_change(const trace::Trace& trace, Warnings& warnings) {
  if (trace.file->changed())
    warnings.add("The file changed while it was read; records may be wrong or missing");
}

Expected<std::shared_ptr<const trace::Trace>> open_trace(const std::string& path,
                                                         const Cancel& cancel) {
  Progress progress;
  const auto load = [&] {
    const ProgressLine line("Opening", progress);
    return session::load_source(path, {}, cancel, &progress);
  };
  auto trace = load();
  if (trace) print_warnings((*trace)->warnings, path);
  return trace;
}

const char* kind_name(bytepack::TrackKind kind) {
  switch (kind) {
    case bytepack::TrackKind::spans: return "spans";
    case bytepack::TrackKind::memory: return "memory";
    case bytepack::TrackKind::line: return "line";
  }
  return "";
}

}  // namespace bytescope::app
