#include <algorithm>
#include <cmath>
#include <utility>

#include "core/query/span_scan.h"
#include "core/query/statistics.h"
#include "core/query/statistics_rows.h"

// The spans behind a row of statistics, looked for when somebody asks for them.

namespace bytescope::query {
namespace {

/// Walks over the spans of one row by track and record.
class RowWalk {
public:
  RowWalk(const trace::Trace& trace, const StatisticsRequest& request, RowPlan plan,
          std::uint32_t row, const Cancel& cancel)
      : trace_(trace), request_(request), plan_(std::move(plan)), row_(row), cancel_(cancel) {}

  /// Calls `visit(length, place)` until it answers false; false when it did or when cancelled.
  template <class Visit>
  bool run(Visit visit) {
    SpanReader reader(trace_);
    io::PageReader pages(trace_.file, 8);
    for (const RowPlan::TrackPart& part : plan_.tracks) {
      const auto& rows = part.row_of_slot;
      if (std::find(rows.begin(), rows.end(), row_) == rows.end()) continue;
      const auto visit_span = [&](std::uint32_t record, const bytepack::SpanRecord& span) {
        if (record % 65536 == 0 && cancel_.requested()) return false;
        if (part.row(trace_, span.name) != row_) return true;
        const auto inside = inside_part(span, plan_.cut);
        return !inside || visit(inside->length, TrackRecord{part.track, record});
      };
      if (!visit_open(pages, part.track, visit_span)) return false;
      if (!reader.for_each(part.track, part.records, visit_span)) return false;
    }
    return !cancel_.requested();
  }

private:
  /// Those that are open where the range begins: they stand before its records.
  template <class VisitSpan>
  bool visit_open(io::PageReader& pages, std::uint32_t track, VisitSpan& visit_span) {
    if (!request_.range || request_.whole_spans) return true;
    for (const std::uint32_t record : open_at(trace_, pages, track, request_.range->begin_ns)) {
      const bytepack::SpanRecord span = trace_.span(pages, track, record);
      if (SpanReader::is_valid_duration(span.duration) && !visit_span(record, span)) return false;
    }
    return true;
  }

  const trace::Trace& trace_;
  const StatisticsRequest& request_;
  RowPlan plan_;
  std::uint32_t row_;
  const Cancel& cancel_;
};

std::optional<RowWalk> walk_of(const trace::Trace& trace, const StatisticsRequest& request,
                               const StatisticsKey& key, const Cancel& cancel) {
  Expected<RowPlan> plan = plan_rows(trace, request, cancel);
  if (!plan) return std::nullopt;
  const auto row = std::find_if(
      plan->rows.begin(), plan->rows.end(),
      [&key](const StatisticsRow& r) { return r.name == key.name && r.track == key.track; });
  if (row == plan->rows.end()) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(row - plan->rows.begin());
  return RowWalk(trace, request, std::move(*plan), number, cancel);
}

/// The lower ends of the bins, and the upper end of the last.
std::array<double, DurationHistogram::bins + 1> edges_of(const StatisticsRow& row) {
  // Durations of nothing, or next to it, would need endlessly many bins.
  const double low = std::max({row.shortest, row.longest * 1e-9, 1e-9});
  const double high = std::max(row.longest, low);
  std::array<double, DurationHistogram::bins + 1> edges{};
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const double part = static_cast<double>(i) / DurationHistogram::bins;
    edges[i] = low * std::pow(high / low, part);
  }
  edges.front() = std::min(row.shortest, low);
  edges.back() = row.longest;
  return edges;
}

}  // namespace

std::optional<DurationHistogram> duration_histogram(const trace::Trace& trace,
                                                    const StatisticsRequest& request,
                                                    const StatisticsRow& row,
                                                    const Cancel& cancel) {
  auto walk = walk_of(trace, request, key_of(row), cancel);
  if (!walk) return std::nullopt;
  const auto edges = edges_of(row);
  DurationHistogram histogram;
  for (std::size_t i = 0; i < DurationHistogram::bins; ++i) {
    const bool is_last = i + 1 == DurationHistogram::bins;
    histogram.bin[i].durations = {edges[i],
                                  is_last ? edges[i + 1] : std::nextafter(edges[i + 1], edges[i])};
  }
  const bool done = walk->run([&](double length, TrackRecord at) {
    const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, length);
    DurationHistogram::Bin& bin =
        histogram.bin[static_cast<std::size_t>(above - edges.begin()) - 1];
    if (bin.count++ == 0) bin.first = at;
    return true;
  });
  if (!done) return std::nullopt;
  return histogram;
}

std::optional<TrackRecord> nth_occurrence(const trace::Trace& trace,
                                          const StatisticsRequest& request,
                                          const StatisticsKey& key, DurationRange durations,
                                          std::uint64_t n, const Cancel& cancel) {
  auto walk = walk_of(trace, request, key, cancel);
  if (!walk) return std::nullopt;
  std::optional<TrackRecord> found;
  walk->run([&](double length, TrackRecord at) {
    if (length < durations.shortest || length > durations.longest) return true;
    if (n-- > 0) return true;
    found = at;
    return false;
  });
  return found;
}

}  // namespace bytescope::query
