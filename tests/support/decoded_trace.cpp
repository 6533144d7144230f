#include "tests/support/decoded_trace.h"

#include <utility>

#include "core/io/page_reader.h"
#include "core/io/utf8.h"
#include "core/trace/ansi.h"
#include "core/trace/memory_records.h"

namespace bytescope::tests {
namespace {

using bytepack::TrackKind;
using trace::MemoryIndex;

DecodedEvent decoded_span(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                          std::uint32_t record) {
  const bytepack::SpanRecord span = trace.span(reader, track, record);
  DecodedEvent event;
  event.record = record;
  event.time = span.start;
  event.name = trace.text(reader, span.name);
  event.info = trace.text(reader, span.info);
  event.duration = span.duration;
  event.lane = trace.tracks[track].spans->lane(record);
  event.ref = span.ref;
  event.key = span.key;
  return event;
}

std::vector<DecodedUser> decoded_users(const trace::Trace& trace, io::PageReader& reader,
                                       trace::MemoryCursor& cursor) {
  std::vector<bytepack::UserRecord> records;
  cursor.append_users(0, cursor.event().user_count, records);
  std::vector<DecodedUser> users;
  users.reserve(records.size());
  for (const bytepack::UserRecord& user : records)
    users.push_back({user.run.value_or(0), user.name ? trace.text(reader, *user.name) : "",
                     user.arg.value_or(0), user.mode.value_or(0)});
  return users;
}

void add_memory(const trace::Trace& trace, io::PageReader& reader, const trace::Track& track,
                std::vector<DecodedEvent>& events) {
  const bool has_events = trace.dialect->memory != bytepack::MemoryForm::polygons;
  trace::MemoryCursor cursor(reader, *trace.dialect, track.head, track.memory.get());
  for (std::uint32_t i = 0; i < track.memory->events.size(); ++i) {
    const std::uint32_t number = track.memory->events[i];
    const trace::Buffer buffer = track.memory->buffers[MemoryIndex::ordinal(number)];
    DecodedEvent event;
    event.record = i;
    event.is_free = MemoryIndex::is_free(number);
    event.time = event.is_free ? buffer.freed : buffer.allocated;
    event.name = trace.text(reader, buffer.dtype);
    event.key = buffer.key;
    event.allocated = buffer.allocated;
    event.freed = buffer.freed;
    event.bytes = buffer.bytes;
    if (has_events && cursor.next()) {
      event.length = cursor.event().length;
      event.users = decoded_users(trace, reader, cursor);
    }
    events.push_back(std::move(event));
  }
}

}  // namespace

std::vector<DecodedTrack> decoded_tracks(const trace::Trace& trace) {
  io::PageReader reader(trace.file);
  std::vector<DecodedTrack> tracks;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const trace::Track& track = trace.tracks[i];
    DecodedTrack& decoded = tracks.emplace_back(DecodedTrack{track.head.name, track.head.kind, {}});
    if (track.head.kind == TrackKind::memory) add_memory(trace, reader, track, decoded.events);
    for (std::uint32_t record = 0; record < track.head.count; ++record) {
      if (track.head.kind == TrackKind::spans)
        decoded.events.push_back(decoded_span(trace, reader, i, record));
      if (track.head.kind == TrackKind::line) {
        DecodedEvent& event = decoded.events.emplace_back();
        event.record = record;
        event.time = track.line->times[record];
        event.value = track.line->values[record];
      }
    }
  }
  return tracks;
}

std::string shown_text(const std::string& raw) {
  return io::printable_utf8(trace::plain_text(raw));
}

}  // namespace bytescope::tests
