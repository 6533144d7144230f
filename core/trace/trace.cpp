#include "core/trace/trace.h"

#include <algorithm>

namespace bytescope::trace {

const TracePart* Trace::part_of(std::uint32_t track) const {
  const auto after = std::upper_bound(
      parts.begin(), parts.end(), track,
      [](std::uint32_t number, const TracePart& part) { return number < part.first_track; });
  if (after == parts.begin()) return nullptr;
  const TracePart& part = *(after - 1);
  return track - part.first_track < part.file.track_count ? &part : nullptr;
}

std::uint32_t Trace::own_ref(std::uint32_t track, std::uint32_t ref) const {
  const TracePart* const part = part_of(track);
  return part != nullptr && ref >= part->file.first_ref ? ref - part->file.first_ref : ref;
}

std::uint32_t Trace::own_key(std::uint32_t track, std::uint32_t key) const {
  const TracePart* const part = part_of(track);
  return part != nullptr && key >= part->file.first_key ? key - part->file.first_key : key;
}

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
