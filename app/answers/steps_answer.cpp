#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "core/query/live_buffers.h"
#include "core/query/steps.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

using query::Step;
using query::StepTable;

/// Columns in front of those of single devices.
constexpr std::size_t first_device_column = 7;

/// A step with what its row tells beside it.
struct StepRow {
  Step step;
  double memory_change = 0;  ///< Bytes, from its begin to its end.
  bool is_open = false;      ///< No marker ends it.
};

double number(const StepRow& row, std::size_t column) {
  switch (column) {
    case 1: return row.step.length();
    case 2: return row.step.begin;
    case 3: return row.step.mean_busy_share;
    case 4: return static_cast<double>(row.step.memory_peak_bytes);
    case 6: return row.memory_change;
    default: break;
  }
  return column >= first_device_column ? row.step.busy_share[column - first_device_column] : 0;
}

std::string cell(const trace::Trace& trace, const StepRow& row, std::size_t column) {
  const Step& step = row.step;
  switch (column) {
    case 0: return step.name + (row.is_open ? "  (to the end of the trace)" : "");
    case 1: return units_text(step.length(), trace.unit);
    case 2: return moment_text(step.begin, trace.unit);
    case 4: return trace::bytes_text(step.memory_peak_bytes);
    case 5: return step.peak_track ? track_text(trace, *step.peak_track) : std::string();
    case 6: return bytes_change_text(row.memory_change);
    default: return trace::percent_text(number(row, column));
  }
}

std::uint32_t whole_units(double units) {
  return static_cast<std::uint32_t>(std::clamp(units, 0.0, 4294967295.0));
}

/// The change of all memory within each step, files aside.
void add_memory_changes(const trace::Trace& trace, std::vector<StepRow>& rows) {
  std::vector<std::uint32_t> boundaries;
  boundaries.reserve(rows.size() + 1);
  for (const StepRow& row : rows) boundaries.push_back(whole_units(row.step.begin));
  boundaries.push_back(whole_units(rows.back().step.end));
  for (const trace::Track& track : trace.tracks) {
    if (!track.memory || trace::is_file_memory(track.own_name())) continue;
    for (const query::StepGrowth& growth : query::step_growth(*track.memory, boundaries))
      rows[growth.step].memory_change += static_cast<double>(growth.growth_bytes());
  }
}

/// Slowest first, as people look for them.
std::vector<StepRow> rows_of(const trace::Trace& trace, const StepTable& table) {
  std::vector<StepRow> rows;
  for (const Step& step : table.steps) rows.push_back({step, 0, false});
  if (rows.empty()) return rows;
  rows.back().is_open = table.last_is_open;
  add_memory_changes(trace, rows);
  std::vector<StepRow> ordered;
  for (const std::uint32_t place : query::slowest_first(table)) ordered.push_back(rows[place]);
  return ordered;
}

std::vector<TableColumn> columns_of(const trace::Trace& trace, const StepTable& table) {
  const std::string u = "_" + unit_suffix(trace.unit);
  std::vector<TableColumn> columns = {
      text_column("Step", "step", 0),
      number_column("Length", "length" + u, 104),
      number_column("Begin", "begin" + u, 130),
      number_column("Busy", "busy_share", 72),
      number_column("Memory peak", "memory_peak_bytes", 104),
      text_column("Peak on", "peak_track", 150),
      number_column("All memory, change", "memory_change_bytes", 140)};
  for (const std::uint32_t device : table.devices) {
    const std::string name = track_text(trace, device);
    columns.push_back(number_column(name, "busy_share_" + name, 84));
  }
  return columns;
}

}  // namespace

void make_steps_answer(const AnswerRequest& request, const Cancel& cancel,
                       const PublishAnswer& publish) {
  const std::shared_ptr<const trace::Trace>& trace = request.trace;
  const std::vector<query::MarkerFamily> families = query::marker_families(*trace, 2);
  if (families.empty()) return publish(new_answer(request));
  const std::size_t chosen = std::min<std::size_t>(request.choices[0], families.size() - 1);
  auto made = query::step_table(*trace, families[chosen], cancel);
  if (!made) return publish_failure(request, made.error(), publish);
  const auto rows = std::make_shared<const std::vector<StepRow>>(rows_of(*trace, *made));
  const std::shared_ptr<Answer> answer = new_answer(request);
  answer->table.columns = columns_of(*trace, *made);
  answer->table.row_count = rows->size();
  answer->table.text = [trace, rows](std::size_t row, std::size_t column) {
    return cell(*trace, (*rows)[row], column);
  };
  answer->table.number = [rows](std::size_t row, std::size_t column) {
    return number((*rows)[row], column);
  };
  answer->target = [rows](std::size_t row, io::PageReader&) -> RowTarget {
    const Step& step = (*rows)[row].step;
    return query::TimeRange{ns_of(step.begin), ns_of(step.end)};
  };
  answer->headline = fmt::format("{} steps", trace::count_text(rows->size()));
  if (!rows->empty())
    answer->headline += fmt::format(", slowest {} with {}", rows->front().step.name,
                                    units_text(rows->front().step.length(), trace->unit));
  answer->notice = "Hold Ctrl and click a second step to compare the two kernel by kernel.";
  if (made->last_is_open) answer->notice += " The last one goes to the end of the trace.";
  publish(answer);
}

}  // namespace bytescope::app
