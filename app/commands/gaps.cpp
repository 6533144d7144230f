#include "core/query/gaps.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/commands/count_option.h"
#include "app/commands/open_trace.h"
#include "app/commands/text_table.h"
#include "app/messages.h"
#include "app/standard_output.h"
#include "core/io/json_writer.h"
#include "core/query/gap_context.h"
#include "core/query/time_argument.h"
#include "core/query/track_record.h"
#include "core/trace/ansi.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

using query::Gap;
using query::GapCompany;
using query::GapContext;

struct GapsArguments {
  std::shared_ptr<std::string> path;
  std::optional<std::string> range;
  std::vector<std::string> tracks;
  std::optional<std::string> min;
  std::uint64_t top = 1000;
  bool json = false;
};

constexpr const char* gaps_footer =
    "A gap is a stretch between two spans of a track in which none of its spans runs, in whatever\n"
    "lane. Starts are cut to whole microseconds: gaps under 2 us are below the file's resolution\n"
    "(\"below_resolution\") and only listed with a smaller --min. Inside batches (\"batches\": "
    "the\n"
    "device's family has a Graph track) times are chained, and gaps are not seen.\n"
    "\n"
    "JSON: {\"range_us\":[a,b],\"min_us\",\n"
    "\"tracks\":[{\"track\",\"gaps\",\"idle_us\",\"batches\"}],  all of at least the minimal "
    "length\n"
    "\"gaps\":[{\"track\",\"begin_us\",\"end_us\",\"length_us\",\"below_resolution\",\n"
    "\"before\":{\"index\",\"name\"},\"after\":{\"index\",\"name\"},  the spans of the track "
    "around it\n"
    "\"host\":{\"track\",\"index\",\"name\",\"share\"},  of a host track or USER, or null\n"
    "\"compiler\":{\"track\",\"index\",\"name\",\"share\"},  of TINY, or null\n"
    "\"compiler_share\",\"compiling\"}]}\n"
    "Host and compiler: the deepest span that covers at least half of the gap, else the one that\n"
    "covers most of it; \"share\" is how much of the gap it covers. \"compiler_share\" is that of "
    "all\n"
    "of TINY's spans, \"compiling\" whether it is at least a half. Names are without colour "
    "codes.\n"
    "Longest first, then by begin.";

/// What is listed, with the words for it.
class GapsText {
public:
  GapsText(const trace::Trace& trace, const query::Gaps& gaps)
      : trace_(trace), gaps_(gaps), reader_(trace.file) {}

  std::string json(const query::TimeRange& range, double min_length) {
    std::string text;
    io::JsonWriter json(text);
    json.begin_object().key("range_us").begin_array();
    json.value(static_cast<double>(range.begin_ns) / 1000);
    json.value(static_cast<double>(range.end_ns) / 1000).end_array();
    json.member("min_us", min_length).key("tracks").begin_array();
    for (const query::TrackIdle& idle : gaps_.tracks) {
      json.begin_object().member("track", track_name(idle.track)).member("gaps", idle.gaps);
      json.member("idle_us", idle.idle).member("batches", idle.has_batches).end_object();
    }
    json.end_array().key("gaps").begin_array();
    for (const Gap& gap : gaps_.gaps) write_gap(json, gap);
    json.end_array().end_object().end_line();
    return text;
  }

  std::string table() {
    using Side = TextTable::Side;
    TextTable table({{"length", Side::right},
                     {"begin", Side::right},
                     {"track"},
                     {"before"},
                     {"after"},
                     {"meanwhile"}});
    for (const Gap& gap : gaps_.gaps) {
      const GapContext context = query::gap_context(trace_, reader_, gap);
      std::string length = render::duration_text(gap.length() * 1000, trace_.unit);
      if (gap.below_resolution) length += "?";
      table.add({length,
                 render::time_text(static_cast<std::int64_t>(gap.begin * 1000), trace_.unit),
                 name_cell(track_name(gap.track)), name_cell(name_of({gap.track, gap.before}), 32),
                 name_cell(name_of({gap.track, gap.after}), 32), meanwhile(context)});
    }
    return table.text() + "\n" + idle_table();
  }

private:
  const std::string& track_name(std::uint32_t track) const {
    return trace_.tracks[track].head.name;
  }

  std::string name_of(const query::TrackRecord& at) {
    return trace::plain_text(trace_.text(reader_, trace_.span(reader_, at.track, at.record).name));
  }

  void write_neighbour(io::JsonWriter& json, const char* key, const query::TrackRecord& at) {
    json.key(key).begin_object().member("index", at.record).member("name", name_of(at));
    json.end_object();
  }

  void write_company(io::JsonWriter& json, const char* key,
                     const std::optional<GapCompany>& company) {
    json.key(key);
    if (!company) {
      json.null();
      return;
    }
    json.begin_object().member("track", track_name(company->span.track));
    json.member("index", company->span.record).member("name", name_of(company->span));
    json.member("share", company->share).end_object();
  }

  void write_gap(io::JsonWriter& json, const Gap& gap) {
    const GapContext context = query::gap_context(trace_, reader_, gap);
    json.begin_object().member("track", track_name(gap.track)).member("begin_us", gap.begin);
    json.member("end_us", gap.end).member("length_us", gap.length());
    json.member("below_resolution", gap.below_resolution);
    write_neighbour(json, "before", {gap.track, gap.before});
    write_neighbour(json, "after", {gap.track, gap.after});
    write_company(json, "host", context.host);
    write_company(json, "compiler", context.compiler);
    json.member("compiler_share", context.compiler_share);
    json.member("compiling", context.compiling()).end_object();
  }

  std::string meanwhile(const GapContext& context) {
    std::string text;
    if (context.compiling()) text = "compiling";
    for (const auto& company : {context.compiler, context.host}) {
      if (!company || !company->matters()) continue;
      if (!text.empty()) text += ", ";
      text +=
          fmt::format("{} {} ({})", name_cell(track_name(company->span.track)),
                      name_cell(name_of(company->span), 40), trace::percent_text(company->share));
    }
    return text;
  }

  std::string idle_table() const {
    using Side = TextTable::Side;
    TextTable table({{"track"}, {"gaps", Side::right}, {"idle", Side::right}, {""}});
    for (const query::TrackIdle& idle : gaps_.tracks) {
      table.add({name_cell(track_name(idle.track)), trace::count_text(idle.gaps),
                 render::duration_text(idle.idle * 1000, trace_.unit),
                 idle.has_batches ? "runs batches: gaps inside them are not seen" : ""});
    }
    return table.text();
  }

  const trace::Trace& trace_;
  const query::Gaps& gaps_;
  io::PageReader reader_;
};

Expected<query::GapRequest> request_of(const trace::Trace& trace, const GapsArguments& given,
                                       Warnings& warnings) {
  query::GapRequest request;
  request.limit = static_cast<std::size_t>(given.top);
  if (trace.unit == trace::Unit::cycles) request.min_length = 0;
  if (given.min) {
    const auto ns = query::ns_from_number_text(*given.min);
    if (!ns || *ns < 0) {
      return failure(ErrorKind::usage, fmt::format("\"{}\" is not a length of time", *given.min),
                     {}, *given.path);
    }
    request.min_length = static_cast<double>(*ns) / 1000;
  }
  const auto tracks = span_tracks_from_arguments(trace, given.tracks, warnings);
  if (!tracks) return tl::make_unexpected(tracks.error());
  request.tracks = *tracks;
  if (given.range) {
    const auto range = query::range_from_argument(trace, *given.range);
    if (!range) return tl::make_unexpected(range.error());
    request.range = *range;
  }
  return request;
}

Expected<void> print_gaps(const GapsArguments& given, const Cancel& cancel) {
  const auto trace = open_trace(*given.path, cancel);
  if (!trace) return tl::make_unexpected(trace.error());
  Warnings warnings;
  const auto request = request_of(**trace, given, warnings);
  if (!request) return tl::make_unexpected(request.error());
  const auto gaps = query::find_gaps(**trace, *request, cancel);
  if (!gaps) return tl::make_unexpected(gaps.error());
  const query::TimeRange range = request->range.value_or(
      query::TimeRange{0, trace::ns_from_unit((*trace)->frame.duration_us)});
  GapsText texts(**trace, *gaps);
  const std::string text = given.json ? texts.json(range, request->min_length) : texts.table();
  if (cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled");
  warn_of_change(**trace, warnings);
  print_warnings(warnings, *given.path);
  StandardOutput output(cancel);
  output.write(text);
  return output.finish();
}

}  // namespace

Action make_gaps(CLI::App& arguments, const Cancel& cancel) {
  const auto given = std::make_shared<GapsArguments>();
  given->path = add_file(arguments);
  add_tracks(arguments, given->tracks,
             "Only this track: its exact name, or #N (from 0); may be given several times. Without "
             "it: all devices");
  arguments.add_option("--min", given->min, "The shortest gap that counts (2us; cycles: 0)")
      ->type_name("TIME");
  arguments.add_option("--range", given->range, "Only gaps inside the stretch A..B, A.. or ..B");
  add_count<std::uint64_t>(arguments, "--top", given->top,
                           "At most so many gaps, the longest (1000)");
  arguments.add_flag("--json", given->json, "Write one JSON object instead of a table");
  arguments.footer(gaps_footer);
  return [given, &cancel] { return print_gaps(*given, cancel); };
}

}  // namespace bytescope::app
