#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "core/query/statistics.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

using query::Statistics;
using query::StatisticsRow;

/// Rows beyond these are of no use to a reader; the totals count them all the same.
enum Grouping : std::uint8_t { by_name, without_variants, by_name_and_track, by_track };

query::StatisticsRequest request_of(const AnswerRequest& request) {
  query::StatisticsRequest asked;
  if (!request.whole) asked.range = request.range;
  asked.by_name = request.choices[1] != by_track;
  asked.by_track = request.choices[1] == by_track || request.choices[1] == by_name_and_track;
  asked.without_variants = request.choices[1] == without_variants;
  const std::vector<std::uint32_t> tracks = statistics_tracks(*request.trace);
  const std::size_t chosen = request.choices[2];
  if (chosen > 0 && chosen <= tracks.size()) asked.tracks = {tracks[chosen - 1]};
  return asked;
}

/// A column: its title, how it is copied, and what stands in it.
struct Column {
  TableColumn column;
  std::function<double(const StatisticsRow& row)> number;
  std::function<std::string(const StatisticsRow& row, trace::Unit unit)> text;
};

/// A rate as a share of what the row's devices can do; NaN where either is unknown.
double share_of_peak(const StatisticsRow& row, const CardTable& cards,
                     const std::optional<double>& rate, double CardLimits::*peak) {
  const double most = row.family.empty() ? 0 : limits_of(cards, row.family).*peak;
  return number_or_nan(rate && most > 0 ? std::optional(*rate / most) : std::nullopt);
}

/// A column of such shares, beside that of the rate.
Column peak_column(const char* copied_name, const std::shared_ptr<const CardTable>& cards,
                   std::optional<double> StatisticsRow::*rate, double CardLimits::*peak) {
  const auto share = [cards, rate, peak](const StatisticsRow& row) {
    return share_of_peak(row, *cards, row.*rate, peak);
  };
  return {
      number_column("Of peak", copied_name, 72), share,
      [share](const StatisticsRow& row, trace::Unit) { return trace::percent_text(share(row)); }};
}

std::vector<Column> columns_of(trace::Unit unit, const std::shared_ptr<const CardTable>& cards) {
  using Row = StatisticsRow;
  using Unit = trace::Unit;
  const std::string u = "_" + unit_suffix(unit);
  // clang-format off
  return {
      { number_column("Count", "count", 80),          [](const Row& r) { return static_cast<double>(r.count); },        [](const Row& r, Unit) { return trace::count_text(r.count); } },
      { number_column("Total", "total" + u, 104),     [](const Row& r) { return r.total; },                             [](const Row& r, Unit t) { return units_text(r.total, t); } },
      { number_column("Share", "share", 64),          [](const Row& r) { return r.share; },                             [](const Row& r, Unit) { return trace::percent_text(r.share); } },
      { number_column("Of track", "track_share", 72), [](const Row& r) { return r.track_share; },                       [](const Row& r, Unit) { return trace::percent_text(r.track_share); } },
      { number_column("Self", "self" + u, 104),       [](const Row& r) { return r.self; },                              [](const Row& r, Unit t) { return units_text(r.self, t); } },
      { number_column("Mean", "mean" + u),            [](const Row& r) { return r.mean; },                              [](const Row& r, Unit t) { return units_text(r.mean, t); } },
      { number_column("Min", "min" + u),              [](const Row& r) { return r.shortest; },                          [](const Row& r, Unit t) { return units_text(r.shortest, t); } },
      { number_column("p50", "p50" + u),              [](const Row& r) { return r.p50; },                               [](const Row& r, Unit t) { return units_text(r.p50, t); } },
      { number_column("p90", "p90" + u),              [](const Row& r) { return r.p90; },                               [](const Row& r, Unit t) { return units_text(r.p90, t); } },
      { number_column("p99", "p99" + u),              [](const Row& r) { return r.p99; },                               [](const Row& r, Unit t) { return units_text(r.p99, t); } },
      { number_column("Max", "max" + u),              [](const Row& r) { return r.longest; },                           [](const Row& r, Unit t) { return units_text(r.longest, t); } },
      { number_column("FLOPS", "flops", 100),         [](const Row& r) { return number_or_nan(r.flops); },              [](const Row& r, Unit) { return amount_text(r.flops, "FLOPS"); } },
      peak_column("flops_share", cards, &Row::flops, &CardLimits::flops),
      { number_column("Memory", "mem_Bps", 90),       [](const Row& r) { return number_or_nan(r.mem_bytes_per_s); },    [](const Row& r, Unit) { return amount_text(r.mem_bytes_per_s, "B/s"); } },
      peak_column("mem_share", cards, &Row::mem_bytes_per_s, &CardLimits::bytes_per_s),
      { number_column("LDS", "lds_Bps", 90),          [](const Row& r) { return number_or_nan(r.lds_bytes_per_s); },    [](const Row& r, Unit) { return amount_text(r.lds_bytes_per_s, "B/s"); } },
      { number_column("Copied", "bytes"),             [](const Row& r) { return number_or_nan(r.bytes); },              [](const Row& r, Unit) { return amount_text(r.bytes, "B"); } },
      { number_column("Rate", "Bps", 90),             [](const Row& r) { return number_or_nan(r.bytes_per_s); },        [](const Row& r, Unit) { return amount_text(r.bytes_per_s, "B/s"); } },
  };
  // clang-format on
}

/// Columns in which nothing stands take room from the others.
bool is_empty_column(const Column& column, const Statistics& statistics) {
  return std::all_of(statistics.rows.begin(), statistics.rows.end(), [&](const StatisticsRow& row) {
    const double number = column.number(row);
    return number != number;
  });
}

std::string name_of(const trace::Trace& trace, const StatisticsRow& row) {
  if (row.name.empty() && row.track) return track_text(trace, *row.track);
  return row.track ? row.raw_name + "  \u00B7  " + track_text(trace, *row.track) : row.raw_name;
}

Table table_of(const AnswerRequest& request, const std::shared_ptr<const Statistics>& statistics) {
  const std::shared_ptr<const trace::Trace>& trace = request.trace;
  const auto cards = request.cards ? request.cards : std::make_shared<const CardTable>();
  std::vector<Column> columns = columns_of(trace->unit, cards);
  std::erase_if(columns,
                [&](const Column& column) { return is_empty_column(column, *statistics); });
  Table table;
  table.columns.push_back(text_column("Name", "name", 0));
  for (const Column& column : columns) table.columns.push_back(column.column);
  table.row_count = std::min(statistics->rows.size(), most_table_rows);
  table.text = [trace, statistics, columns](std::size_t row, std::size_t column) {
    const StatisticsRow& of = statistics->rows[row];
    return column == 0 ? name_of(*trace, of) : columns[column - 1].text(of, trace->unit);
  };
  table.number = [statistics, columns](std::size_t row, std::size_t column) {
    return column == 0 ? 0 : columns[column - 1].number(statistics->rows[row]);
  };
  table.share = [statistics](std::size_t row) {
    const double most = statistics->rows[0].share;
    return most > 0 ? statistics->rows[row].share / most : 0;
  };
  return table;
}

/// Which tracks were left out of the usual ones.
std::string left_out(const trace::Trace& trace, const query::StatisticsRequest& asked) {
  if (!asked.tracks.empty()) return {};
  constexpr std::size_t most_named = 4;
  std::string names;
  std::size_t count = 0;
  for (const std::uint32_t track : statistics_tracks(trace)) {
    if (statistics_choice_of(trace, track) == 0 || ++count > most_named) continue;
    names += (names.empty() ? "" : ", ") + track_text(trace, track);
  }
  if (names.empty()) return {};
  if (count > most_named) names += fmt::format(" and {} more", count - most_named);
  return fmt::format("Without {}: choose one above.  ", names);
}

std::string notice_of(const trace::Trace& trace, const query::StatisticsRequest& asked,
                      const Statistics& statistics) {
  std::string notice;
  std::uint64_t cut = 0;
  for (const StatisticsRow& row : statistics.rows) cut += row.cut;
  if (statistics.approximate) notice += "\u2248 Read off a sample, exact numbers follow.  ";
  if (cut > 0)
    notice += fmt::format("{} spans cross an end and count with what is inside.  ",
                          trace::count_text(cut));
  if (statistics.rows.size() > most_table_rows)
    notice += fmt::format("The {} costliest of {}.  ", trace::count_text(most_table_rows),
                          trace::count_text(statistics.rows.size()));
  notice += left_out(trace, asked);
  if (statistics.file_changed) notice += "The file has changed since it was opened.";
  return notice;
}

std::shared_ptr<const Answer> answer_of(const AnswerRequest& request,
                                        const query::StatisticsRequest& asked, Statistics found) {
  const auto statistics = std::make_shared<const Statistics>(std::move(found));
  const std::shared_ptr<Answer> answer = new_answer(request);
  answer->table = table_of(request, statistics);
  std::uint64_t count = 0;
  for (const StatisticsRow& row : statistics->rows) count += row.count;
  answer->headline = fmt::format("{} spans, {} in all", trace::count_text(count),
                                 units_text(statistics->total, request.trace->unit));
  answer->notice = notice_of(*request.trace, asked, *statistics);
  answer->complete = !statistics->approximate;
  answer->statistics = statistics;
  answer->statistics_request = asked;
  answer->target = [trace = request.trace, statistics](std::size_t row, io::PageReader& reader) {
    const query::TrackRecord longest = statistics->rows[row].longest_at;
    return span_target(*trace, reader, longest.track, longest.record);
  };
  return answer;
}

}  // namespace

std::vector<std::uint32_t> statistics_tracks(const trace::Trace& trace) {
  std::vector<std::uint32_t> tracks;
  for (std::uint32_t i = 0; i < trace.tracks.size() && tracks.size() < UINT8_MAX; ++i)
    if (trace.tracks[i].head.kind == bytepack::TrackKind::spans) tracks.push_back(i);
  return tracks;
}

std::uint8_t statistics_choice_of(const trace::Trace& trace, std::uint32_t track) {
  const std::vector<std::uint32_t> usual = query::default_statistics_tracks(trace);
  if (std::binary_search(usual.begin(), usual.end(), track)) return 0;
  const std::vector<std::uint32_t> tracks = statistics_tracks(trace);
  const auto place = std::lower_bound(tracks.begin(), tracks.end(), track);
  if (place == tracks.end() || *place != track) return 0;
  return static_cast<std::uint8_t>(place - tracks.begin() + 1);
}

void make_statistics_answer(const AnswerRequest& request, const Cancel& cancel,
                            const PublishAnswer& publish) {
  const query::StatisticsRequest asked = request_of(request);
  Statistics first = query::first_statistics(*request.trace, asked, cancel);
  if (cancel.requested()) return;
  first.approximate = true;
  publish(answer_of(request, asked, std::move(first)));
  auto exact = query::statistics(*request.trace, asked, cancel);
  if (exact) {
    publish(answer_of(request, asked, std::move(*exact)));
  } else {
    publish_failure(request, exact.error(), publish);
  }
}

}  // namespace bytescope::app
