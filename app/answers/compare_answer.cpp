#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "core/query/statistics.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

using query::StatisticsRow;

/// A kernel in both stretches; a side that lacks it has a count of 0.
struct Compared {
  StatisticsRow a;
  StatisticsRow b;
  double change() const { return b.total - a.total; }
  const std::string& raw_name() const { return b.count > 0 ? b.raw_name : a.raw_name; }
};

std::vector<Compared> joined(std::vector<StatisticsRow> a, std::vector<StatisticsRow> b) {
  std::map<std::string, Compared> by_name;
  for (StatisticsRow& row : a) by_name[row.name].a = row;
  for (StatisticsRow& row : b) by_name[row.name].b = row;
  std::vector<Compared> all;
  all.reserve(by_name.size());
  for (auto& entry : by_name) all.push_back(std::move(entry.second));
  std::stable_sort(all.begin(), all.end(), [](const Compared& left, const Compared& right) {
    return std::abs(left.change()) > std::abs(right.change());
  });
  return all;
}

double number(const Compared& row, std::size_t column) {
  switch (column) {
    case 1: return static_cast<double>(row.a.count);
    case 2: return static_cast<double>(row.b.count);
    case 3: return row.a.total;
    case 4: return row.b.total;
    case 5: return row.change();
    case 6: return row.a.mean;
    case 7: return row.b.mean;
    default: return 0;
  }
}

std::string cell(const Compared& row, std::size_t column, trace::Unit unit) {
  if (column == 0) {
    const char* mark = row.a.count == 0 ? "new  " : (row.b.count == 0 ? "gone  " : "");
    return mark + row.raw_name();
  }
  if (column == 5) return change_text(row.change(), unit);
  const bool of_a = column == 1 || column == 3 || column == 6;
  const std::uint64_t count = of_a ? row.a.count : row.b.count;
  if (count == 0) return "\u2013";
  return column <= 2 ? trace::count_text(count) : units_text(number(row, column), unit);
}

std::vector<TableColumn> columns(const std::string& u) {
  return {text_column("Name", "name", 0),
          number_column("Count A", "count_a", 76),
          number_column("Count B", "count_b", 76),
          number_column("Total A", "total_a" + u, 88),
          number_column("Total B", "total_b" + u, 88),
          number_column("Change", "change" + u, 92),
          number_column("Mean A", "mean_a" + u, 84),
          number_column("Mean B", "mean_b" + u, 84)};
}

}  // namespace

void make_compare_answer(const AnswerRequest& request, const Cancel& cancel,
                         const PublishAnswer& publish) {
  const std::shared_ptr<Answer> answer = new_answer(request);
  if (request.range.length_ns() <= 0 || request.other_range.length_ns() <= 0) {
    answer->notice =
        "Choose two stretches: in Steps or Ranges click one, then hold Ctrl and click another.";
    return publish(answer);
  }
  query::StatisticsRequest asked;
  asked.range = request.other_range;
  auto a = query::statistics(*request.trace, asked, cancel);
  if (!a) return publish_failure(request, a.error(), publish);
  asked.range = request.range;
  auto b = query::statistics(*request.trace, asked, cancel);
  if (!b) return publish_failure(request, b.error(), publish);
  const trace::Unit unit = request.trace->unit;
  answer->headline =
      fmt::format("kernels: A {}, B {}, {}", units_text(a->total, unit), units_text(b->total, unit),
                  change_text(b->total - a->total, unit));
  answer->notice =
      fmt::format("A is {} from {}, B is {} from {}.",
                  units_text(static_cast<double>(request.other_range.length_ns()) / 1000, unit),
                  moment_text(static_cast<double>(request.other_range.begin_ns) / 1000, unit),
                  units_text(static_cast<double>(request.range.length_ns()) / 1000, unit),
                  moment_text(static_cast<double>(request.range.begin_ns) / 1000, unit));
  const auto rows =
      std::make_shared<const std::vector<Compared>>(joined(std::move(a->rows), std::move(b->rows)));
  answer->table.columns = columns("_" + unit_suffix(unit));
  answer->table.row_count = rows->size();
  answer->table.text = [rows, unit](std::size_t row, std::size_t column) {
    return cell((*rows)[row], column, unit);
  };
  answer->table.number = [rows](std::size_t row, std::size_t column) {
    return number((*rows)[row], column);
  };
  answer->target = [rows, trace = request.trace](std::size_t row, io::PageReader& reader) {
    const Compared& of = (*rows)[row];
    const query::TrackRecord longest = of.b.count > 0 ? of.b.longest_at : of.a.longest_at;
    return span_target(*trace, reader, longest.track, longest.record);
  };
  publish(answer);
}

}  // namespace bytescope::app
