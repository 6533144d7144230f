#include "core/export/export.h"

#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/commands/open_trace.h"
#include "app/messages.h"
#include "app/progress_line.h"
#include "app/standard_output.h"
#include "app/track_processes.h"
#include "core/query/time_argument.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

struct ExportArguments {
  std::shared_ptr<std::string> path;
  std::string output;
  std::optional<std::string> range;
};

Expected<void> export_file(const ExportArguments& given, const Cancel& cancel) {
  const auto format = exporting::format_of_path(given.output);
  if (!format) {
    return failure(ErrorKind::usage, "What is written must be named .json, .csv or .bin", {},
                   given.output);
  }
  const auto trace = open_trace(*given.path, cancel);
  if (!trace) return tl::make_unexpected(trace.error());
  exporting::Request request;
  request.format = *format;
  if (given.range) {
    const auto range = query::range_from_argument(**trace, *given.range);
    if (!range) return tl::make_unexpected(range.error());
    request.range = *range;
  }
  request.processes = track_processes(**trace);
  Progress progress;
  Expected<exporting::Outcome> outcome;
  {
    const ProgressLine line("Writing", progress);
    outcome = exporting::export_trace(**trace, given.output, request, cancel, &progress);
  }
  if (!outcome) return tl::make_unexpected(outcome.error());
  print_warnings(outcome->warnings, given.output);
  StandardOutput output(cancel);
  output.write(fmt::format("{}: {} events, {}\n", printable_line(given.output),
                           trace::count_text(outcome->events),
                           trace::bytes_text(outcome->size_bytes)));
  return output.finish();
}

}  // namespace

Action make_export(CLI::App& arguments, const Cancel& cancel) {
  const auto given = std::make_shared<ExportArguments>();
  given->path = add_file(arguments);
  arguments.add_option("OUT", given->output, "What to write: OUT.json, OUT.csv or OUT.bin")
      ->required();
  arguments.add_option("--range", given->range,
                       "Only what touches A..B, A.. or ..B (half-open): numbers with ns, us, ms, s "
                       "or clk, or markers' names");
  arguments.footer(
      "OUT.json  Chrome's trace events, for Perfetto: a device with its copy engines and memory "
      "is\n"
      "          a process, lanes are threads, memory and lines are counters, infos are args.\n"
      "OUT.csv   track,kind,index,event,time_us,duration_us,lane,name,key,bytes,value,info: a row\n"
      "          for each record; names of memory are those of element types.\n"
      "OUT.bin   bytepack of the newest dialect.\n"
      "Of a range, spans and buffers that touch it are written whole and at their own times.");
  return [given, &cancel] { return export_file(*given, cancel); };
}

}  // namespace bytescope::app
