#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "core/query/gap_context.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

using query::Gap;

/// In the trace's unit, in the order of the tab's choices.
constexpr std::array<double, 4> least_us = {query::gap_resolution, 10, 100, 1000};
constexpr std::array<double, 4> least_cycles = {2, 100, 1000, 10'000};

/// A gap with everything that its row tells.
struct GapRow {
  Gap gap;
  std::string before;
  std::string after;
  std::string meanwhile;
};

std::string name_at(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                    std::uint32_t record) {
  return trace.text(reader, trace.span(reader, track, record).name);
}

GapRow row_of(const trace::Trace& trace, io::PageReader& reader, const Gap& gap) {
  GapRow row{gap,
             name_at(trace, reader, gap.track, gap.before),
             name_at(trace, reader, gap.track, gap.after),
             {}};
  const query::GapContext context = query::gap_context(trace, reader, gap);
  const auto add = [&](const std::optional<query::GapCompany>& company) {
    if (!company || !company->matters()) return;
    if (!row.meanwhile.empty()) row.meanwhile += "  \u00B7  ";
    // The name may leave a colour on.
    row.meanwhile += fmt::format("{}\u001B[0m {}",
                                 name_at(trace, reader, company->span.track, company->span.record),
                                 trace::percent_text(company->share));
  };
  if (context.compiling()) row.meanwhile = "compiling";
  add(context.compiler);
  add(context.host);
  return row;
}

std::string headline_of(const trace::Trace& trace, const query::Gaps& gaps) {
  std::uint64_t count = 0;
  double idle = 0;
  for (const query::TrackIdle& track : gaps.tracks) {
    count += track.gaps;
    idle += track.idle;
  }
  return fmt::format("{} gaps on {} devices, {} idle", trace::count_text(count),
                     trace::count_text(gaps.tracks.size()), units_text(idle, trace.unit));
}

std::string notice_of(const trace::Trace& trace, const query::Gaps& gaps) {
  std::string notice;
  if (trace.unit == trace::Unit::microseconds)
    notice =
        "Starts are whole microseconds: gaps under 2 \u00B5s are below the file's resolution. ";
  const bool batches = std::any_of(gaps.tracks.begin(), gaps.tracks.end(),
                                   [](const query::TrackIdle& track) { return track.has_batches; });
  if (batches) notice += "Kernels of a batch are chained: gaps inside batches are not seen.";
  return notice;
}

std::string cell(const trace::Trace& trace, const GapRow& row, std::size_t column) {
  switch (column) {
    case 0: return track_text(trace, row.gap.track);
    case 1: return units_text(row.gap.length(), trace.unit);
    case 2: return moment_text(row.gap.begin, trace.unit);
    case 3: return row.before;
    case 4: return row.after;
    default: return row.meanwhile;
  }
}

void show_rows(Answer& answer, const std::shared_ptr<const trace::Trace>& trace,
               const std::shared_ptr<const std::vector<GapRow>>& rows) {
  const std::string u = "_" + unit_suffix(trace->unit);
  answer.table.columns = {
      text_column("Device", "track", 0),     number_column("Length", "length" + u, 104),
      number_column("At", "begin" + u, 130), text_column("Before", "before", 220),
      text_column("After", "after", 220),    text_column("Meanwhile", "meanwhile", 300)};
  answer.table.row_count = rows->size();
  answer.table.text = [trace, rows](std::size_t row, std::size_t column) {
    return cell(*trace, (*rows)[row], column);
  };
  answer.table.number = [rows](std::size_t row, std::size_t column) {
    const Gap& gap = (*rows)[row].gap;
    return column == 1 ? gap.length() : gap.begin;
  };
  answer.target = [rows](std::size_t row, io::PageReader&) -> RowTarget {
    const Gap& gap = (*rows)[row].gap;
    return query::TimeRange{ns_of(gap.begin), ns_of(gap.end)};
  };
}

}  // namespace

void make_gaps_answer(const AnswerRequest& request, const Cancel& cancel,
                      const PublishAnswer& publish) {
  const std::shared_ptr<const trace::Trace>& trace = request.trace;
  query::GapRequest asked;
  if (!request.whole) asked.range = request.range;
  const auto& least = trace->unit == trace::Unit::cycles ? least_cycles : least_us;
  asked.min_length = least[std::min<std::size_t>(request.choices[1], least.size() - 1)];
  const auto gaps = query::find_gaps(*trace, asked, cancel);
  if (!gaps) return publish_failure(request, gaps.error(), publish);
  const auto rows = std::make_shared<std::vector<GapRow>>();
  io::PageReader reader(trace->file);
  for (const Gap& gap : gaps->gaps) {
    if (cancel.requested()) return;
    rows->push_back(row_of(*trace, reader, gap));
  }
  const std::shared_ptr<Answer> answer = new_answer(request);
  answer->headline = headline_of(*trace, *gaps);
  answer->notice = notice_of(*trace, *gaps);
  show_rows(*answer, trace, rows);
  publish(answer);
}

}  // namespace bytescope::app
