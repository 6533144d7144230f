#include "core/generate/generate.h"

#include <cstdint>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/commands/count_option.h"
#include "app/messages.h"
#include "app/progress_line.h"
#include "app/standard_output.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

struct GenerateArguments {
  std::string path;
  generate::Options options;
  std::string dialect = "L";
  std::string infos = "shared";
};

Expected<void> generate_trace(const GenerateArguments& given, const Cancel& cancel) {
  generate::Options options = given.options;
  options.dialect = given.dialect.front();
  options.distinct_infos = given.infos == "distinct";
  Progress progress;
  {
    const ProgressLine line("Writing", progress);
    auto written = generate::write_trace(given.path, options, cancel, &progress);
    if (!written) return written;
  }
  StandardOutput output(cancel);
  output.write(fmt::format("{}: {} events, {} device{}, dialect {}, {}\n",
                           printable_line(given.path), trace::count_text(options.events),
                           options.devices, options.devices == 1 ? "" : "s", options.dialect,
                           trace::bytes_text(progress.bytes_done)));
  return output.finish();
}

}  // namespace

Action make_generate(CLI::App& arguments, const Cancel& cancel) {
  const auto given = std::make_shared<GenerateArguments>();
  generate::Options& options = given->options;
  arguments.add_option("OUT.bin", given->path, "The trace to write")->required();
  add_count<std::uint64_t>(arguments, "--events", options.events, "Exact number of events")
      ->required();
  add_count<std::uint32_t>(arguments, "--devices", options.devices, "Number of devices")
      ->default_str(std::to_string(options.devices));
  add_count<std::uint64_t>(arguments, "--seed", options.seed, "Another seed, another trace")
      ->default_str(std::to_string(options.seed));
  arguments.add_option("--dialect", given->dialect, "A (2025-08) to L (2026-05)")
      ->check(CLI::IsMember({"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"}))
      ->capture_default_str();
  arguments.add_option("--infos", given->infos, "Whether infos repeat among kernels")
      ->check(CLI::IsMember({"distinct", "shared"}))
      ->capture_default_str();
  return [given, &cancel] { return generate_trace(*given, cancel); };
}

}  // namespace bytescope::app
