#include "app/selection.h"

#include <algorithm>

namespace bytescope::app {

Selection span_selection(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
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

Selection buffer_selection(const trace::Trace& trace, std::uint32_t track, std::uint32_t ordinal) {
  const trace::MemoryIndex& memory = *trace.tracks[track].memory;
  const trace::Buffer& buffer = memory.buffers[ordinal];
  const std::uint32_t end = std::max(std::min(buffer.freed, memory.end_time), buffer.allocated);
  Selection selection;
  selection.kind = Selection::Kind::buffer;
  selection.track = track;
  selection.number = ordinal;
  selection.begin_ns = trace::ns_from_unit(buffer.allocated);
  selection.length_ns = static_cast<double>(trace::ns_from_unit(end) - selection.begin_ns);
  return selection;
}

render::Highlight highlight_of(const Selection& selection) {
  render::Highlight highlight;
  highlight.track = selection.track;
  highlight.lane = selection.lane;
  highlight.begin_ns = selection.begin_ns;
  highlight.length_ns = selection.length_ns;
  if (selection.kind == Selection::Kind::buffer) highlight.ordinal = selection.number;
  return highlight;
}

}  // namespace bytescope::app
