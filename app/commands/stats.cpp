#include <algorithm>
#include <array>
#include <cstdint>
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
#include "core/io/csv_writer.h"
#include "core/io/json_writer.h"
#include "core/query/statistics.h"
#include "core/query/time_argument.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

using query::Statistics;
using query::StatisticsRow;

struct StatsArguments {
  std::shared_ptr<std::string> path;
  std::optional<std::string> range;
  std::vector<std::string> tracks;
  std::string by = "name";
  bool merge_variants = false;
  bool whole = false;
  std::optional<std::uint64_t> top;
  bool json = false;
  bool csv = false;
};

constexpr const char* stats_footer =
    "JSON: "
    "{\"range_us\":[a,b],\"rows\":[{\"name\",\"track\",\"count\",\"cut\",\"total_us\",\"self_us\","
    "\n"
    "\"share\",\"mean_us\",\"min_us\",\"max_us\",\"p50_us\",\"p90_us\",\"p99_us\",\"flops\",\"mem_"
    "Bps\",\n"
    "\"lds_Bps\",\"bytes\",\"Bps\"}]}; CSV has the same columns. Times are in cycles where the "
    "trace's\n"
    "unit is. Spans that the range cuts count with their part inside; \"cut\" is how many. Self "
    "time\n"
    "is without spans nested in the span; percentiles are by nearest rank; the share is that of "
    "the\n"
    "total of all rows; rates are weighted by duration. What is unknown is null. \"name\" is null "
    "when\n"
    "grouped by track, \"track\" when not. Rows by total, descending, then by name.";

std::optional<std::string> name_of(const StatisticsRow& row, const StatsArguments& given) {
  if (given.by == "track") return std::nullopt;
  return row.name;
}

std::optional<std::string> track_of(const trace::Trace& trace, const StatisticsRow& row) {
  if (!row.track) return std::nullopt;
  return trace.tracks[*row.track].head.name;
}

/// Durations that are whole in the file are floats there: the shortest text that reads back.
void write_duration(io::JsonWriter& json, const char* key, double duration) {
  const auto single = static_cast<float>(duration);
  json.key(key);
  if (static_cast<double>(single) == duration) {
    json.value(single);
  } else {
    json.value(duration);
  }
}

std::string to_json(const trace::Trace& trace, const Statistics& answer,
                    const StatsArguments& given) {
  std::string text;
  io::JsonWriter json(text);
  json.begin_object().key("range_us").begin_array();
  json.value(static_cast<double>(answer.range.begin_ns) / 1000);
  json.value(static_cast<double>(answer.range.end_ns) / 1000).end_array();
  json.key("rows").begin_array();
  for (const StatisticsRow& row : answer.rows) {
    json.begin_object().member("name", name_of(row, given)).member("track", track_of(trace, row));
    json.member("count", row.count).member("cut", row.cut);
    json.member("total_us", row.total).member("self_us", row.self).member("share", row.share);
    json.member("mean_us", row.mean);
    write_duration(json, "min_us", row.shortest);
    write_duration(json, "max_us", row.longest);
    write_duration(json, "p50_us", row.p50);
    write_duration(json, "p90_us", row.p90);
    write_duration(json, "p99_us", row.p99);
    json.member("flops", row.flops).member("mem_Bps", row.mem_bytes_per_s);
    json.member("lds_Bps", row.lds_bytes_per_s).member("bytes", row.bytes);
    json.member("Bps", row.bytes_per_s).end_object();
  }
  json.end_array().end_object().end_line();
  return text;
}

std::string to_csv(const trace::Trace& trace, const Statistics& answer,
                   const StatsArguments& given) {
  std::string text =
      "name,track,count,cut,total_us,self_us,share,mean_us,min_us,max_us,p50_us,p90_us,p99_us,"
      "flops,mem_Bps,lds_Bps,bytes,Bps\n";
  io::CsvWriter csv(text);
  for (const StatisticsRow& row : answer.rows) {
    csv.text_or_none(name_of(row, given)).text_or_none(track_of(trace, row));
    csv.number(row.count).number(row.cut).number(row.total).number(row.self).number(row.share);
    csv.number(row.mean).duration(row.shortest).duration(row.longest);
    csv.duration(row.p50).duration(row.p90).duration(row.p99);
    csv.number(row.flops).number(row.mem_bytes_per_s).number(row.lds_bytes_per_s);
    csv.number(row.bytes).number(row.bytes_per_s).end_row();
  }
  return text;
}

/// A column of the table for people; with `has`, left out where no row has anything in it.
struct TextColumn {
  const char* heading = nullptr;
  std::string (*cell)(const StatisticsRow& row, trace::Unit unit) = nullptr;
  bool (*has)(const StatisticsRow& row) = nullptr;
};

template <double StatisticsRow::*duration>
std::string duration_cell(const StatisticsRow& row, trace::Unit unit) {
  return render::duration_text(row.*duration * 1000, unit);
}

constexpr char flops_unit[] = "FLOPS";
constexpr char rate_unit[] = "B/s";
constexpr char bytes_unit[] = "B";

template <std::optional<double> StatisticsRow::*value, const char* unit>
std::string si_cell(const StatisticsRow& row, trace::Unit /*of_durations*/) {
  return row.*value ? trace::si_text(*(row.*value), unit) : std::string();
}

template <std::optional<double> StatisticsRow::*value>
bool has_value(const StatisticsRow& row) {
  return (row.*value).has_value();
}

bool has_bytes(const StatisticsRow& row) { return row.bytes || row.bytes_per_s; }

constexpr std::array text_columns = {
    TextColumn{"count",
               [](const StatisticsRow& row, trace::Unit) { return trace::count_text(row.count); }},
    TextColumn{"cut",
               [](const StatisticsRow& row, trace::Unit) { return trace::count_text(row.cut); },
               [](const StatisticsRow& row) { return row.cut > 0; }},
    TextColumn{"total", duration_cell<&StatisticsRow::total>},
    TextColumn{"share", [](const StatisticsRow& row,
                           trace::Unit) { return trace::percent_text(row.share); }},
    TextColumn{"self", duration_cell<&StatisticsRow::self>},
    TextColumn{"mean", duration_cell<&StatisticsRow::mean>},
    TextColumn{"min", duration_cell<&StatisticsRow::shortest>},
    TextColumn{"p50", duration_cell<&StatisticsRow::p50>},
    TextColumn{"p90", duration_cell<&StatisticsRow::p90>},
    TextColumn{"p99", duration_cell<&StatisticsRow::p99>},
    TextColumn{"max", duration_cell<&StatisticsRow::longest>},
    TextColumn{"FLOPS", si_cell<&StatisticsRow::flops, flops_unit>,
               has_value<&StatisticsRow::flops>},
    TextColumn{"mem", si_cell<&StatisticsRow::mem_bytes_per_s, rate_unit>,
               has_value<&StatisticsRow::mem_bytes_per_s>},
    TextColumn{"lds", si_cell<&StatisticsRow::lds_bytes_per_s, rate_unit>,
               has_value<&StatisticsRow::lds_bytes_per_s>},
    TextColumn{"bytes", si_cell<&StatisticsRow::bytes, bytes_unit>, has_bytes},
    TextColumn{"B/s", si_cell<&StatisticsRow::bytes_per_s, rate_unit>, has_bytes},
};

/// Makes the table for people.
std::string to_text(const trace::Trace& trace, const Statistics& answer,
                    const StatsArguments& given) {
  std::vector<TextTable::Column> headings;
  if (given.by != "track") headings.push_back({"name"});
  if (given.by != "name") headings.push_back({"track"});
  std::vector<const TextColumn*> columns;
  for (const TextColumn& column : text_columns) {
    if (column.has != nullptr && std::none_of(answer.rows.begin(), answer.rows.end(), column.has))
      continue;
    headings.push_back({column.heading, TextTable::Side::right});
    columns.push_back(&column);
  }
  TextTable table(std::move(headings));
  for (const StatisticsRow& row : answer.rows) {
    std::vector<std::string> cells;
    if (given.by != "track") cells.push_back(name_cell(row.name));
    if (given.by != "name") cells.push_back(name_cell(*track_of(trace, row)));
    for (const TextColumn* column : columns) cells.push_back(column->cell(row, trace.unit));
    table.add(std::move(cells));
  }
  return table.text();
}

Expected<query::StatisticsRequest> request_of(const trace::Trace& trace,
                                              const StatsArguments& given, Warnings& warnings) {
  query::StatisticsRequest request;
  request.by_name = given.by != "track";
  request.by_track = given.by != "name";
  request.without_variants = given.merge_variants;
  request.whole_spans = given.whole;
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

Expected<void> print_stats(const StatsArguments& given, const Cancel& cancel) {
  if (given.json && given.csv)
    return failure(ErrorKind::usage, "--json and --csv exclude each other", {}, *given.path);
  const auto trace = open_trace(*given.path, cancel);
  if (!trace) return tl::make_unexpected(trace.error());
  Warnings warnings;
  const auto request = request_of(**trace, given, warnings);
  if (!request) return tl::make_unexpected(request.error());
  auto answer = query::statistics(**trace, *request, cancel);
  if (!answer) return tl::make_unexpected(answer.error());
  warn_of_change(**trace, warnings);
  print_warnings(warnings, *given.path);
  if (given.top && *given.top < answer->rows.size())
    answer->rows.resize(static_cast<std::size_t>(*given.top));
  StandardOutput output(cancel);
  output.write(given.json  ? to_json(**trace, *answer, given)
               : given.csv ? to_csv(**trace, *answer, given)
                           : to_text(**trace, *answer, given));
  return output.finish();
}

}  // namespace

Action make_stats(CLI::App& arguments, const Cancel& cancel) {
  const auto given = std::make_shared<StatsArguments>();
  given->path = add_file(arguments);
  arguments.add_option("--range", given->range, "Only the stretch of time A..B, A.. or ..B");
  add_tracks(arguments, given->tracks,
             "Only this track: its exact name, or #N (from 0); may be given several times. Without "
             "it: all span tracks but batches, TINY and USER");
  arguments
      .add_option("--by", given->by, "What makes a row: name, track or track,name")
      // With strokes between the choices: one of them has a comma.
      ->check(CLI::IsMember({"name", "track", "track,name"}).description("{name|track|track,name}"))
      ->capture_default_str();
  arguments.add_flag("--merge-variants", given->merge_variants,
                     "Count a kernel's variants, such as E_4n2, with E_4");
  arguments.add_flag("--whole", given->whole,
                     "Count spans that start in the range, whole, instead of cutting them");
  add_count<std::uint64_t>(arguments, "--top", given->top, "Only so many rows, the largest totals");
  arguments.add_flag("--json", given->json, "Write one JSON object");
  arguments.add_flag("--csv", given->csv, "Write CSV");
  arguments.footer(stats_footer);
  return [given, &cancel] { return print_stats(*given, cancel); };
}

}  // namespace bytescope::app
