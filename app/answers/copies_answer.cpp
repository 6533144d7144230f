#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "core/query/copies.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

using Facts = std::shared_ptr<const query::CopyFacts>;

std::string or_unknown(const std::string& place) { return place.empty() ? "?" : place; }

Table routes(const std::shared_ptr<const trace::Trace>& trace, const Facts& facts) {
  const std::string u = "_" + unit_suffix(trace->unit);
  Table table;
  table.columns = {text_column("From \u2192 to", "route", 0), number_column("Copies", "count", 88),
                   number_column("Time", "total" + u, 104), number_column("Bytes", "bytes", 92),
                   number_column("Rate", "Bps", 100)};
  table.row_count = facts->groups.size();
  table.text = [trace, facts](std::size_t row, std::size_t column) -> std::string {
    const query::CopyGroup& group = facts->groups[row];
    switch (column) {
      case 0: return or_unknown(group.source) + " \u2192 " + or_unknown(group.destination);
      case 1: return trace::count_text(group.count);
      case 2: return units_text(group.total, trace->unit);
      case 3: return amount_text(group.bytes, "B");
      default: return amount_text(group.bytes_per_s, "B/s");
    }
  };
  table.number = [facts](std::size_t row, std::size_t column) {
    const query::CopyGroup& group = facts->groups[row];
    switch (column) {
      case 1: return static_cast<double>(group.count);
      case 2: return group.total;
      case 3: return number_or_nan(group.bytes);
      default: return number_or_nan(group.bytes_per_s);
    }
  };
  table.share = [facts](std::size_t row) {
    const double most = facts->groups[0].total;
    return most > 0 ? facts->groups[row].total / most : 0;
  };
  return table;
}

Table exposures(const std::shared_ptr<const trace::Trace>& trace, const Facts& facts) {
  const std::string u = "_" + unit_suffix(trace->unit);
  Table table;
  table.columns = {text_column("Device", "device", 0), number_column("Copying", "copying" + u, 100),
                   number_column("Exposed", "exposed" + u, 100),
                   number_column("Exposed share", "exposed_share", 110)};
  table.row_count = facts->exposure.size();
  table.number = [facts](std::size_t row, std::size_t column) {
    const query::CopyExposure& of = facts->exposure[row];
    if (column == 1) return of.copying;
    if (column == 2) return of.exposed;
    return of.copying > 0 ? of.exposed / of.copying : 0;
  };
  table.text = [trace, facts, number = table.number](std::size_t row, std::size_t column) {
    if (column == 0) return track_text(*trace, facts->exposure[row].device);
    return column == 3 ? trace::percent_text(number(row, column))
                       : units_text(number(row, column), trace->unit);
  };
  return table;
}

}  // namespace

void make_copies_answer(const AnswerRequest& request, const Cancel& cancel,
                        const PublishAnswer& publish) {
  query::StatisticsRequest asked;
  if (!request.whole) asked.range = request.range;
  auto found = query::copy_facts(*request.trace, asked, cancel);
  if (!found) return publish_failure(request, found.error(), publish);
  const Facts facts = std::make_shared<const query::CopyFacts>(std::move(*found));
  const std::shared_ptr<Answer> answer = new_answer(request);
  const bool by_device = request.choices[1] == 1;
  answer->table = by_device ? exposures(request.trace, facts) : routes(request.trace, facts);
  double exposed = 0;
  for (const query::CopyExposure& device : facts->exposure) exposed += device.exposed;
  if (!facts->exposure.empty())
    answer->headline = fmt::format("{} of copying while the device computes nothing",
                                   units_text(exposed, request.trace->unit));
  if (by_device) {
    answer->target = [facts](std::size_t row, io::PageReader&) -> RowTarget {
      const query::Stretch& longest = facts->exposure[row].longest_exposed;
      if (longest.length() <= 0) return {};
      return query::TimeRange{ns_of(longest.begin), ns_of(longest.end)};
    };
    answer->notice = "A click shows the longest stretch of copying while nothing is computed.";
  } else {
    answer->target = [trace = request.trace, facts](std::size_t row,
                                                    io::PageReader& reader) -> RowTarget {
      const query::TrackRecord& longest = facts->groups[row].longest_at;
      return span_target(*trace, reader, longest.track, longest.record);
    };
  }
  if (facts->groups.empty()) answer->notice = "There are no copies here.";
  publish(answer);
}

}  // namespace bytescope::app
