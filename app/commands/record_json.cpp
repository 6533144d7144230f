#include "app/commands/record_json.h"

#include <string>

namespace bytescope::app {
namespace {

/// A record may have any number of corners; so many are held at once.
constexpr std::uint32_t corners_at_once = 4096;

}  // namespace

RecordJson::RecordJson(const trace::Trace& trace, std::uint32_t track, io::JsonWriter& json)
    : trace_(trace),
      track_(track),
      json_(json),
      reader_(trace.file),
      texts_(trace, reader_),
      cursor_(reader_, *trace.dialect, trace.tracks[track].head, trace.tracks[track].memory.get()),
      users_(json, texts_) {}

bool RecordJson::write(std::uint32_t record) {
  if (trace_.tracks[track_].head.kind == bytepack::TrackKind::spans) {
    write_span(record);
  } else if (!write_memory(record)) {
    return false;
  }
  json_.end_line();
  return true;
}

void RecordJson::write_span(std::uint32_t record) {
  const bytepack::SpanRecord span = trace_.span(reader_, track_, record);
  json_.begin_object().member("index", record).member("name", texts_.text(span.name));
  json_.member("start_us", span.start).member("duration_us", span.duration);
  json_.member("lane", trace_.tracks[track_].spans->lane(record));
  json_.member("ref", span.ref).member("key", span.key).member("category", span.category);
  const std::string& info = texts_.text(span.info);
  json_.key("info");
  if (info.empty()) {
    json_.null();
  } else {
    json_.value(info);
  }
  json_.end_object();
}

bool RecordJson::write_memory(std::uint32_t record) {
  const bool follows = cursor_.seek(record) && cursor_.next();
  if (!follows) return false;
  const bool is_line = trace_.tracks[track_].head.kind == bytepack::TrackKind::line;
  json_.begin_object().member("index", record);
  if (is_line) {
    json_.member("time_us", cursor_.point().time).member("value", cursor_.point().value);
  } else if (trace_.dialect->memory == bytepack::MemoryForm::polygons) {
    write_outline();
  } else {
    write_event();
  }
  json_.end_object();
  return true;
}

void RecordJson::write_event() {
  const bytepack::MemoryRecord& event = cursor_.event();
  json_.member("event", event.is_alloc ? "alloc" : "free").member("time_us", event.time);
  json_.member("key", event.key);
  if (event.is_alloc) {
    write_bytes(event.dtype, event.length);
  } else if (trace_.dialect->user.stride != 0) {
    json_.key("users");
    users_.write(cursor_);
  }
}

void RecordJson::write_outline() {
  const trace::OutlineRecord& outline = cursor_.outline();
  json_.member("event", "buffer");
  write_bytes(outline.dtype, outline.length);
  json_.key("points").begin_array();
  for (std::uint32_t first = 0; first < outline.point_count; first += corners_at_once) {
    points_.clear();
    cursor_.append_points(first, corners_at_once, points_);
    if (points_.empty()) break;
    for (const trace::OutlinePoint& point : points_)
      json_.begin_array().value(point.time).value(point.y_bytes).end_array();
  }
  json_.end_array();
}

void RecordJson::write_bytes(std::uint32_t dtype, std::uint64_t length) {
  const std::string& name = texts_.text(dtype);
  const auto size = trace_.index->dtype_bytes.find(name);
  json_.member("dtype", name).member("length", length);
  json_.member("bytes", size == trace_.index->dtype_bytes.end() ? 0 : length * size->second);
}

}  // namespace bytescope::app
