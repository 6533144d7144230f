#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/bytepack/writer.h"

namespace bytescope::bytepack {
namespace {

/// Numbers strings in the order in which they are first asked for.
class StringNumbers {
public:
  std::uint32_t id(const std::string& text) {
    const auto [place, is_new] =
        ids_.try_emplace(text, static_cast<std::uint32_t>(strings_.size()));
    if (is_new) strings_.push_back(text);
    return place->second;
  }
  const std::vector<std::string>& strings() const { return strings_; }

private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<std::string> strings_;
};

/// First fit in whole microseconds, as the producer of dialect A did it.
class FirstFit {
public:
  std::size_t lane(std::uint32_t start, float duration) {
    const bool is_sane = duration >= 0 && duration < 4294967296.0F;
    const std::uint64_t end =
        std::uint64_t{start} + (is_sane ? static_cast<std::uint64_t>(duration) : 0);
    const auto fits = [start](std::uint64_t last_end) { return last_end <= start; };
    const auto place = std::find_if(ends_.begin(), ends_.end(), fits);
    const auto lane = static_cast<std::size_t>(place - ends_.begin());
    if (place == ends_.end()) ends_.push_back(0);
    ends_[lane] = end;
    return lane;
  }
  std::size_t count() const { return ends_.size(); }

private:
  std::vector<std::uint64_t> ends_;
};

std::uint64_t bytes_of(const DtypeSizes& sizes, const MemoryDescription& allocation) {
  for (const auto& [name, bytes] : sizes) {
    if (name == allocation.dtype) return allocation.length * bytes;
  }
  return 0;
}

std::uint64_t computed_peak(const TrackDescription& track, const DtypeSizes& sizes) {
  std::uint64_t peak = 0;
  for (const LineDescription& value : track.line) peak = std::max(peak, value.value);
  std::unordered_map<std::uint32_t, std::uint64_t> live;
  std::uint64_t total = 0;
  for (const MemoryDescription& event : track.memory) {
    const std::uint64_t bytes = event.is_alloc ? bytes_of(sizes, event) : 0;
    total += bytes - std::exchange(live[event.key], bytes);
    peak = std::max(peak, total);
  }
  return peak;
}

/// The end of the last event, cut to whole microseconds.
std::uint32_t computed_duration(const TraceDescription& trace) {
  double end = 0;
  for (const TrackDescription& track : trace.tracks) {
    for (const SpanDescription& span : track.spans) {
      const double span_end = static_cast<double>(span.start) + static_cast<double>(span.duration);
      if (std::isfinite(span_end)) end = std::max(end, span_end);
    }
    for (const auto& event : track.memory) end = std::max(end, static_cast<double>(event.time));
    for (const auto& value : track.line) end = std::max(end, static_cast<double>(value.time));
  }
  constexpr std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
  return end < static_cast<double>(last) ? static_cast<std::uint32_t>(end) : last;
}

/// Turns one description into bytes; the strings are numbered on the way.
class Encoder {
public:
  Encoder(const TraceDescription& trace, const Dialect& dialect)
      : trace_(trace), dialect_(dialect), writer_(tracks_, dialect) {}

  std::vector<std::byte> bytes() {
    frame_.duration_us = trace_.duration_us.value_or(computed_duration(trace_));
    frame_.track_count = static_cast<std::uint32_t>(trace_.tracks.size());
    for (const TrackDescription& track : trace_.tracks) add(track);
    writer_.flush();
    CountingSink counted;
    add_index(counted);
    frame_.index_bytes = static_cast<std::uint32_t>(counted.size_bytes());
    frame_.peak_bytes = trace_.peak_bytes.value_or(frame_.peak_bytes);
    MemorySink file;
    TraceWriter head(file, dialect_);
    head.frame(frame_);
    head.flush();
    add_index(file);
    file.write(tracks_.bytes());
    return std::move(file.bytes());
  }

private:
  void add(const TrackDescription& track) {
    const std::size_t head_byte = tracks_.bytes().size();
    switch (track.kind) {
      case TrackKind::spans: add_spans(track); break;
      case TrackKind::memory: add_memory(track); break;
      case TrackKind::line: add_line(track); break;
    }
    writer_.flush();
    if (track.name_length) tracks_.bytes()[head_byte] = static_cast<std::byte>(*track.name_length);
  }

  void add_spans(const TrackDescription& track) {
    FirstFit lanes;
    std::vector<std::uint8_t> depths;
    for (const SpanDescription& span : track.spans) {
      const std::size_t lane = lanes.lane(span.start, span.duration);
      depths.push_back(static_cast<std::uint8_t>(std::min<std::size_t>(lane, 255)));
    }
    writer_.begin_spans(track.name, static_cast<std::uint32_t>(track.spans.size()), lanes.count());
    for (std::size_t i = 0; i < track.spans.size(); ++i) {
      const SpanDescription& span = track.spans[i];
      SpanRecord record;
      record.name = strings_.id(span.name);
      record.info = strings_.id(span.info);
      record.start = span.start;
      record.duration = span.duration;
      record.ref = span.ref;
      record.key = span.key;
      record.category = span.category;
      record.depth = depths[i];
      writer_.span(record);
    }
  }

  void add_memory(const TrackDescription& track) {
    if (dialect_.memory == MemoryForm::polygons) {
      add_polygons(track);
      return;
    }
    const std::uint64_t peak = track.peak.value_or(computed_peak(track, trace_.dtype_bytes));
    frame_.peak_bytes = std::max(frame_.peak_bytes, peak);
    writer_.begin_memory(track.name, static_cast<std::uint32_t>(track.memory.size()), peak);
    for (const MemoryDescription& event : track.memory) {
      if (event.is_alloc) {
        writer_.allocation(event.time, event.key, strings_.id(event.dtype), event.length);
      } else {
        writer_.free(event.time, event.key, users_of(event));
      }
    }
  }

  void add_polygons(const TrackDescription& track) {
    PolygonBuilder builder;
    for (const MemoryDescription& event : track.memory) {
      if (event.is_alloc) {
        builder.allocate(event.time, event.key, strings_.id(event.dtype), event.length,
                         bytes_of(trace_.dtype_bytes, event));
      } else {
        builder.free(event.time, event.key);
      }
    }
    Polygons ready = builder.finish(frame_.duration_us);
    ready.peak_bytes = track.peak.value_or(ready.peak_bytes);
    frame_.peak_bytes = std::max(frame_.peak_bytes, ready.peak_bytes);
    writer_.polygons(track.name, ready);
  }

  void add_line(const TrackDescription& track) {
    const std::uint64_t peak = track.peak.value_or(computed_peak(track, trace_.dtype_bytes));
    frame_.peak_bytes = std::max(frame_.peak_bytes, peak);
    writer_.begin_line(track.name, static_cast<std::uint32_t>(track.line.size()), peak);
    for (const LineDescription& value : track.line) writer_.value(value.time, value.value);
  }

  std::vector<UserRecord> users_of(const MemoryDescription& event) {
    std::vector<UserRecord> users;
    if (dialect_.user.stride == 0) return users;
    for (const UserDescription& user : event.users) {
      UserRecord& record = users.emplace_back();
      record.run = user.run;
      // A string that the file does not refer to would be a string too many.
      if (dialect_.user.name >= 0) record.name = strings_.id(user.name);
      record.arg = user.arg;
      record.mode = user.mode;
    }
    return users;
  }

  void add_index(Sink& sink) const {
    TraceWriter writer(sink, dialect_);
    writer.begin_index();
    for (const std::string& text : strings_.strings()) writer.string(text);
    writer.end_index({trace_.dtype_bytes, trace_.markers, trace_.more_json});
    writer.flush();
  }

  const TraceDescription& trace_;
  const Dialect& dialect_;
  MemorySink tracks_;
  TraceWriter writer_;
  StringNumbers strings_;
  Frame frame_;
};

}  // namespace

std::vector<std::byte> encode(const TraceDescription& trace, const Dialect& dialect) {
  return Encoder(trace, dialect).bytes();
}

}  // namespace bytescope::bytepack
