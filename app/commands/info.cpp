#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/commands/open_trace.h"
#include "app/commands/text_table.h"
#include "app/messages.h"
#include "app/standard_output.h"
#include "core/io/json_writer.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

using bytepack::TrackKind;

void write_markers(io::JsonWriter& json, const trace::Trace& trace) {
  json.key("markers").begin_array();
  for (const bytepack::FileMarker& marker : trace.index->markers) {
    json.begin_object().member("time_us", marker.time_us);
    json.member("name", marker.name).member("color", marker.color).end_object();
  }
  json.end_array();
}

void write_warnings(io::JsonWriter& json, const Warnings& warnings) {
  std::vector<Warning> all = warnings.list();
  if (warnings.dropped() != 0) all.push_back({dropped_text(warnings), {}});
  json.key("warnings").begin_array();
  for (const Warning& warning : all) {
    json.begin_object().member("message", warning.message).member("byte", warning.where.byte);
    json.member("track", warning.where.track).member("record", warning.where.record).end_object();
  }
  json.end_array();
}

void write_track(io::JsonWriter& json, const trace::Track& track) {
  json.begin_object().member("name", track.head.name);
  json.member("kind", kind_name(track.head.kind)).member("count", track.head.count);
  if (track.spans) json.member("lanes", track.spans->lane_count);
  if (track.head.kind != TrackKind::spans) json.member("peak", track.head.peak);
  if (track.memory) {
    json.member("allocations", track.memory->buffers.size()).member("frees", track.memory->frees);
    json.member("never_freed", track.memory->never_freed);
  }
  json.end_object();
}

std::string info_json(const trace::Trace& trace, double open_seconds) {
  std::string text;
  io::JsonWriter json(text);
  json.begin_object().member("file", trace.file->path()).member("bytes", trace.file->size_bytes());
  json.member("dialect", std::string_view(&trace.dialect->letter, 1));
  json.key("dialects").begin_array();
  for (const char& letter : trace.fitting_dialects) json.value(std::string_view(&letter, 1));
  json.end_array();
  json.member("unit", trace.unit == trace::Unit::cycles ? "cycles" : "us");
  json.member("duration_us", trace.frame.duration_us).member("peak_bytes", trace.frame.peak_bytes);
  json.member("events", trace.event_count).member("strings", trace.index->strings.size());
  json.member("index_bytes", trace.frame.index_bytes).key("index_keys").begin_array();
  for (const std::string& key : trace.index->keys) json.value(key);
  json.end_array();
  write_markers(json, trace);
  write_warnings(json, trace.warnings);
  json.key("tracks").begin_array();
  for (const trace::Track& track : trace.tracks) write_track(json, track);
  json.end_array().member("open_seconds", open_seconds).end_object().end_line();
  return text;
}

std::string dialects_text(const trace::Trace& trace) {
  std::string text = fmt::format("{}, since {}", trace.dialect->letter, trace.dialect->since);
  if (trace.fitting_dialects.size() < 2) return text;
  return text + fmt::format("; reads as well as {}", fmt::join(trace.fitting_dialects, " "));
}

std::string heading_text(const trace::Trace& trace, double open_seconds) {
  const bytepack::JsonIndex& index = *trace.index;
  std::string text;
  const auto line = [&text](std::string_view key, const std::string& value) {
    text += fmt::format("{:<10} {}\n", key, value);
  };
  const auto size = [](std::uint64_t bytes) {
    return fmt::format("{} ({})", trace::bytes_text(bytes), trace::exact_bytes_text(bytes));
  };
  line("file", printable_line(trace.file->path()));
  line("size", size(trace.file->size_bytes()));
  line("dialect", dialects_text(trace));
  line("duration", render::time_text(trace::ns_from_unit(trace.frame.duration_us), trace.unit));
  line("events", fmt::format("{} in {} tracks", trace::count_text(trace.event_count),
                             trace::count_text(trace.tracks.size())));
  const bool has_memory =
      std::any_of(trace.tracks.begin(), trace.tracks.end(),
                  [](const trace::Track& track) { return track.memory != nullptr; });
  if (has_memory) line("peak", size(trace.frame.peak_bytes));
  line("strings", fmt::format("{} in an index of {}", trace::count_text(index.strings.size()),
                              trace::bytes_text(trace.frame.index_bytes)));
  line("keys", printable_line(fmt::format("{}", fmt::join(index.keys, ", "))));
  line("markers", trace::count_text(index.markers.size()));
  line("opened in", fmt::format("{:.3f} s", open_seconds));
  return text;
}

std::string tracks_text(const trace::Trace& trace) {
  using Side = TextTable::Side;
  TextTable table({{"#", Side::right},
                   {"track"},
                   {"kind"},
                   {"records", Side::right},
                   {"lanes", Side::right},
                   {"peak", Side::right},
                   {"buffers", Side::right},
                   {"frees", Side::right},
                   {"never freed", Side::right}});
  for (std::size_t i = 0; i < trace.tracks.size(); ++i) {
    const trace::Track& track = trace.tracks[i];
    std::vector<std::string> cells = {std::to_string(i), name_cell(track.head.name),
                                      kind_name(track.head.kind),
                                      trace::count_text(track.head.count)};
    cells.push_back(track.spans ? trace::count_text(track.spans->lane_count) : "");
    // A line may count anything.
    cells.push_back(track.line     ? trace::count_text(track.line->peak)
                    : track.memory ? trace::bytes_text(track.head.peak)
                                   : "");
    for (const std::uint64_t count :
         track.memory ? std::vector<std::uint64_t>{track.memory->buffers.size(),
                                                   track.memory->frees, track.memory->never_freed}
                      : std::vector<std::uint64_t>{}) {
      cells.push_back(trace::count_text(count));
    }
    table.add(std::move(cells));
  }
  return table.text();
}

Expected<void> print_info(const std::string& path, bool as_json, const Cancel& cancel) {
  const auto begin = std::chrono::steady_clock::now();
  const auto trace = open_trace(path, cancel);
  if (!trace) return tl::make_unexpected(trace.error());
  const std::chrono::duration<double> open_time = std::chrono::steady_clock::now() - begin;
  StandardOutput output(cancel);
  if (as_json) {
    output.write(info_json(**trace, open_time.count()));
  } else {
    output.write(heading_text(**trace, open_time.count()) + "\n" + tracks_text(**trace));
  }
  return output.finish();
}

}  // namespace

Action make_info(CLI::App& arguments, const Cancel& cancel) {
  const auto path = add_file(arguments);
  const auto as_json = std::make_shared<bool>(false);
  arguments.add_flag("--json", *as_json, "Write one JSON object instead of a summary");
  return [path, as_json, &cancel] { return print_info(*path, *as_json, cancel); };
}

}  // namespace bytescope::app
