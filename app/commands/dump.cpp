#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "app/commands/count_option.h"
#include "app/commands/open_trace.h"
#include "app/commands/record_json.h"
#include "app/messages.h"
#include "app/standard_output.h"
#include "core/io/json_writer.h"
#include "core/query/track_argument.h"

namespace bytescope::app {
namespace {

struct DumpArguments {
  std::shared_ptr<std::string> path;
  std::optional<std::string> track;
  std::optional<std::uint64_t> first;
  std::optional<std::uint64_t> last;
  bool list = false;
};

/// The records that are asked for: [0, first_end) and [last_begin, count), which do not overlap.
struct Portions {
  std::uint32_t first_end;
  std::uint32_t last_begin;
  std::uint32_t count;
};

Portions portions(const DumpArguments& given, std::uint32_t count) {
  const auto bounded = [count](std::uint64_t records) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(records, count));
  };
  if (!given.first && !given.last) return {count, count, count};
  const std::uint32_t first_end = bounded(given.first.value_or(0));
  const std::uint32_t last_begin = count - bounded(given.last.value_or(0));
  return {first_end, std::max(first_end, last_begin), count};
}

void list_tracks(const trace::Trace& trace, io::JsonWriter& json) {
  for (std::size_t i = 0; i < trace.tracks.size(); ++i) {
    const bytepack::TrackHead& head = trace.tracks[i].head;
    json.begin_object().member("index", i).member("name", head.name);
    json.member("kind", kind_name(head.kind)).end_object().end_line();
  }
}

/// Writes records until the end, or until nobody wants more; false when one cannot be read.
bool write_records(RecordJson& records, std::uint32_t begin, std::uint32_t end,
                   const StandardOutput& output) {
  for (std::uint32_t record = begin; record < end && !output.is_closed(); ++record)
    if (!records.write(record)) return false;
  return true;
}

void dump_track(const trace::Trace& trace, std::uint32_t track, const DumpArguments& given,
                io::JsonWriter& json, const StandardOutput& output) {
  const bytepack::TrackHead& head = trace.tracks[track].head;
  json.begin_object().member("track", head.name).member("kind", kind_name(head.kind));
  json.member("count", head.count).key("records").begin_array().end_line();
  RecordJson records(trace, track, json);
  const Portions wanted = portions(given, head.count);
  const bool readable = write_records(records, 0, wanted.first_end, output) &&
                        write_records(records, wanted.last_begin, wanted.count, output);
  json.end_array().end_object().end_line();
  if (readable && !trace.file->changed()) return;
  Warnings warnings;
  warnings.add("The file changed while it was read; records may be wrong or missing",
               {{}, track, head.name, {}});
  print_warnings(warnings, trace.file->path());
}

Expected<void> dump(const DumpArguments& given, const Cancel& cancel) {
  if (given.list == given.track.has_value())
    return failure(ErrorKind::usage, "Either --track or --list is needed", {}, *given.path);
  const auto trace = open_trace(*given.path, cancel);
  if (!trace) return tl::make_unexpected(trace.error());
  StandardOutput output(cancel);
  io::JsonWriter json([&output](std::string_view text) { output.write(text); });
  if (given.list) {
    list_tracks(**trace, json);
  } else {
    Warnings warnings;
    const auto track = query::track_from_argument(**trace, *given.track, warnings);
    print_warnings(warnings, *given.path);
    if (!track) return tl::make_unexpected(track.error());
    dump_track(**trace, *track, given, json, output);
  }
  json.flush();
  return output.finish();
}

}  // namespace

Action make_dump(CLI::App& arguments, const Cancel& cancel) {
  const auto given = std::make_shared<DumpArguments>();
  given->path = add_file(arguments);
  arguments.add_option("--track", given->track, "The track: its exact name, or #N (from 0)");
  add_count<std::uint64_t>(arguments, "--first", given->first,
                           "Only so many records from the beginning");
  add_count<std::uint64_t>(arguments, "--last", given->last, "Only so many records from the end");
  arguments.add_flag("--list", given->list, "List the tracks instead, one JSON object a line");
  return [given, &cancel] { return dump(*given, cancel); };
}

}  // namespace bytescope::app
