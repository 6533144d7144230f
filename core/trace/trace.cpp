#include "core/trace/trace.h"

namespace bytescope::trace {

Style Trace::style(io::PageReader& reader, std::uint32_t track, std::uint32_t i) const {
  const SpanIndex& index_of_track = *tracks[track].spans;
  if (i < index_of_track.styles.size()) return index_of_track.styles[i];
  const std::uint32_t slot = index_of_track.slots.find(span(reader, track, i).name);
  return slot == NameSlots::none ? Style() : index_of_track.names[slot].style;
}

std::uint64_t Trace::dtype_bytes(io::PageReader& reader, std::uint32_t dtype) const {
  const auto entry = index->dtype_bytes.find(text(reader, dtype));
  return entry == index->dtype_bytes.end() ? 0 : entry->second;
}

}  // namespace bytescope::trace
