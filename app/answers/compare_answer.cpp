#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "app/trace_title.h"
#include "core/query/compare.h"
#include "core/trace/ansi.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

using query::ComparedBuffers;
using query::ComparedKernel;
using query::ComparedMemory;

constexpr std::uint8_t memory_choice = 1;
constexpr const char* missing = "\u2013";
/// Wider charts than that are stretched.
constexpr std::uint32_t chart_columns = 512;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What is compared: A is the other stretch, or the other trace.
struct Sides {
  query::CompareSide a;
  query::CompareSide b;
};

Sides sides_of(const AnswerRequest& request) {
  if (request.other_trace) return {{*request.other_trace, {}}, {*request.trace, {}}};
  return {{*request.trace, request.other_range}, {*request.trace, request.range}};
}

std::string sides_text(const AnswerRequest& request) {
  if (request.other_trace) {
    const auto name = [](const trace::Trace& trace) { return trace_title(trace.file->path()); };
    return fmt::format("A is {}, B is {}.", name(*request.other_trace), name(*request.trace));
  }
  const trace::Unit unit = request.trace->unit;
  const auto from = [unit](const query::TimeRange& range) {
    return fmt::format("{} from {}",
                       units_text(static_cast<double>(range.length_ns()) / 1000, unit),
                       moment_text(static_cast<double>(range.begin_ns) / 1000, unit));
  };
  return fmt::format("A is {}, B is {}.", from(request.other_range), from(request.range));
}

/// What stands before the name of what one side has not.
std::string mark_of(bool in_a, bool in_b) { return !in_a ? "new  " : (!in_b ? "gone  " : ""); }

double number(const ComparedKernel& row, std::size_t column) {
  const auto of = [](const std::optional<query::StatisticsRow>& side, auto value) {
    return side ? static_cast<double>(value(*side)) : 0;
  };
  const auto count = [](const auto& side) { return side.count; };
  const auto total = [](const auto& side) { return side.total; };
  const auto mean = [](const auto& side) { return side.mean; };
  switch (column) {
    case 1: return of(row.a, count);
    case 2: return of(row.b, count);
    case 3: return of(row.a, total);
    case 4: return of(row.b, total);
    case 5: return row.delta();
    case 6: return of(row.a, mean);
    case 7: return of(row.b, mean);
    case 8: return row.mean_delta().value_or(unknown);
    default: return 0;
  }
}

std::string cell(const ComparedKernel& row, std::size_t column, trace::Unit unit) {
  if (column == 0) return mark_of(row.a.has_value(), row.b.has_value()) + row.raw_name();
  if (column == 5) return change_text(row.delta(), unit);
  if (column == 8) return row.mean_delta() ? change_text(*row.mean_delta(), unit) : missing;
  const bool of_a = column == 1 || column == 3 || column == 6;
  if (!(of_a ? row.a : row.b)) return missing;
  const double value = number(row, column);
  return column <= 2 ? trace::count_text(static_cast<std::uint64_t>(value))
                     : units_text(value, unit);
}

std::vector<TableColumn> kernel_columns(const std::string& u) {
  return {text_column("Name", "name", 0),
          number_column("Count A", "count_a", 76),
          number_column("Count B", "count_b", 76),
          number_column("Total A", "total_a" + u, 104),
          number_column("Total B", "total_b" + u, 104),
          number_column("Change", "change" + u, 108),
          number_column("Mean A", "mean_a" + u, 84),
          number_column("Mean B", "mean_b" + u, 84),
          number_column("Change", "change_mean" + u, 92)};
}

void answer_kernels(const AnswerRequest& request, const std::shared_ptr<Answer>& answer,
                    query::Comparison comparison) {
  const trace::Unit unit = request.trace->unit;
  answer->headline =
      fmt::format("kernels and copies: A {}, B {}, {}", units_text(comparison.total_a, unit),
                  units_text(comparison.total_b, unit),
                  change_text(comparison.total_b - comparison.total_a, unit));
  const auto rows =
      std::make_shared<const std::vector<ComparedKernel>>(std::move(comparison.kernels));
  answer->table.columns = kernel_columns("_" + unit_suffix(unit));
  answer->table.row_count = rows->size();
  answer->table.text = [rows, unit](std::size_t row, std::size_t column) {
    return cell((*rows)[row], column, unit);
  };
  answer->table.number = [rows](std::size_t row, std::size_t column) {
    return number((*rows)[row], column);
  };
  // What only the other trace has leads nowhere in this one.
  const bool leads_to_a = request.other_trace == nullptr;
  answer->target = [rows, leads_to_a, trace = request.trace](std::size_t row,
                                                             io::PageReader& reader) -> RowTarget {
    const ComparedKernel& of = (*rows)[row];
    if (!of.b && !leads_to_a) return {};
    const query::TrackRecord longest = of.b ? of.b->longest_at : of.a->longest_at;
    return span_target(*trace, reader, longest.track, longest.record);
  };
}

/// A row of the memory table: a track at its peaks, or buffers that live then.
struct MemoryRow {
  std::string name;
  std::optional<query::BufferCount> a;
  std::optional<query::BufferCount> b;
  std::optional<std::int64_t> peak_ns;  ///< Of this trace.
  std::size_t chart = 0;
  double change() const {
    return (b ? static_cast<double>(b->bytes) : 0) - (a ? static_cast<double>(a->bytes) : 0);
  }
  double count_change() const {
    return (b ? static_cast<double>(b->count) : 0) - (a ? static_cast<double>(a->count) : 0);
  }
};

std::optional<query::BufferCount> whole(const std::optional<query::PeakOf>& peak,
                                        const ComparedMemory& memory,
                                        std::optional<query::BufferCount> ComparedBuffers::*side) {
  if (!peak) return std::nullopt;
  query::BufferCount all{0, peak->bytes};
  for (const ComparedBuffers& group : memory.at_peak)
    if (group.*side) all.count += (group.*side)->count;
  return all;
}

/// How far apart the peaks of a track are.
std::uint64_t peak_change(const ComparedMemory& memory) {
  const std::uint64_t a = memory.a ? memory.a->bytes : 0;
  const std::uint64_t b = memory.b ? memory.b->bytes : 0;
  return a > b ? a - b : b - a;
}

std::vector<MemoryRow> memory_rows(const std::vector<ComparedMemory>& tracks) {
  std::vector<MemoryRow> rows;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const ComparedMemory& memory = tracks[i];
    const std::string track = trace::single_line(memory.track);
    std::optional<std::int64_t> peak_ns;
    if (memory.b) peak_ns = trace::ns_from_unit(memory.b->time);
    rows.push_back({track + " at its peak", whole(memory.a, memory, &ComparedBuffers::a),
                    whole(memory.b, memory, &ComparedBuffers::b), peak_ns, i});
    for (const ComparedBuffers& group : memory.at_peak) {
      // What tells them apart comes first: where there is little room the rest is cut.
      rows.push_back({fmt::format("{} \u00D7 {}  {}", trace::single_line(group.dtype),
                                  trace::count_text(group.length), track),
                      group.a, group.b, peak_ns, i});
    }
  }
  return rows;
}

double number(const MemoryRow& row, std::size_t column) {
  const auto of = [](const std::optional<query::BufferCount>& side, bool bytes) {
    return side ? static_cast<double>(bytes ? side->bytes : side->count) : unknown;
  };
  switch (column) {
    case 1: return of(row.a, false);
    case 2: return of(row.b, false);
    case 3: return row.count_change();
    case 4: return of(row.a, true);
    case 5: return of(row.b, true);
    case 6: return row.change();
    default: return 0;
  }
}

std::string cell(const MemoryRow& row, std::size_t column) {
  if (column == 0) return mark_of(row.a.has_value(), row.b.has_value()) + row.name;
  if (column == 3) return count_change_text(row.count_change());
  if (column == 6) return bytes_change_text(row.change());
  const auto& side = column == 1 || column == 4 ? row.a : row.b;
  if (!side) return missing;
  return column <= 2 ? trace::count_text(side->count) : trace::bytes_text(side->bytes);
}

std::shared_ptr<const MemoryCharts> memory_charts(const AnswerRequest& request, const Sides& sides,
                                                  const std::vector<ComparedMemory>& tracks,
                                                  const std::vector<MemoryRow>& rows) {
  auto charts = std::make_shared<MemoryCharts>();
  charts->unit = request.trace->unit;
  charts->is_of_two_traces = request.other_trace != nullptr;
  for (const ComparedMemory& memory : tracks)
    charts->charts.push_back({trace::single_line(memory.track), memory.a, memory.b,
                              query::compare_curves(sides.a, sides.b, memory, chart_columns)});
  for (const MemoryRow& row : rows) charts->chart_of_row.push_back(row.chart);
  return charts;
}

void answer_memory(const AnswerRequest& request, const Sides& sides,
                   const std::shared_ptr<Answer>& answer,
                   const std::vector<ComparedMemory>& tracks) {
  double change = 0;
  for (const ComparedMemory& memory : tracks)
    change += (memory.b ? static_cast<double>(memory.b->bytes) : 0) -
              (memory.a ? static_cast<double>(memory.a->bytes) : 0);
  answer->headline = fmt::format("peaks of {} memory track{}: {}", tracks.size(),
                                 tracks.size() == 1 ? "" : "s", bytes_change_text(change));
  const auto rows = std::make_shared<const std::vector<MemoryRow>>(memory_rows(tracks));
  answer->charts = memory_charts(request, sides, tracks, *rows);
  answer->table.columns = {
      text_column("Buffers", "buffers", 0),       number_column("Count A", "count_a", 68),
      number_column("Count B", "count_b", 68),    number_column("Change", "change_count", 64),
      number_column("Bytes A", "bytes_a", 80),    number_column("Bytes B", "bytes_b", 80),
      number_column("Change", "change_bytes", 84)};
  answer->table.row_count = rows->size();
  answer->table.text = [rows](std::size_t row, std::size_t column) {
    return cell((*rows)[row], column);
  };
  answer->table.number = [rows](std::size_t row, std::size_t column) {
    return number((*rows)[row], column);
  };
  answer->target = [rows](std::size_t row, io::PageReader&) -> RowTarget {
    const auto& peak_ns = (*rows)[row].peak_ns;
    return peak_ns ? RowTarget(*peak_ns) : RowTarget();
  };
}

}  // namespace

void make_compare_answer(const AnswerRequest& request, const Cancel& cancel,
                         const PublishAnswer& publish) {
  const std::shared_ptr<Answer> answer = new_answer(request);
  const bool has_stretches = request.range.length_ns() > 0 && request.other_range.length_ns() > 0;
  if (!request.other_trace && !has_stretches) {
    answer->notice =
        "Choose two stretches: in Steps or Ranges click one, then hold Ctrl and click another. Or "
        "choose another open trace.";
    return publish(answer);
  }
  const Sides sides = sides_of(request);
  if (sides.a.trace.unit != sides.b.trace.unit) {
    answer->error = "One trace is in microseconds, the other in clock cycles";
    return publish(answer);
  }
  answer->notice = sides_text(request);
  if (request.choices[0] == memory_choice) {
    std::vector<ComparedMemory> tracks = query::compare_memory(sides.a, sides.b, cancel);
    if (cancel.requested()) return;
    std::stable_sort(tracks.begin(), tracks.end(),
                     [](const ComparedMemory& left, const ComparedMemory& right) {
                       return peak_change(left) > peak_change(right);
                     });
    answer_memory(request, sides, answer, tracks);
    return publish(answer);
  }
  auto comparison = query::compare_kernels(sides.a, sides.b, cancel);
  if (!comparison) return publish_failure(request, comparison.error(), publish);
  answer_kernels(request, answer, std::move(*comparison));
  publish(answer);
}

}  // namespace bytescope::app
