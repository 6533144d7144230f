#include "core/query/statistics_sample.h"

#include <algorithm>

namespace bytescope::query {
namespace {

/// About a page of memory; fewer would cost more calls, more would be less random.
constexpr std::uint32_t run_records = 170;

/// Takes the sample of a track. Answers the sum of the durations.
double sample_track(const trace::Trace& trace, const RowPlan::TrackPart& part, std::uint32_t step,
                    SpanReader& reader, RowSamples& samples) {
  double total = 0;
  const std::uint64_t stride = std::uint64_t{run_records} * step;
  const std::uint64_t end = part.records.end;
  // The last stretch may be shorter than a run: then it is a run of what there is.
  for (std::uint64_t first = part.records.begin; first < end; first += stride) {
    const std::uint64_t middle = first + std::min(stride, end - first) / 2;
    const auto begin = static_cast<std::uint32_t>(
        middle - std::min(middle - first, std::uint64_t{run_records / 2}));
    const RecordRange run{
        begin, static_cast<std::uint32_t>(std::min<std::uint64_t>(begin + run_records, end))};
    reader.for_each(part.track, run, [&](std::uint32_t, const bytepack::SpanRecord& span) {
      const std::uint32_t row = part.row(trace, span.name);
      if (row == RowPlan::none) return true;
      RowSamples::Row& sampled = samples.rows[row];
      ++sampled.count;
      if (!samples.values.add(sampled.head, span.duration)) sampled.lost = true;
      total += static_cast<double>(span.duration);
      return true;
    });
  }
  return total;
}

}  // namespace

RowSamples sample_rows(const trace::Trace& trace, const RowPlan& plan, std::uint32_t step,
                       const Cancel& cancel) {
  SpanReader reader(trace);
  RowSamples samples;
  samples.rows.resize(plan.rows.size());
  for (const RowPlan::TrackPart& part : plan.tracks) {
    samples.track_totals.push_back(
        cancel.requested() ? 0 : sample_track(trace, part, step, reader, samples));
  }
  double sampled = 0;
  for (const RowSamples::Row& row : samples.rows) sampled += row.count;
  const std::uint64_t spans = plan.span_count();
  if (spans > 0) samples.rate = sampled / static_cast<double>(spans);
  return samples;
}

}  // namespace bytescope::query
