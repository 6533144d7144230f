#include "core/query/namesake_columns.h"

#include <algorithm>
#include <cmath>

#include "core/query/span_scan.h"
#include "core/trace/units.h"

namespace bytescope::query {
namespace {

/// Marks what spans touch, lane by lane.
class LaneMarker {
public:
  LaneMarker(const trace::SpanIndex& spans, const Columns& columns)
      : spans_(spans), columns_(columns), lanes_(spans.lane_count) {}

  void mark(std::uint32_t record, const bytepack::SpanRecord& span) {
    const double begin = std::floor(columns_.at(trace::ns_from_unit(span.start)));
    const double width = static_cast<double>(span.duration) * 1000 / columns_.ns_per_column;
    const double end =
        std::max(std::ceil(columns_.at(trace::ns_from_unit(span.start)) + width), begin + 1);
    const double count = columns_.count;
    if (end <= 0 || begin >= count) return;
    TouchedColumns& lane = lanes_[spans_.lane(record)];
    if (lane.empty()) lane.assign(columns_.count, 0);
    std::fill(lane.begin() + static_cast<std::ptrdiff_t>(std::max(begin, 0.0)),
              lane.begin() + static_cast<std::ptrdiff_t>(std::min(end, count)), std::uint8_t{1});
  }
  std::vector<TouchedColumns> take() { return std::move(lanes_); }

private:
  const trace::SpanIndex& spans_;
  const Columns& columns_;
  std::vector<TouchedColumns> lanes_;
};

}  // namespace

std::vector<TouchedColumns> namesake_columns(const trace::Trace& trace, io::PageReader& reader,
                                             std::uint32_t track, const Namesakes& names,
                                             const Columns& columns, const Cancel& cancel) {
  if (!has_spans(trace.tracks[track]) || !names.has_track(track) || columns.count == 0) return {};
  const trace::SpanIndex& spans = *trace.tracks[track].spans;
  LaneMarker marker(spans, columns);
  for (const std::uint32_t record : open_at(trace, reader, track, columns.begin_ns)) {
    const bytepack::SpanRecord span = trace.span(reader, track, record);
    if (names.has(span.name)) marker.mark(record, span);
  }
  const std::int64_t end_ns =
      columns.begin_ns + static_cast<std::int64_t>(std::ceil(columns.offset_ns(columns.count)));
  const RecordRange records = starting_in(trace, reader, track, {columns.begin_ns, end_ns});
  const bytepack::SpanLayout layout = trace.dialect->span;
  const bool done =
      for_each_span(trace, track, records.begin, records.end, cancel,
                    [&](std::uint32_t record, const std::byte* bytes) {
                      if (!names.has(bytepack::load<std::uint32_t>(bytes + layout.name))) return;
                      const bytepack::SpanRecord span = bytepack::decode_span(layout, bytes);
                      if (SpanReader::is_valid_duration(span.duration)) marker.mark(record, span);
                    });
  return done ? marker.take() : std::vector<TouchedColumns>();
}

}  // namespace bytescope::query
