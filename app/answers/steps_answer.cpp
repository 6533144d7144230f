#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "core/query/steps.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

using query::Step;
using query::StepTable;

/// Columns in front of those of single devices.
constexpr std::size_t first_device_column = 6;

double number(const Step& step, std::size_t column) {
  switch (column) {
    case 1: return step.length();
    case 2: return step.begin;
    case 3: return step.mean_busy_share;
    case 4: return static_cast<double>(step.memory_peak_bytes);
    default: break;
  }
  return column >= first_device_column ? step.busy_share[column - first_device_column] : 0;
}

std::string cell(const trace::Trace& trace, const StepTable& table, std::size_t row,
                 std::size_t column) {
  const Step& step = table.steps[row];
  const bool is_open = table.last_is_open && row + 1 == table.steps.size();
  switch (column) {
    case 0: return step.name + (is_open ? "  (to the end of the trace)" : "");
    case 1: return units_text(step.length(), trace.unit);
    case 2: return moment_text(step.begin, trace.unit);
    case 4: return trace::bytes_text(step.memory_peak_bytes);
    case 5: return step.peak_track ? track_text(trace, *step.peak_track) : std::string();
    default: return trace::percent_text(number(step, column));
  }
}

std::vector<TableColumn> columns_of(const trace::Trace& trace, const StepTable& table) {
  const std::string u = "_" + unit_suffix(trace.unit);
  std::vector<TableColumn> columns = {text_column("Step", "step", 0),
                                      number_column("Length", "length" + u, 92),
                                      number_column("Begin", "begin" + u, 130),
                                      number_column("Busy", "busy_share", 72),
                                      number_column("Memory peak", "memory_peak_bytes", 104),
                                      text_column("Peak on", "peak_track", 150)};
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
  // Slowest first, as people look for it; the title of the first column sorts by name.
  StepTable by_length = *made;
  by_length.steps.clear();
  for (const std::uint32_t place : query::slowest_first(*made))
    by_length.steps.push_back(made->steps[place]);
  const bool open_is_last = made->last_is_open && !by_length.steps.empty() &&
                            by_length.steps.back().marker == made->steps.back().marker;
  by_length.last_is_open = open_is_last;
  const auto table = std::make_shared<const StepTable>(std::move(by_length));
  const std::shared_ptr<Answer> answer = new_answer(request);
  answer->table.columns = columns_of(*trace, *table);
  answer->table.row_count = table->steps.size();
  answer->table.text = [trace, table](std::size_t row, std::size_t column) {
    return cell(*trace, *table, row, column);
  };
  answer->table.number = [table](std::size_t row, std::size_t column) {
    return number(table->steps[row], column);
  };
  answer->target = [table](std::size_t row, io::PageReader&) -> RowTarget {
    const Step& step = table->steps[row];
    return query::TimeRange{ns_of(step.begin), ns_of(step.end)};
  };
  answer->headline = fmt::format("{} steps", trace::count_text(table->steps.size()));
  if (!table->steps.empty())
    answer->headline += fmt::format(", slowest {} with {}", table->steps[0].name,
                                    units_text(table->steps[0].length(), trace->unit));
  answer->notice = "Hold Ctrl and click a second step to compare the two kernel by kernel.";
  if (made->last_is_open) answer->notice += " The last one goes to the end of the trace.";
  publish(answer);
}

}  // namespace bytescope::app
