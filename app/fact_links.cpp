#include "app/fact_links.h"

#include <algorithm>

namespace bytescope::app {
namespace {

query::LinkLimits limits_of(const SearchLimits& limits) {
  return {limits.most_records, limits.most_buffers};
}

}  // namespace

Selection selection_of_span(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                            std::uint32_t record) {
  const bytepack::SpanRecord span = trace.span(reader, track, record);
  Selection selection;
  selection.track = track;
  selection.number = record;
  const auto& index = trace.tracks[track].spans;
  selection.lane = index && !index->sampled ? index->lane(record) : 0;
  selection.begin_ns = trace::ns_from_unit(span.start);
  selection.length_ns = static_cast<double>(span.duration) * 1000;
  return selection;
}

Selection selection_of_buffer(const trace::Trace& trace, std::uint32_t track,
                              std::uint32_t ordinal) {
  const trace::MemoryIndex& memory = *trace.tracks[track].memory;
  const trace::Buffer& buffer = memory.buffers[ordinal];
  const std::uint32_t end = std::max(std::min(buffer.freed, memory.end_time), buffer.allocated);
  Selection selection;
  selection.kind = Selection::Kind::buffer;
  selection.track = track;
  selection.number = ordinal;
  selection.begin_ns = trace::ns_from_unit(buffer.allocated);
  selection.length_ns = static_cast<double>(end - buffer.allocated) * 1000;
  return selection;
}

UsedBuffers buffers_of_span(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                            std::uint32_t record, const SearchLimits& limits) {
  const Cancel never;
  return query::buffers_of_span(trace, reader, track, record, limits_of(limits), never);
}

UserSpans spans_of_users(const trace::Trace& trace, io::PageReader& reader,
                         std::uint32_t memory_track, std::span<const bytepack::UserRecord> users,
                         const SearchLimits& limits) {
  const Cancel never;
  const query::UserSpans found =
      query::spans_of_users(trace, reader, memory_track, users, limits_of(limits), never);
  UserSpans spans;
  spans.complete = found.complete;
  for (const query::UserSpan& one : found.spans) {
    UserSpan& span = spans.spans.emplace_back();
    span.count = one.count;
    if (one.span) span.span = selection_of_span(trace, reader, one.span->track, one.span->record);
  }
  return spans;
}

}  // namespace bytescope::app
