#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "core/query/search.h"
#include "core/query/search_match.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

using query::SearchHit;
using query::SearchResult;

/// So many hits are listed; next and previous reach all of them.
constexpr std::size_t most_listed = 5000;
/// So many tracks are told with their hits.
constexpr std::size_t most_tracks_told = 6;

constexpr std::size_t duration_column = 2;
constexpr std::size_t matched_column = 4;
/// Where none of so many hits was found by its info, there is no column for that.
constexpr std::size_t most_asked_for_infos = 200;
/// What is not in so much of an info is not shown.
constexpr std::size_t most_info_bytes = 64 << 10;

/// The hits that have rows: the first of all by time, then the longest of the others. Texts are
/// read when their rows are drawn.
struct FoundRows {
  std::shared_ptr<const SearchResult> result;
  std::shared_ptr<std::vector<SearchHit>> hits;
  std::vector<bool> is_longest;  // by row: among the longest
  mutable io::PageReader reader;

  explicit FoundRows(std::shared_ptr<const SearchResult> found);
  std::string text(std::size_t row, std::size_t column) const;
  std::string matched(const SearchHit& hit) const;
  bool any_by_info() const;
  bool belongs(std::size_t row, std::size_t column, bool descending) const {
    if (column == duration_column && descending) return is_longest[row];
    return row < result->by_time.size();
  }
};

FoundRows::FoundRows(std::shared_ptr<const SearchResult> found)
    : result(std::move(found)),
      hits(std::make_shared<std::vector<SearchHit>>(result->by_time)),
      is_longest(hits->size()),
      reader(result->trace->file) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> rows;
  for (std::size_t row = 0; row < hits->size(); ++row)
    rows.emplace(std::pair((*hits)[row].track, (*hits)[row].record), row);
  for (const SearchHit& hit : result->by_duration) {
    const auto known = rows.find({hit.track, hit.record});
    if (known != rows.end()) {
      is_longest[known->second] = true;
    } else {
      hits->push_back(hit);
      is_longest.push_back(true);
    }
  }
  // Markers last no time: they stand behind all spans where these are all listed.
  if (result->hits() > most_listed) return;
  for (std::size_t row = 0; row < hits->size(); ++row)
    is_longest[row] = is_longest[row] || (*hits)[row].is_marker();
}

std::string FoundRows::text(std::size_t row, std::size_t column) const {
  const trace::Trace& trace = *result->trace;
  const SearchHit& hit = (*hits)[row];
  switch (column) {
    case 0:
      if (hit.is_marker()) return trace.index->markers[hit.record].name.value_or("");
      return trace.text(reader, trace.span(reader, hit.track, hit.record).name);
    case 1: return moment_text(static_cast<double>(hit.start_ns) / 1000, trace.unit);
    case duration_column:
      return hit.is_marker() ? "" : units_text(double{hit.duration}, trace.unit);
    case matched_column: return matched(hit);
    default: return hit.is_marker() ? "marker" : track_text(trace, hit.track);
  }
}

/// What of the info of a hit was looked for, where its name does not tell.
std::string FoundRows::matched(const SearchHit& hit) const {
  if (hit.is_marker()) return {};
  const trace::Trace& trace = *result->trace;
  const auto span = trace.span(reader, hit.track, hit.record);
  return query::matched_info(result->terms, trace.text(reader, span.name),
                             trace.index->strings.text(reader, span.info, most_info_bytes));
}

bool FoundRows::any_by_info() const {
  const auto end =
      hits->begin() + static_cast<std::ptrdiff_t>(std::min(hits->size(), most_asked_for_infos));
  return std::any_of(hits->begin(), end,
                     [this](const SearchHit& hit) { return !matched(hit).empty(); });
}

std::string headline_of(const SearchResult& result) {
  std::string text = fmt::format("{} hits", trace::count_text(result.hits()));
  if (!result.complete && result.records_total > 0) {
    text += fmt::format(", {} searched",
                        trace::percent_text(static_cast<double>(result.records_searched) /
                                            static_cast<double>(result.records_total)));
  }
  return text;
}

std::string notice_of(const SearchResult& result) {
  std::string notice;
  if (result.hits() == 0 && result.complete) {
    return "Nothing matches all of it: every word has to be in the name or the info of one span, "
           "or "
           "in a marker.";
  }
  if (result.hits() > most_listed) {
    notice = fmt::format(
        "The first {0} are listed, by duration the longest {0}; Enter and F3 reach all.   ",
        trace::count_text(most_listed));
  }
  std::size_t told = 0;
  for (std::uint32_t i = 0; i < result.tracks.size(); ++i) {
    if (result.tracks[i].count() == 0 || told++ >= most_tracks_told) continue;
    notice += fmt::format("{} {}   ", track_text(*result.trace, i),
                          trace::count_text(result.tracks[i].count()));
  }
  if (!result.markers.empty())
    notice += fmt::format("markers {}   ", trace::count_text(result.markers.size()));
  if (told > most_tracks_told) notice += fmt::format("and {} tracks more", told - most_tracks_told);
  return notice;
}

std::shared_ptr<const Answer> answer_of(const AnswerRequest& request,
                                        const std::shared_ptr<const SearchResult>& result) {
  const std::shared_ptr<Answer> answer = new_answer(request);
  const auto rows = std::make_shared<const FoundRows>(result);
  const std::string u = unit_suffix(request.trace->unit);
  answer->table.columns = {text_column("Hit", "name", 0), number_column("At", "start_" + u, 150),
                           number_column("Duration", "duration_" + u, 96),
                           text_column("Track", "track", 180)};
  if (rows->any_by_info())
    answer->table.columns.push_back(text_column("Found in its info", "matched", 240));
  answer->table.row_count = rows->hits->size();
  answer->table.text = [rows](std::size_t row, std::size_t column) {
    return rows->text(row, column);
  };
  answer->table.belongs = [rows](std::size_t row, std::size_t column, bool descending) {
    return rows->belongs(row, column, descending);
  };
  answer->table.number = [rows](std::size_t row, std::size_t column) {
    const SearchHit& hit = (*rows->hits)[row];
    if (column == 1) return static_cast<double>(hit.start_ns) / 1000;
    return number_or_nan(hit.is_marker() ? std::nullopt : std::optional(double{hit.duration}));
  };
  answer->target = [rows](std::size_t row, io::PageReader& reader) -> RowTarget {
    const SearchHit& hit = (*rows->hits)[row];
    if (hit.is_marker()) return hit.start_ns;
    return span_target(*rows->result->trace, reader, hit.track, hit.record);
  };
  answer->headline = headline_of(*result);
  answer->notice = notice_of(*result);
  answer->complete = result->complete;
  answer->search = result;
  answer->listed_hits = rows->hits;
  return answer;
}

}  // namespace

void make_search_answer(const AnswerRequest& request, const Cancel& cancel,
                        const PublishAnswer& publish) {
  const auto terms = query::parse_search_line(request.text);
  const std::shared_ptr<Answer> empty = new_answer(request);
  if (!terms) {
    empty->error = terms.error().text(request.text);
    return publish(empty);
  }
  if (terms->empty()) {
    empty->notice =
        "Words in any order, \"a phrase\", /a pattern/, name: info: track: before any of them, "
        "dur>100us. A time (1.5ms, a marker's name) and Enter: go there.";
    return publish(empty);
  }
  query::SearchRequest asked;
  asked.trace = request.trace;
  asked.terms = *terms;
  asked.known = request.known_search;
  asked.listed = most_listed;
  query::run_search(asked, cancel, [&](const std::shared_ptr<const SearchResult>& found) {
    publish(answer_of(request, found));
  });
}

}  // namespace bytescope::app
