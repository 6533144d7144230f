#include "core/bytepack/writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "core/io/json_writer.h"

namespace bytescope::bytepack {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{64} * 1024;

template <class T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

/// An optional number is stored as value + 1, with 0 for none.
template <class T>
T stored(std::optional<T> value) {
  return value ? static_cast<T>(*value + 1) : T{0};
}

void append_markers(std::string& out, const std::vector<FileMarker>& markers) {
  out += ", \"markers\": [";
  const char* separator = "";
  for (const FileMarker& marker : markers) {
    out += separator;
    separator = ", ";
    out += '{';
    const char* comma = "";
    const auto key = [&](const char* name) {
      fmt::format_to(std::back_inserter(out), "{}\"{}\": ", comma, name);
      comma = ", ";
    };
    if (marker.name) {
      key("name");
      io::append_json_string(out, *marker.name);
    }
    if (marker.time_us) {
      key("ts");
      // Not every double is a JSON number.
      const double time = std::isfinite(*marker.time_us) ? *marker.time_us : 0;
      fmt::format_to(std::back_inserter(out), "{}", time);
    }
    if (marker.color) {
      key("color");
      io::append_json_string(out, *marker.color);
    }
    out += '}';
  }
  out += ']';
}

std::size_t encoded_user(const UserLayout& layout, const UserRecord& user, std::byte* to) {
  if (layout.run >= 0) store(to + layout.run, user.run.value_or(0));
  if (layout.name >= 0) store(to + layout.name, user.name.value_or(0));
  if (layout.arg >= 0 && layout.arg_bytes == 1) {
    store(to + layout.arg, static_cast<std::uint8_t>(user.arg.value_or(0)));
  }
  if (layout.arg >= 0 && layout.arg_bytes == 4) store(to + layout.arg, user.arg.value_or(0));
  if (layout.mode >= 0) store(to + layout.mode, user.mode.value_or(0));
  return layout.stride;
}

}  // namespace

TraceWriter::TraceWriter(Sink& sink, const Dialect& dialect)
    : sink_(sink), dialect_(dialect), buffer_(buffer_bytes) {}

std::byte* TraceWriter::room(std::size_t size) {
  if (used_ + size > buffer_.size()) flush();
  std::byte* place = buffer_.data() + used_;
  used_ += size;
  return place;
}

void TraceWriter::flush() {
  sink_.write(std::span(buffer_).first(used_));
  used_ = 0;
}

template <class T>
void TraceWriter::number(T value) {
  store(room(sizeof value), value);
}

void TraceWriter::text(std::string_view text) {
  while (!text.empty()) {
    const std::string_view part = text.substr(0, buffer_bytes);
    std::memcpy(room(part.size()), part.data(), part.size());
    text.remove_prefix(part.size());
  }
}

void TraceWriter::frame(const Frame& frame) {
  number(frame.duration_us);
  number(frame.peak_bytes);
  number(frame.index_bytes);
  number(frame.track_count);
}

void TraceWriter::begin_index() {
  text("{\"strings\": [");
  first_string_ = true;
}

void TraceWriter::string(std::string_view raw) {
  escaped_ = first_string_ ? "" : ", ";
  first_string_ = false;
  io::append_json_string(escaped_, raw);
  text(escaped_);
}

void TraceWriter::end_index(const IndexTail& tail) {
  // The key was renamed within B; its later name is the one that most files of B have.
  std::string out = dialect_.letter == 'A' ? "], \"dtypes\": {" : "], \"dtypeSize\": {";
  const char* separator = "";
  for (const auto& [name, bytes] : tail.dtype_bytes) {
    out += separator;
    separator = ", ";
    io::append_json_string(out, name);
    fmt::format_to(std::back_inserter(out), ": {}", bytes);
  }
  out += '}';
  if (dialect_.letter >= 'D') append_markers(out, tail.markers);
  if (!tail.more_json.empty()) out += ", " + tail.more_json;
  out += '}';
  text(out);
}

void TraceWriter::end_index_with(std::string_view members_json) {
  text(members_json.empty() ? "]" : "], ");
  text(members_json);
  text("}");
}

void TraceWriter::track_head(std::string_view name, TrackKind kind, std::uint32_t count) {
  const std::string_view shown = name.substr(0, 255);
  number(static_cast<std::uint8_t>(shown.size()));
  text(shown);
  number(static_cast<std::uint8_t>(kind == TrackKind::spans ? 0 : 1));
  number(count);
}

void TraceWriter::begin_spans(std::string_view name, std::uint32_t count, std::size_t lane_count) {
  track_head(name, TrackKind::spans, count);
  if (dialect_.lane_count_in_head) {
    number(static_cast<std::uint8_t>(std::min<std::size_t>(lane_count, 255)));
  }
}

void TraceWriter::span(const SpanRecord& record) {
  const SpanLayout& layout = dialect_.span;
  std::byte* to = room(layout.stride);
  store(to + layout.name, record.name);
  store(to + layout.ref, stored(record.ref));
  if (layout.key >= 0) store(to + layout.key, stored(record.key));
  store(to + layout.start, record.start);
  store(to + layout.duration, record.duration);
  if (layout.depth >= 0) store(to + layout.depth, record.depth);
  if (layout.category >= 0) store(to + layout.category, stored(record.category));
  store(to + layout.info, record.info);
}

void TraceWriter::begin_memory(std::string_view name, std::uint32_t count,
                               std::uint64_t peak_bytes) {
  track_head(name, TrackKind::memory, count);
  if (dialect_.memory == MemoryForm::events_or_line) number(std::uint8_t{0});
  number(peak_bytes);
}

void TraceWriter::allocation(std::uint32_t time, std::uint32_t key, std::uint32_t dtype,
                             std::uint64_t length) {
  number(std::uint8_t{1});
  number(time);
  number(key);
  number(dtype);
  number(length);
}

void TraceWriter::free(std::uint32_t time, std::uint32_t key, std::span<const UserRecord> users) {
  begin_free(time, key, static_cast<std::uint32_t>(users.size()));
  for (const UserRecord& one : users) user(one);
}

void TraceWriter::begin_free(std::uint32_t time, std::uint32_t key, std::uint32_t user_count) {
  number(std::uint8_t{0});
  number(time);
  number(key);
  if (dialect_.user.stride != 0) number(user_count);
}

void TraceWriter::user(const UserRecord& user) {
  if (dialect_.user.stride != 0) encoded_user(dialect_.user, user, room(dialect_.user.stride));
}

void TraceWriter::polygons(std::string_view name, const Polygons& polygons) {
  track_head(name, TrackKind::memory, static_cast<std::uint32_t>(polygons.buffers.size()));
  number(polygons.peak_bytes);
  number(static_cast<std::uint32_t>(polygons.times.size()));
  for (const std::uint32_t time : polygons.times) number(time);
  for (const Polygon& buffer : polygons.buffers) {
    number(static_cast<std::uint32_t>(buffer.x.size()));
    for (const std::uint32_t x : buffer.x) number(x);
    for (const std::uint64_t y : buffer.y) number(y);
    number(buffer.dtype);
    number(buffer.length);
  }
}

void TraceWriter::begin_line(std::string_view name, std::uint32_t count, std::uint64_t peak) {
  track_head(name, TrackKind::line, count);
  number(std::uint8_t{1});
  number(peak);
}

void TraceWriter::value(std::uint32_t time, std::uint64_t value) {
  number(time);
  number(value);
}

}  // namespace bytescope::bytepack
