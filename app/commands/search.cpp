#include "core/query/search.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/commands/open_trace.h"
#include "app/commands/text_cache.h"
#include "app/commands/text_table.h"
#include "app/commands/time_json.h"
#include "app/messages.h"
#include "app/progress_line.h"
#include "app/standard_output.h"
#include "core/io/json_writer.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

using query::SearchHit;

/// More rows than that are for --json.

struct SearchArguments {
  std::shared_ptr<std::string> path;
  std::vector<std::string> terms;
  bool json = false;
};

/// A page for each track that is walked over at the same time, within reason.
std::size_t pages_for(const query::SearchResult& result) {
  constexpr std::size_t most_pages = 1024;
  return std::clamp<std::size_t>(2 * result.tracks.size(), 64, most_pages);
}

const std::string& marker_name(const trace::Trace& trace, const SearchHit& hit) {
  return *trace.index->markers[hit.record].name;
}

void write_json(const query::SearchResult& result, const std::string& line, io::JsonWriter& json,
                const StandardOutput& output) {
  const trace::Trace& trace = *result.trace;
  json.begin_object().member("terms", line).member("hits", result.hits());
  json.key("tracks").begin_array();
  for (std::size_t i = 0; i < result.tracks.size(); ++i) {
    if (result.tracks[i].count() == 0) continue;
    json.begin_object().member("index", i).member("name", trace.tracks[i].head.name);
    json.member("count", result.tracks[i].count()).end_object();
  }
  json.end_array().key("markers").begin_array();
  for (const SearchHit& hit : result.markers) {
    json.begin_object().member("index", hit.record).member("name", marker_name(trace, hit));
    json.member("time_us", *trace.index->markers[hit.record].time_us).end_object();
  }
  json.end_array().key("spans").begin_array().end_line();
  io::PageReader reader(trace.file, pages_for(result));
  TextCache texts(trace, reader);
  query::HitsInOrder hits(result, reader);
  while (!output.is_closed()) {
    const std::optional<SearchHit> hit = hits.next();
    if (!hit) break;
    if (hit->is_marker()) continue;
    const bytepack::SpanRecord span = trace.span(reader, hit->track, hit->record);
    json.begin_object().member("track", trace.tracks[hit->track].head.name);
    json.member("index", hit->record).member("name", texts.text(span.name));
    json.member("start_us", span.start).member("duration_us", span.duration);
    json.end_object().end_line();
  }
  json.end_array().end_object().end_line();
}

std::string counts_text(const query::SearchResult& result) {
  using Side = TextTable::Side;
  TextTable table({{"hits", Side::right}, {"track"}});
  for (std::size_t i = 0; i < result.tracks.size(); ++i) {
    if (result.tracks[i].count() == 0) continue;
    table.add({trace::count_text(result.tracks[i].count()),
               name_cell(result.trace->tracks[i].head.name)});
  }
  if (!result.markers.empty()) table.add({trace::count_text(result.markers.size()), "(markers)"});
  return table.text();
}

std::string to_text(const query::SearchResult& result) {
  using Side = TextTable::Side;
  const trace::Trace& trace = *result.trace;
  std::string text = fmt::format("{} hits\n", trace::count_text(result.hits()));
  if (result.hits() == 0) return text;
  text += "\n" + counts_text(result) + "\n";
  TextTable table({{"start", Side::right},
                   {"duration", Side::right},
                   {"track"},
                   {"index", Side::right},
                   {"name"}});
  io::PageReader reader(trace.file, pages_for(result));
  TextCache texts(trace, reader);
  for (const SearchHit& hit : result.by_time) {
    const std::string start = render::time_text(hit.start_ns, trace.unit);
    if (hit.is_marker()) {
      table.add(
          {start, "", "(marker)", std::to_string(hit.record), name_cell(marker_name(trace, hit))});
      continue;
    }
    const bytepack::SpanRecord span = trace.span(reader, hit.track, hit.record);
    table.add({start, render::duration_text(static_cast<double>(hit.duration) * 1000, trace.unit),
               name_cell(trace.tracks[hit.track].head.name), std::to_string(hit.record),
               name_cell(texts.text(span.name))});
  }
  text += table.text();
  if (result.by_time.size() < result.hits())
    text += fmt::format("and {} more (--json tells all)\n",
                        trace::count_text(result.hits() - result.by_time.size()));
  return text;
}

Expected<void> print_hits(const SearchArguments& given, const Cancel& cancel) {
  const std::string line = fmt::format("{}", fmt::join(given.terms, " "));
  const auto terms = query::parse_search_line(line);
  if (!terms)
    return failure(ErrorKind::usage, printable_line(terms.error().text(line)), {}, *given.path);
  if (terms->empty())
    return failure(ErrorKind::usage, "There is nothing to look for", {}, *given.path);
  const auto trace = open_trace(*given.path, cancel);
  if (!trace) return tl::make_unexpected(trace.error());
  std::shared_ptr<const query::SearchResult> result;
  {
    Progress progress;
    const ProgressLine shown("searching", progress);
    result =
        query::run_search({*trace, *terms, nullptr, most_text_rows, 2}, cancel, nullptr, &progress);
  }
  if (!result && cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled");
  if (!result) return failure(ErrorKind::machine, "There is not enough memory", {}, *given.path);
  StandardOutput output(cancel);
  if (given.json) {
    io::JsonWriter json([&output](std::string_view text) { output.write(text); });
    write_json(*result, line, json, output);
    json.flush();
  } else {
    output.write(to_text(*result));
  }
  return output.finish();
}

}  // namespace

Action make_search(CLI::App& arguments, const Cancel& cancel) {
  const auto given = std::make_shared<SearchArguments>();
  given->path = add_file(arguments);
  arguments.add_option("TERMS", given->terms, "What to look for; all of it must match")->required();
  arguments.add_flag("--json", given->json, "Write one JSON object instead of tables");
  arguments.footer(
      "Terms, with spaces between them:\n"
      "  word            in the name or the info, in any case; colour codes do not count\n"
      "  \"two words\"     the same with spaces (quote it for the shell too)\n"
      "  /pattern/       a regular expression of RE2's syntax, in any case unless it says (?-i)\n"
      "  name:… info:… track:…   only there; before a word, a phrase or a pattern\n"
      "  dur>100us dur>=… dur<5ms dur<=…   the duration\n"
      "Words and name: find markers too. In JSON: "
      "{\"terms\",\"hits\",\"tracks\":[{\"index\",\"name\",\n"
      "\"count\"}],\"markers\":[{\"index\",\"name\",\"time_us\"}],\"spans\":[{\"track\",\"index\","
      "\"name\",\n"
      "\"start_us\",\"duration_us\"}]}: tracks with hits in the order of the file, spans by time; "
      "names\n"
      "raw, index as in dump.");
  return [given, &cancel] { return print_hits(*given, cancel); };
}

}  // namespace bytescope::app
