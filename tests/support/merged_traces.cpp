#include "tests/support/merged_traces.h"

#include <gtest/gtest.h>

#include "core/trace/loader.h"

namespace bytescope::tests {
Expected<TracePointer> merged(const std::vector<merge::Source>& sources) {
  auto file = merge::merge_into_scratch(sources, "merged", never);
  if (!file) return tl::make_unexpected(file.error());
  trace::LoadOptions options;
  options.known = file->outcome.warnings;
  return trace::load_trace(file->file, options, never);
}

std::string refusal_of(const std::vector<merge::Source>& sources) {
  const auto done = merged(sources);
  if (done) return "none";
  EXPECT_EQ(done.error().kind, ErrorKind::usage);
  return text(done.error());
}

bytepack::TraceDescription one_program(const std::string& kernel) {
  bytepack::TraceDescription trace;
  trace.dtype_bytes = {{"float", 4}};
  trace.duration_us = 100;
  bytepack::TrackDescription device;
  device.name = "AMD";
  device.spans = {{kernel, 10, 5.0F, "{}", 3, 7}, {kernel, 20, 5.0F, "{}", 3, 8}};
  bytepack::TrackDescription compiler;
  compiler.name = "TINY";
  compiler.spans = {{"do_to_program for " + kernel, 1, 2.0F, "{}", 3, {}}};
  bytepack::TrackDescription memory;
  memory.name = "AMD Memory";
  memory.kind = bytepack::TrackKind::memory;
  memory.memory = {{true, 2, 1, "float", 10}, {false, 100, 1, "", 0, {{7, kernel, 0, 1}}}};
  trace.tracks = {device, compiler, memory};
  return trace;
}

}  // namespace bytescope::tests
