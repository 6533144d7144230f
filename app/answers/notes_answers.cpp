#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "core/query/ranges.h"
#include "core/query/steps.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

/// A range of the list: the measured one first, then those that were kept.
struct RangeRow {
  std::string name;
  query::RangeFacts facts;
  std::optional<double> device_busy;
};

std::optional<double> device_busy(const trace::Trace& trace, const query::RangeFacts& facts) {
  double sum = 0;
  int devices = 0;
  for (std::size_t i = 0; i < facts.tracks.size(); ++i) {
    if (trace.tracks[i].role != trace::TrackRole::device || !facts.tracks[i].busy_share) continue;
    sum += *facts.tracks[i].busy_share;
    ++devices;
  }
  return devices > 0 ? std::optional<double>(sum / devices) : std::nullopt;
}

double range_number(const RangeRow& row, std::size_t column) {
  switch (column) {
    case 1: return static_cast<double>(row.facts.range.length_ns()) / 1000;
    case 2: return static_cast<double>(row.facts.range.begin_ns) / 1000;
    case 3: return number_or_nan(row.device_busy);
    case 4: return static_cast<double>(row.facts.begin_bytes);
    case 5: return static_cast<double>(row.facts.end_bytes);
    default: return row.facts.bytes_change();
  }
}

std::string range_cell(const trace::Trace& trace, const RangeRow& row, std::size_t column) {
  switch (column) {
    case 0: return row.name;
    case 1: return units_text(range_number(row, 1), trace.unit);
    case 2: return moment_text(range_number(row, 2), trace.unit);
    case 3: return row.device_busy ? trace::percent_text(*row.device_busy) : std::string();
    case 4: return trace::bytes_text(row.facts.begin_bytes);
    case 5: return trace::bytes_text(row.facts.end_bytes);
    default: return bytes_change_text(row.facts.bytes_change());
  }
}

std::vector<TableColumn> range_columns(trace::Unit unit) {
  const std::string u = "_" + unit_suffix(unit);
  return {text_column("Range", "name", 0),
          number_column("Length", "length" + u, 104),
          number_column("Begin", "begin" + u, 140),
          number_column("Busy", "busy_share", 72),
          number_column("Memory before", "begin_bytes", 110),
          number_column("Memory after", "end_bytes", 110),
          number_column("Change", "change_bytes", 96)};
}

/// A marker of the list: the file's, or an own one.
struct MarkerRow {
  std::int64_t time_ns = 0;
  std::string name;
  std::optional<std::size_t> note;  ///< Place among the own ones.
};

std::vector<MarkerRow> marker_rows(const AnswerRequest& request) {
  std::vector<MarkerRow> rows;
  for (const std::uint32_t number : query::marker_order(*request.trace)) {
    const bytepack::FileMarker& marker = request.trace->index->markers[number];
    rows.push_back({ns_of(*marker.time_us), marker.name.value_or(""), std::nullopt});
  }
  for (std::size_t i = 0; i < request.notes.markers.size(); ++i)
    rows.push_back({request.notes.markers[i].time_ns, request.notes.markers[i].name, i});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const MarkerRow& a, const MarkerRow& b) { return a.time_ns < b.time_ns; });
  return rows;
}

}  // namespace

void make_ranges_answer(const AnswerRequest& request, const Cancel& cancel,
                        const PublishAnswer& publish) {
  const std::shared_ptr<const trace::Trace>& trace = request.trace;
  std::vector<KeptRange> asked;
  if (!request.whole) asked.push_back({request.range, "measured"});
  asked.insert(asked.end(), request.notes.ranges.begin(), request.notes.ranges.end());
  const auto rows = std::make_shared<std::vector<RangeRow>>();
  for (const KeptRange& kept : asked) {
    auto facts = query::range_facts(*trace, kept.range, cancel);
    if (!facts) return publish_failure(request, facts.error(), publish);
    const auto busy = device_busy(*trace, *facts);
    rows->push_back({kept.name, std::move(*facts), busy});
  }
  const std::shared_ptr<Answer> answer = new_answer(request);
  answer->table.columns = range_columns(trace->unit);
  answer->table.row_count = rows->size();
  answer->table.text = [trace, rows](std::size_t row, std::size_t column) {
    return range_cell(*trace, (*rows)[row], column);
  };
  answer->table.number = [rows](std::size_t row, std::size_t column) {
    return range_number((*rows)[row], column);
  };
  answer->target = [rows](std::size_t row, io::PageReader&) -> RowTarget {
    return (*rows)[row].facts.range;
  };
  answer->note_of_row = [measured =
                             request.whole ? std::size_t{0} : std::size_t{1}](std::size_t row) {
    return row >= measured ? std::optional(row - measured) : std::nullopt;
  };
  answer->notice = rows->empty()
                       ? "Shift + drag measures a range; K keeps it here."
                       : "K keeps the measured range, F2 names a kept one, Delete removes "
                         "it. Hold Ctrl and click a second one to compare them.";
  publish(answer);
}

void make_markers_answer(const AnswerRequest& request, const Cancel&,
                         const PublishAnswer& publish) {
  const std::shared_ptr<const trace::Trace>& trace = request.trace;
  const auto rows = std::make_shared<const std::vector<MarkerRow>>(marker_rows(request));
  const std::shared_ptr<Answer> answer = new_answer(request);
  answer->table.columns = {text_column("Marker", "name", 0),
                           number_column("At", "time_" + unit_suffix(trace->unit), 150),
                           text_column("Put by", "put_by", 100)};
  answer->table.row_count = rows->size();
  answer->table.text = [trace, rows](std::size_t row, std::size_t column) -> std::string {
    const MarkerRow& marker = (*rows)[row];
    if (column == 0) return marker.name;
    if (column == 1) return moment_text(static_cast<double>(marker.time_ns) / 1000, trace->unit);
    return marker.note ? "you" : "the file";
  };
  answer->table.number = [rows](std::size_t row, std::size_t) {
    return static_cast<double>((*rows)[row].time_ns) / 1000;
  };
  answer->target = [rows](std::size_t row, io::PageReader&) -> RowTarget {
    return (*rows)[row].time_ns;
  };
  answer->note_of_row = [rows](std::size_t row) { return (*rows)[row].note; };
  answer->headline = fmt::format("{} markers", trace::count_text(rows->size()));
  answer->notice = "M puts a marker at the pointer, F2 names an own one, Delete removes it.";
  publish(answer);
}

}  // namespace bytescope::app
