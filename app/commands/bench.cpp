#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/commands/bench_limits.h"
#include "app/commands/bench_tour.h"
#include "app/commands/picture_options.h"
#include "app/messages.h"
#include "app/offscreen_viewer.h"
#include "app/standard_output.h"
#include "app/steady_clock.h"
#include "app/waiting_pace.h"
#include "core/io/json_writer.h"
#include "core/io/thread_clock.h"
#include "core/query/search.h"
#include "core/query/search_terms.h"
#include "core/query/statistics.h"
#include "render/theme.h"

namespace bytescope::app {
namespace {

struct BenchArguments {
  std::string file;
  bool json = false;
  PictureOptions picture;
};

/// What opening cost.
struct OpenResult {
  double first_frame_cpu_s =
      0;                      ///< Process CPU until the first picture with all tracks was painted.
  double complete_cpu_s = 0;  ///< CPU of the loading threads.
  double complete_wall_s = 0;
  double frames_cpu_s = 0;  ///< CPU of everything else meanwhile: the frames drawn while loading.
};

/// What statistics by name of the whole trace cost.
struct StatsResult {
  double first_wall_s = 0;  ///< Until there is a first answer.
  double complete_cpu_s = 0;
  double complete_wall_s = 0;
};

/// What a search for a letter costs that nearly every name has.
struct SearchLeg {
  std::optional<double> first_hit_s;  ///< Wall time until the first hits were there.
  double complete_cpu_s = 0;
  double complete_wall_s = 0;
  std::uint64_t hits = 0;
};

/// The whole result.
struct BenchResult {
  std::string file;
  std::uint64_t events = 0;
  render::gl::PixelSize size;
  double scale = 1;
  std::string renderer;  ///< The driver's name for what draws.
  OpenResult open;
  MachineLimits limits;
  std::vector<LegResult> legs;
  ResidentMemory memory;
  StatsResult stats;
  SearchLeg search;
};

constexpr const char* searched_terms = "e";

Expected<OpenResult> open_measured(OffscreenViewer& offscreen, const std::string& file,
                                   const Cancel& cancel) {
  OpenResult result;
  Viewer& viewer = offscreen.viewer();
  const double wall = steady_seconds();
  const double cpu = io::process_cpu_s();
  viewer.open(file);
  bool complete = false;
  bool changed = true;
  double drawn_s = 0;
  double drawn_in_s = 0;
  while (!complete) {
    const double now_s = steady_seconds();
    if (changed || now_s - drawn_s >= waiting_pace_s(drawn_in_s)) {
      offscreen.frame();
      drawn_s = steady_seconds();
      drawn_in_s = drawn_s - now_s;
    }
    if (result.first_frame_cpu_s == 0 && viewer.active() != nullptr)
      result.first_frame_cpu_s = io::process_cpu_s() - cpu;
    if (cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled");
    changed = viewer.poll();
    const session::Document& document = *viewer.active_document();
    if (document.error) return tl::make_unexpected(*document.error);
    complete = !document.loading;
    if (!complete) offscreen.wait();
  }
  result.complete_wall_s = steady_seconds() - wall;
  result.complete_cpu_s =
      static_cast<double>(viewer.active_document()->progress->cpu_us.load()) * 1e-6;
  if (result.first_frame_cpu_s == 0) {
    offscreen.frame();
    result.first_frame_cpu_s = io::process_cpu_s() - cpu;
  }
  result.frames_cpu_s = io::process_cpu_s() - cpu - result.complete_cpu_s;
  return result;
}

Expected<StatsResult> measure_stats(const trace::Trace& trace, const Cancel& cancel) {
  StatsResult result;
  const double begin = steady_seconds();
  const query::Statistics first = query::first_statistics(trace, {}, cancel);
  result.first_wall_s = steady_seconds() - begin;
  const double wall = steady_seconds();
  const double cpu = io::process_cpu_s();
  const auto answer = query::statistics(trace, {}, cancel);
  if (!answer) return tl::make_unexpected(answer.error());
  result.complete_cpu_s = io::process_cpu_s() - cpu;
  result.complete_wall_s = steady_seconds() - wall;
  return result;
}

Expected<SearchLeg> search_measured(const std::shared_ptr<const trace::Trace>& trace,
                                    const Cancel& cancel) {
  constexpr std::size_t listed = 1000;
  SearchLeg leg;
  const double wall = steady_seconds();
  const double cpu = io::process_cpu_s();
  const auto note_first = [&](const std::shared_ptr<const query::SearchResult>& found) {
    if (!leg.first_hit_s && found->hits() > 0) leg.first_hit_s = steady_seconds() - wall;
  };
  const auto result = query::run_search(
      {trace, *query::parse_search_line(searched_terms), nullptr, listed, 2}, cancel, note_first);
  if (!result) return failure(ErrorKind::cancelled, "Cancelled");
  leg.complete_wall_s = steady_seconds() - wall;
  leg.complete_cpu_s = io::process_cpu_s() - cpu;
  leg.hits = result->hits();
  return leg;
}

double ratio(double value, double limit) { return limit > 0 ? value / limit : 0; }

void write_search(io::JsonWriter& json, const SearchLeg& leg, double read_cpu_s) {
  json.key("search").begin_object().member("terms", searched_terms).member("hits", leg.hits);
  json.member("first_hit_s", leg.first_hit_s).member("complete_cpu_s", leg.complete_cpu_s);
  json.member("complete_wall_s", leg.complete_wall_s);
  json.member("cpu_per_read", ratio(leg.complete_cpu_s, read_cpu_s)).end_object();
}

void write_spread(io::JsonWriter& json, const char* name, const Spread& spread) {
  json.key(name)
      .begin_object()
      .member("p50", spread.p50)
      .member("p99", spread.p99)
      .member("max", spread.max)
      .end_object();
}

std::string to_json(const BenchResult& result) {
  std::string text;
  io::JsonWriter json(text);
  json.begin_object().member("file", result.file).member("events", result.events);
  json.member("size", fmt::format("{}x{}", result.size.width, result.size.height));
  json.member("scale", result.scale).member("renderer", result.renderer);
  json.key("open").begin_object().member("first_frame_cpu_s", result.open.first_frame_cpu_s);
  json.member("complete_cpu_s", result.open.complete_cpu_s)
      .member("complete_wall_s", result.open.complete_wall_s);
  json.member("frames_cpu_s", result.open.frames_cpu_s).end_object();
  json.key("limits")
      .begin_object()
      .member("read_cpu_s", result.limits.read_cpu_s)
      .member("walk_cpu_s", result.limits.walk_cpu_s)
      .end_object();
  json.key("legs").begin_array();
  for (const LegResult& leg : result.legs) {
    json.begin_object().member("name", leg.name).member("frames", leg.frames);
    write_spread(json, "build_cpu_ms", leg.build_cpu_ms);
    write_spread(json, "frame_cpu_ms", leg.frame_cpu_ms);
    write_spread(json, "frame_wall_ms", leg.frame_wall_ms);
    json.end_object();
  }
  json.end_array();
  json.key("memory").begin_object().member("peak_rss_bytes", result.memory.peak_bytes);
  json.member("peak_anonymous_bytes", result.memory.anonymous_bytes)
      .member("peak_file_bytes", result.memory.file_bytes)
      .end_object();
  json.key("stats").begin_object().member("first_wall_s", result.stats.first_wall_s);
  json.member("complete_cpu_s", result.stats.complete_cpu_s)
      .member("complete_wall_s", result.stats.complete_wall_s)
      .member("read_ratio", ratio(result.stats.complete_cpu_s, result.limits.read_cpu_s))
      .end_object();
  write_search(json, result.search, result.limits.read_cpu_s);
  json.end_object();
  return text + "\n";
}

std::string spread_text(const Spread& spread) {
  return fmt::format("{:8.2f}{:8.2f}{:8.2f}", spread.p50, spread.p99, spread.max);
}

std::string to_text(const BenchResult& result) {
  const double read = result.limits.read_cpu_s;
  std::string text = fmt::format("{}: {} events, drawn at {} x {} by {}\n\n",
                                 printable_line(result.file), result.events, result.size.width,
                                 result.size.height, printable_line(result.renderer));
  text += fmt::format("first picture   {:8.3f} s CPU   {:5.1f} x read\n",
                      result.open.first_frame_cpu_s, ratio(result.open.first_frame_cpu_s, read));
  text += fmt::format("complete        {:8.3f} s CPU   {:5.1f} x read\n",
                      result.open.complete_cpu_s, ratio(result.open.complete_cpu_s, read));
  text += fmt::format("                {:8.3f} s wall  {:5.1f} x read\n",
                      result.open.complete_wall_s, ratio(result.open.complete_wall_s, read));
  text += fmt::format("limits: read {:.3f} s CPU, walk {:.3f} s CPU\n\n", read,
                      result.limits.walk_cpu_s);
  text += fmt::format("{:12} {:>6}  {:>24}  {:>24}  {:>24}\n", "leg", "frames",
                      "build CPU ms p50/p99/max", "frame CPU ms p50/p99/max",
                      "frame wall ms p50/p99/max");
  for (const LegResult& leg : result.legs) {
    text +=
        fmt::format("{:12} {:6}  {}  {}  {}\n", leg.name, leg.frames, spread_text(leg.build_cpu_ms),
                    spread_text(leg.frame_cpu_ms), spread_text(leg.frame_wall_ms));
  }
  text +=
      fmt::format("\nstatistics      {:8.3f} s CPU   {:5.1f} x read, first answer after {:.3f} s\n",
                  result.stats.complete_cpu_s, ratio(result.stats.complete_cpu_s, read),
                  result.stats.first_wall_s);
  text += fmt::format("\nsearch \"{}\"      {:8.3f} s CPU   {:5.1f} x read, {:.3f} s wall, {} hits",
                      searched_terms, result.search.complete_cpu_s,
                      ratio(result.search.complete_cpu_s, read), result.search.complete_wall_s,
                      result.search.hits);
  text += result.search.first_hit_s
              ? fmt::format(", the first after {:.3f} s\n", *result.search.first_hit_s)
              : "\n";
  const auto mib = [](std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; };
  text += fmt::format("\npeak memory {:.0f} MB (our own {:.0f}, mapped files {:.0f})\n",
                      mib(result.memory.peak_bytes), mib(result.memory.anonymous_bytes),
                      mib(result.memory.file_bytes));
  return text;
}

Expected<void> bench(const BenchArguments& arguments, const Cancel& cancel) {
  BenchResult result;
  result.file = arguments.file;
  const auto size = picture_size(arguments.picture);
  if (!size) return tl::make_unexpected(size.error());
  result.size = *size;
  result.scale = arguments.picture.scale;
  result.limits = measure_limits(arguments.file);
  auto offscreen =
      OffscreenViewer::create(*size, static_cast<float>(result.scale), render::dark_theme());
  if (!offscreen) return tl::make_unexpected(offscreen.error());
  result.renderer = (*offscreen)->renderer();
  (*offscreen)->settle(cancel);
  const auto opened = open_measured(**offscreen, arguments.file, cancel);
  if (!opened) return tl::make_unexpected(opened.error());
  result.open = *opened;
  result.events = (*offscreen)->viewer().active()->trace()->event_count;
  Tour tour(**offscreen, cancel);
  result.legs = tour.run();
  // What the last leg left to workers is not part of what comes next.
  (*offscreen)->settle(cancel);
  const auto stats = measure_stats(*(*offscreen)->viewer().active()->trace(), cancel);
  if (!stats) return tl::make_unexpected(stats.error());
  result.stats = *stats;
  if (cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled");
  const auto searched = search_measured((*offscreen)->viewer().active()->trace(), cancel);
  if (!searched) return tl::make_unexpected(searched.error());
  result.search = *searched;
  result.memory = tour.memory();
  StandardOutput output(cancel);
  output.write(arguments.json ? to_json(result) : to_text(result));
  return output.finish();
}

}  // namespace

Action make_bench(CLI::App& arguments, const Cancel& cancel) {
  auto told = std::make_shared<BenchArguments>();
  arguments.add_option("FILE", told->file, "The trace")->required();
  arguments.add_flag("--json", told->json, "As JSON");
  add_picture_options(arguments, told->picture);
  return [told, &cancel] { return bench(*told, cancel); };
}

}  // namespace bytescope::app
