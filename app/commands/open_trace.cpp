#include "app/commands/open_trace.h"

#include <CLI/CLI.hpp>

#include "app/messages.h"
#include "core/trace/loader.h"

namespace bytescope::app {

std::shared_ptr<std::string> add_file(CLI::App& arguments) {
  auto path = std::make_shared<std::string>();
  arguments.add_option("FILE", *path, "The trace")->required();
  return path;
}

Expected<std::shared_ptr<const trace::Trace>> open_trace(const std::string& path,
                                                         const Cancel& cancel) {
  auto trace = trace::load_trace(path, {}, cancel);
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
