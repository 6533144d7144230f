#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/bytepack/little_endian.h"
#include "core/bytepack/records.h"
#include "core/io/piece_reader.h"
#include "core/trace/memory_build.h"
#include "core/trace/memory_forms.h"

namespace bytescope::trace {
namespace {

using bytepack::load;

constexpr std::uint32_t none = UINT32_MAX;
constexpr std::size_t tail_bytes = 4 + 8;                 // Element type and length.
constexpr std::size_t least_bytes = 4 + 12 + tail_bytes;  // A buffer with one point.

/// What the list of step numbers of one polygon tells.
struct Steps {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t at_last = 0;       ///< How many points lie at `last`.
  std::uint64_t last_y_bytes = 0;  ///< Lower edge at the last point.
};

/// One pass over polygons; each step of the track was one allocation or one free.
class PolygonPass {
public:
  PolygonPass(const MemorySource& source, Warnings& warnings)
      : source_(source),
        warnings_(warnings),
        reader_(source.file, source.head.records_byte, source.end_byte(), source.context.buffer),
        sizes_(source.context),
        step_count_(source.head.step_count) {}

  Expected<MemoryIndex> run() {
    const bytepack::TrackHead& head = source_.head;
    if (!source_.has_room(head.records_byte, step_count_, sizeof(std::uint32_t)) ||
        !source_.has_room(head.records_byte + std::uint64_t{step_count_} * sizeof(std::uint32_t),
                          head.count, least_bytes)) {
      return source_.no_room();
    }
    if (!read_times()) return complaint({});
    if (head.count > step_count_) {
      complain("More buffers than steps");
      return complaint({});
    }
    event_of_step_.assign(step_count_, none);
    memory_.buffers.reserve(head.count);
    for (std::uint32_t i = 0; i < head.count; ++i) {
      if (source_.cancel.requested()) return source_.cancelled();
      if (!read_buffer(i)) return complaint(i);
    }
    if (reader_.remaining() != 0) {
      complain("Bytes behind the last record");
      return complaint({});
    }
    finish_last_step();
    collect_events();
    if (!totals_fit()) return complaint({});
    return std::move(memory_);
  }

private:
  bool complain(std::string why) {
    complaint_ = std::move(why);
    return false;
  }
  tl::unexpected<Error> complaint(std::optional<std::uint64_t> record) {
    return failure(ErrorKind::bad_input, std::move(complaint_), {record_byte_, {}, {}, record});
  }

  // Calls `number` for each of `count` u32 from here on; stops where it answers false.
  template <class Number>
  bool read_numbers(std::uint32_t count, Number number) {
    while (count != 0) {
      const std::span<const std::byte> piece = reader_.peek(sizeof(std::uint32_t));
      const auto whole = static_cast<std::uint32_t>(
          std::min<std::size_t>(count, piece.size() / sizeof(std::uint32_t)));
      if (whole == 0) return complain("The track ends inside a record");
      for (std::uint32_t i = 0; i < whole; ++i) {
        record_byte_ = reader_.offset() + i * sizeof(std::uint32_t);
        if (!number(load<std::uint32_t>(piece.data() + i * sizeof(std::uint32_t)))) return false;
      }
      reader_.skip(whole * sizeof(std::uint32_t));
      count -= whole;
    }
    return true;
  }

  bool read_times() {
    times_.reserve(step_count_);
    return read_numbers(step_count_, [this](std::uint32_t time) {
      if (!times_.empty() && time < times_.back()) return complain("Time runs backwards");
      if (time > time_limit(source_.context)) return complain("A time past the end of the trace");
      times_.push_back(std::min(time, latest_time));
      return true;
    });
  }

  bool read_buffer(std::uint32_t number) {
    const std::uint64_t begin = record_byte_ = reader_.offset();
    std::span<const std::byte> piece = reader_.peek(sizeof(std::uint32_t));
    if (piece.size() < sizeof(std::uint32_t)) return complain("The track ends inside a record");
    const auto points = load<std::uint32_t>(piece.data());
    if (points == 0) return complain("A buffer without an outline");
    if (reader_.remaining() < 4 + std::uint64_t{points} * 12 + tail_bytes)
      return complain("The track ends inside a record");
    reader_.skip(sizeof(std::uint32_t));
    Steps steps;
    if (!read_steps(points, steps)) return false;
    reader_.skip(std::uint64_t{points - 1} * 8);
    steps.last_y_bytes = load<std::uint64_t>(reader_.peek(8).data());
    reader_.skip(8);
    record_byte_ = reader_.offset();
    piece = reader_.peek(tail_bytes);
    const auto dtype = load<std::uint32_t>(piece.data());
    const std::optional<std::uint64_t> bytes =
        sizes_.bytes(dtype, load<std::uint64_t>(piece.data() + 4));
    if (!bytes) return complain(sizes_.complaint(dtype));
    reader_.skip(tail_bytes);
    record_byte_ = begin;
    return add_buffer({number, 0, Buffer::never, dtype, *bytes}, steps);
  }

  bool read_steps(std::uint32_t points, Steps& steps) {
    bool first = true;
    return read_numbers(points, [&](std::uint32_t x) {
      if (x >= step_count_)
        return complain(fmt::format("Step {} of an outline, of only {}", x, step_count_));
      if (std::exchange(first, false)) steps.first = x;
      steps.at_last = x == steps.last ? steps.at_last + 1 : 1;
      steps.last = x;
      return true;
    });
  }

  // Keeps step `step` for `event`, which must be the only one there.
  bool claim(std::uint32_t step, std::uint32_t event) {
    if (event_of_step_[step] != none)
      return complain(fmt::format("Two buffers change in step {}", step));
    event_of_step_[step] = event;
    return true;
  }

  bool add_buffer(Buffer buffer, const Steps& steps) {
    const std::uint32_t end = step_count_ - 1;
    if (steps.first >= end || steps.last <= steps.first)
      return complain("An outline that ends where it begins");
    const auto ordinal = static_cast<std::uint32_t>(memory_.buffers.size());
    if (ordinal > UINT32_MAX / 2) return complain("More than 2^31 buffers");
    buffer.allocated = times_[steps.first];
    if (!claim(steps.first, ordinal * 2)) return false;
    if (steps.last < end) {
      if (!claim(steps.last - 1, ordinal * 2 + 1)) return false;
      buffer.freed = times_[steps.last - 1];
    } else if (steps.at_last == 1 &&
               (last_unmoved_ == none || steps.last_y_bytes >= last_unmoved_y_)) {
      last_unmoved_ = ordinal;
      last_unmoved_y_ = steps.last_y_bytes;
    }
    memory_.buffers.push_back(buffer);
    return true;
  }

  // An outline that reaches the end may be that of the buffer freed in the very last step: the
  // highest one that this step did not lower.
  void finish_last_step() {
    if (step_count_ < 2 || last_unmoved_ == none) return;
    const std::uint32_t step = step_count_ - 2;
    if (event_of_step_[step] != none) return;
    event_of_step_[step] = last_unmoved_ * 2 + 1;
    memory_.buffers.set_freed(last_unmoved_, times_[step]);
  }

  void collect_events() {
    memory_.events.reserve(step_count_);
    for (const std::uint32_t event : event_of_step_) {
      if (event != none) memory_.events.push_back(event);
    }
    const std::size_t steps = step_count_ == 0 ? 0 : step_count_ - 1;
    if (memory_.events.size() < steps) {
      warnings_.add(fmt::format("{} allocations or frees belong to buffers that the file lacks",
                                steps - memory_.events.size()),
                    {source_.head.head_byte, {}, source_.head.name, {}});
    }
  }

  bool totals_fit() {
    std::uint64_t live = 0;
    for (const std::uint32_t event : memory_.events) {
      const std::uint64_t bytes = memory_.buffers[MemoryIndex::ordinal(event)].bytes;
      if (MemoryIndex::is_free(event)) {
        live -= bytes;
      } else if (__builtin_add_overflow(live, bytes, &live)) {
        return complain("The live buffers exceed 2^64 bytes");
      }
    }
    return true;
  }

  const MemorySource& source_;
  Warnings& warnings_;
  io::PieceReader reader_;
  DtypeSizes sizes_;
  std::uint32_t step_count_;
  std::vector<std::uint32_t> times_;
  std::vector<std::uint32_t> event_of_step_;
  std::uint32_t last_unmoved_ = none;  ///< The highest buffer that the last step did not lower …
  std::uint64_t last_unmoved_y_ = 0;   ///< … and its lower edge there.
  MemoryIndex memory_;
  std::uint64_t record_byte_ = 0;
  std::string complaint_;
};

}  // namespace

Expected<MemoryIndex> load_polygons(const MemorySource& source, Warnings& warnings) {
  return PolygonPass(source, warnings).run();
}

}  // namespace bytescope::trace
