#include "core/merge/merge.h"

#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/commands/open_trace.h"
#include "app/messages.h"
#include "app/offset_text.h"
#include "app/progress_line.h"
#include "app/standard_output.h"
#include "core/session/load_source.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

struct MergeArguments {
  std::string output;
  std::vector<std::string> paths;
  std::vector<std::string> offsets;
};

/// Offsets by file from arguments such as `2=-1.5ms`.
Expected<std::vector<std::int64_t>> offsets_from(const MergeArguments& given) {
  std::vector<std::int64_t> offsets(given.paths.size(), 0);
  for (const std::string& argument : given.offsets) {
    const std::size_t sign = argument.find('=');
    const char* const end = argument.data() + std::min(sign, argument.size());
    std::size_t number = 0;
    const auto read = std::from_chars(argument.data(), end, number);
    const auto offset = sign == std::string::npos
                            ? std::nullopt
                            : offset_from_text(std::string_view(argument).substr(sign + 1));
    if (read.ec != std::errc() || read.ptr != end || !offset) {
      return failure(
          ErrorKind::usage,
          fmt::format("\"{}\" is no offset: it takes the number of a file, from 1, and a "
                      "time, such as 2=-1.5ms",
                      argument));
    }
    if (number < 1 || number > offsets.size()) {
      return failure(ErrorKind::usage, fmt::format("There is no file {}: {} are to be merged",
                                                   number, offsets.size()));
    }
    offsets[number - 1] = *offset;
  }
  return offsets;
}

Expected<std::vector<merge::Source>> open_sources(const MergeArguments& given,
                                                  const std::vector<std::int64_t>& offsets,
                                                  const Cancel& cancel) {
  const std::vector<std::string> names = session::names_in({given.paths});
  std::vector<merge::Source> sources;
  Progress progress;
  const ProgressLine line("Opening", progress);
  for (std::size_t i = 0; i < given.paths.size(); ++i) {
    auto trace = session::load_source(given.paths[i], {}, cancel, &progress);
    if (!trace) return tl::make_unexpected(trace.error());
    sources.push_back({std::move(*trace), names[i], offsets[i]});
  }
  return sources;
}

Expected<void> merge_files(const MergeArguments& given, const Cancel& cancel) {
  if (!given.output.ends_with(".bin"))
    return failure(ErrorKind::usage, "What is written must be named .bin", {}, given.output);
  if (given.paths.size() < 2) return failure(ErrorKind::usage, "Two files or more can be merged");
  const auto offsets = offsets_from(given);
  if (!offsets) return tl::make_unexpected(offsets.error());
  const auto sources = open_sources(given, *offsets, cancel);
  if (!sources) return tl::make_unexpected(sources.error());
  Progress progress;
  Expected<merge::Outcome> outcome;
  {
    const ProgressLine line("Writing", progress);
    outcome = merge::merge_into_file(*sources, given.output, cancel, &progress);
  }
  if (!outcome) return tl::make_unexpected(outcome.error());
  print_warnings(outcome->warnings, given.output);
  StandardOutput output(cancel);
  output.write(fmt::format("{}: {} events of {} files, {}\n", printable_line(given.output),
                           trace::count_text(outcome->events), sources->size(),
                           trace::bytes_text(outcome->size_bytes)));
  return output.finish();
}

}  // namespace

Action make_merge(CLI::App& arguments, const Cancel& cancel) {
  const auto given = std::make_shared<MergeArguments>();
  arguments.add_option("OUT", given->output, "What to write: OUT.bin, of the newest dialect")
      ->required();
  arguments
      .add_option("FILE", given->paths, "The traces, two or more: files, or addresses of programs")
      ->required()
      ->expected(1, 1024);
  arguments
      .add_option("--offset", given->offsets,
                  "How much later than it says file N happened: N=TIME, N from 1, with ns, us, ms "
                  "or s (none: us); may be negative")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  arguments.footer(
      "Names of tracks and markers get the name of their file in front (a.bin/AMD:1). What means\n"
      "something in one file alone, refs and run keys, gets numbers that no other file has.\n"
      "A negative offset moves the origin of all.");
  return [given, &cancel] { return merge_files(*given, cancel); };
}

}  // namespace bytescope::app
