#include "core/bytepack/track_walk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "core/bytepack/records.h"
#include "core/io/piece_reader.h"

namespace bytescope::bytepack {
namespace {

constexpr std::uint64_t longest_name_bytes = std::uint64_t{255} * 4;

/// How many bytes `code_points` code points take from `offset` on; none when the file ends before.
std::optional<std::uint64_t> bytes_of_code_points(io::PageReader& pages, std::uint64_t offset,
                                                  std::uint64_t available,
                                                  std::uint32_t code_points) {
  std::uint64_t size = 0;
  for (std::uint32_t seen = 0; seen < code_points; ++seen) {
    if (size >= available) return std::nullopt;
    const auto lead = load<std::uint8_t>(pages.at(offset + size, 1));
    size += lead < 0x80 ? 1U : lead < 0xE0 ? 2U : lead < 0xF0 ? 3U : 4U;
  }
  if (size > available) return std::nullopt;
  return size;
}

constexpr std::array<std::uint64_t, 64> make_no_types() {
  std::array<std::uint64_t, 64> types{};
  types.fill(UINT64_MAX);
  return types;
}

/// Walks one track of one dialect; each step returns whether to go on.
class TrackWalk {
public:
  TrackWalk(const WalkSource& source, const Dialect& dialect, TrackHead& head)
      : pages_(source.pages),
        dialect_(dialect),
        limits_(source.limits),
        types_(source.types),
        buffer_(source.buffer),
        cancel_(source.cancel),
        head_(head) {}

  std::optional<Fault> run(std::uint64_t byte) {
    head_ = TrackHead{};
    head_.head_byte = at_ = begun_ = sound_until_ = byte;
    if (!read_head()) return fault_;
    if (head_.kind == TrackKind::spans) {
      if (!walk_spans()) return fault_;
    } else if (dialect_.memory == MemoryForm::polygons) {
      if (!walk_polygons()) return fault_;
    } else if (!walk_events()) {
      return fault_;
    }
    head_.end_byte = at_;
    return std::nullopt;
  }

private:
  bool stop(std::string message) {
    fault_ = {std::move(message), at_, record_, sound_until_};
    return false;
  }
  bool need(std::uint64_t size, const char* what) {
    return limits_.file_bytes - at_ >= size || ends_inside(what);
  }
  [[gnu::noinline]] bool ends_inside(const char* what) {
    stop(std::string("The file ends inside ") + what);
    fault_.byte = limits_.file_bytes;
    fault_.sound_until = begun_;
    return false;
  }
  void begin_record() {
    sound_until_ = begun_;
    begun_ = at_;
  }
  template <class T>
  T take() {
    const T value = load<T>(pages_.at(at_, sizeof(T)));
    at_ += sizeof(T);
    return value;
  }

  bool read_head() {
    if (!need(1, "a track head")) return false;
    const std::uint64_t length_byte = at_;
    std::uint64_t size = take<std::uint8_t>();
    if (limits_.code_point_names) {
      const auto bytes = bytes_of_code_points(pages_, at_, limits_.file_bytes - at_,
                                              static_cast<std::uint32_t>(size));
      size = bytes ? *bytes : longest_name_bytes + limits_.file_bytes;
    }
    if (!need(size + 1 + 4, "a track head")) return false;
    if (size > 0) head_.name.assign(reinterpret_cast<const char*>(pages_.at(at_, size)), size);
    at_ += size;
    const auto kind = take<std::uint8_t>();
    if (kind > 1) {
      at_ = length_byte;
      return stop("A track is of unknown kind");
    }
    head_.kind = kind == 0 ? TrackKind::spans : TrackKind::memory;
    head_.count = take<std::uint32_t>();
    return true;
  }

  bool walk_spans() {
    if (dialect_.lane_count_in_head) {
      if (!need(1, "a track head")) return false;
      at_ += 1;
    }
    head_.records_byte = at_;
    const std::uint64_t stride = dialect_.span.stride;
    // In a file that was cut short the records that are left still tell the dialect.
    const std::uint64_t there =
        std::min<std::uint64_t>(head_.count, (limits_.file_bytes - at_) / stride);
    if (there > 0 && !(plausible_span(0) && plausible_span(there - 1))) return false;
    if (there < head_.count) {
      at_ = sound_until_ = limits_.file_bytes;
      record_ = there;
      return stop("The file ends inside a span record");
    }
    at_ = head_.records_byte + stride * head_.count;
    return true;
  }

  bool plausible_span(std::uint64_t number) {
    const std::uint64_t byte = head_.records_byte + dialect_.span.stride * number;
    const SpanRecord span = decode_span(dialect_.span, pages_.at(byte, dialect_.span.stride));
    at_ = sound_until_ = byte;
    record_ = number;
    if (span.name >= limits_.string_count) return stop("A span's name is not in the strings");
    if (span.info >= limits_.string_count) return stop("A span's info is not in the strings");
    if (!std::isfinite(span.duration) || span.duration < 0)
      return stop("A span's duration is not a time");
    if (span.start > std::uint64_t{limits_.duration} + 1)
      return stop("A span starts after the end of the trace");
    record_.reset();
    return true;
  }

  bool walk_polygons() {
    if (!need(8 + 4, "a track head")) return false;
    head_.peak = take<std::uint64_t>();
    head_.step_count = take<std::uint32_t>();
    head_.records_byte = at_;
    if (!need(std::uint64_t{head_.step_count} * 4, "the times of a memory track")) return false;
    if (!walk_times(head_.step_count)) return false;
    for (std::uint32_t i = 0; i < head_.count; ++i) {
      record_ = i;
      begin_record();
      if (!walk_polygon()) return false;
    }
    record_.reset();
    return true;
  }

  bool walk_times(std::uint32_t count) {
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      begin_record();
      const auto time = take<std::uint32_t>();
      if (time < last || time > std::uint64_t{limits_.duration} + 1) {
        at_ -= 4;
        return stop("A memory track's times are out of order");
      }
      last = time;
      if (i % 65536 == 0 && cancel_.requested()) return stop("cancelled");
    }
    return true;
  }

  bool walk_polygon() {
    if (!need(4, "a buffer's outline")) return false;
    const std::uint64_t points = take<std::uint32_t>();
    if (!need(points * 12 + 4 + 8, "a buffer's outline")) return false;
    std::uint32_t last = 0;
    for (std::uint64_t i = 0; i < points; ++i) {
      const auto step = take<std::uint32_t>();
      if (step >= head_.step_count || step < last) {
        at_ -= 4;
        return stop("A buffer's outline is out of range");
      }
      last = step;
      if (i % 65536 == 0 && cancel_.requested()) return stop("cancelled");
    }
    at_ += points * 8;
    const std::uint64_t type_byte = at_;
    const auto dtype = take<std::uint32_t>();
    if (!types_.bytes_per_element(dtype)) {
      at_ = type_byte;
      return stop("A buffer's element type is unknown");
    }
    at_ += 8;
    return true;
  }

  bool walk_events() {
    if (dialect_.memory == MemoryForm::events_or_line) {
      if (!need(1, "a track head")) return false;
      const auto linear = take<std::uint8_t>();
      if (linear > 1) {
        at_ -= 1;
        return stop("A memory track is neither events nor a line");
      }
      if (linear == 1) head_.kind = TrackKind::line;
    }
    if (!need(8, "a track head")) return false;
    head_.peak = take<std::uint64_t>();
    head_.records_byte = at_;
    stream_.emplace(pages_.file(), at_, limits_.file_bytes, &buffer_);
    piece_offset_ = at_;
    const bool is_line = head_.kind == TrackKind::line;
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < head_.count; ++i) {
      if (!is_line && (i += skim(head_.count - i, last)) == head_.count) break;
      record_ = i;
      begin_record();
      if (cancel_.requested()) return stop("cancelled");
      if (!(is_line ? walk_line_record(last) : walk_event(last))) return false;
    }
    record_.reset();
    return true;
  }

  bool check_time(std::uint32_t time, std::uint32_t& last, std::uint64_t record_byte) {
    if (time >= last && time <= std::uint64_t{limits_.duration} + 1) {
      last = time;
      return true;
    }
    at_ = record_byte;
    return stop(time < last ? "Times are out of order"
                            : "A record lies after the end of the trace");
  }

  bool walk_line_record(std::uint32_t& last) {
    if (!need(line_bytes, "a line record")) return false;
    const std::uint64_t record_byte = at_;
    const auto time = load<std::uint32_t>(here(line_bytes));
    at_ += line_bytes;
    return check_time(time, last, record_byte);
  }

  /// Goes over events that are as they should be and lie whole in the piece, at most `most` of
  /// them; answers how many. Without a branch for what cannot be predicted: whether an event is an
  /// allocation, and how many users a free has.
  std::uint32_t skim(std::uint32_t most, std::uint32_t& last) {
    const std::uint64_t stride = dialect_.user.stride;
    const std::uint64_t free_head = free_bytes + (stride != 0 ? sizeof(std::uint32_t) : 0);
    const std::uint64_t latest = std::uint64_t{limits_.duration} + 1;
    std::uint32_t time = last;
    std::uint32_t done = 0;
    std::uint64_t allocs = 0;
    std::uint64_t at = std::min<std::uint64_t>(at_ - piece_offset_, piece_.size());
    std::uint64_t begun = at;
    for (; done < most && piece_.size() - at >= alloc_bytes; ++done) {
      const std::byte* record = piece_.data() + at;
      const std::uint64_t kind = load<std::uint8_t>(record);
      const auto now = load<std::uint32_t>(record + 1);
      const auto dtype_or_users = load<std::uint32_t>(record + free_bytes);
      const std::uint64_t users = dtype_or_users & (kind - 1);
      const std::uint64_t size = free_head + users * stride + kind * (alloc_bytes - free_head);
      const bool is_new_type = kind == 1 && sound_type(dtype_or_users) != dtype_or_users;
      if (kind > 1 || now < time || now > latest || is_new_type || size > piece_.size() - at) break;
      time = now;
      begun = at;
      at += size;
      allocs += kind;
    }
    if (done > 0) {
      begun_ = piece_offset_ + begun;
      at_ = piece_offset_ + at;
    }
    head_.alloc_count += static_cast<std::uint32_t>(allocs);
    last = time;
    return done;
  }

  bool walk_event(std::uint32_t& last) {
    if (!need(free_bytes, "a memory record")) return false;
    const std::uint64_t record_byte = at_;
    const std::byte* bytes = here(free_bytes);
    const auto kind = load<std::uint8_t>(bytes);
    const auto time = load<std::uint32_t>(bytes + 1);
    if (kind > 1) return stop("A memory record is neither an allocation nor a free");
    if (!check_time(time, last, record_byte)) return false;
    if (kind == 0) {
      at_ += free_bytes;
      return dialect_.user.stride == 0 || walk_users();
    }
    if (!need(alloc_bytes, "a memory record")) return false;
    const auto dtype = load<std::uint32_t>(here(alloc_bytes) + free_bytes);
    if (sound_type(dtype) != dtype && !types_.bytes_per_element(dtype))
      return stop("A buffer's element type is unknown");
    sound_type(dtype) = dtype;
    ++head_.alloc_count;
    at_ += alloc_bytes;
    return true;
  }

  bool walk_users() {
    if (!need(4, "a memory record")) return false;
    const std::uint64_t bytes = std::uint64_t{load<std::uint32_t>(here(4))} * dialect_.user.stride;
    at_ += 4;
    if (!need(bytes, "the users of a buffer")) return false;
    at_ += bytes;
    return true;
  }

  /// Where the last sound type is kept that shares its place with `dtype`; no type at first.
  std::uint64_t& sound_type(std::uint32_t dtype) {
    return sound_types_[dtype % sound_types_.size()];
  }

  /// `size` bytes of an event track from at_ on; the file must have them. Reads forward in pieces,
  /// as there may be millions of events.
  const std::byte* here(std::size_t size) {
    const std::uint64_t used = at_ - piece_offset_;
    return used + size <= piece_.size() ? piece_.data() + used : further(used, size);
  }
  [[gnu::noinline]] const std::byte* further(std::uint64_t used, std::size_t size) {
    stream_->skip(used);
    piece_offset_ += used;
    piece_ = stream_->peek(size);
    return piece_.data();
  }

  io::PageReader& pages_;
  const Dialect& dialect_;
  const WalkLimits& limits_;
  TypeTable& types_;
  io::PieceBuffer& buffer_;
  const Cancel& cancel_;
  TrackHead& head_;
  std::uint64_t at_ = 0;
  std::uint64_t begun_ = 0;        // where the record begins that is read now
  std::uint64_t sound_until_ = 0;  // … and the one before
  std::optional<std::uint64_t> record_;
  std::optional<io::PieceReader> stream_;
  std::span<const std::byte> piece_;  // of the stream
  std::uint64_t piece_offset_ = 0;    // of piece_
  std::array<std::uint64_t, 64> sound_types_ = make_no_types();
  Fault fault_;
};

}  // namespace

TypeTable::TypeTable(const io::InputFile& file, const JsonIndex& index)
    : reader_(std::shared_ptr<const io::InputFile>(&file, [](const io::InputFile*) {}), 4),
      index_(index) {}

std::optional<std::uint64_t> TypeTable::bytes_per_element(std::uint32_t dtype) {
  // A handful of types in an honest file; a hostile one shall neither fill the memory nor make us
  // read strings without end.
  constexpr std::size_t capacity = 4096;
  if (const auto found = known_.find(dtype); found != known_.end()) return found->second;
  if (known_.size() == capacity) return std::nullopt;
  std::optional<std::uint64_t> bytes;
  if (dtype < index_.strings.size()) {
    const auto entry = index_.dtype_bytes.find(index_.strings.text(reader_, dtype, 4096));
    if (entry != index_.dtype_bytes.end()) bytes = entry->second;
  }
  known_[dtype] = bytes;
  return bytes;
}

std::optional<Fault> walk_track(const WalkSource& source, const Dialect& dialect,
                                std::uint64_t byte, TrackHead& head) {
  return TrackWalk(source, dialect, head).run(byte);
}

}  // namespace bytescope::bytepack
