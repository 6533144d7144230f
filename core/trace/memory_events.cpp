#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/bytepack/little_endian.h"
#include "core/bytepack/records.h"
#include "core/io/piece_reader.h"
#include "core/trace/live_keys.h"
#include "core/trace/memory_build.h"
#include "core/trace/memory_forms.h"

namespace bytescope::trace {
namespace {

using bytepack::load;

/// One pass over allocations and frees.
class EventPass {
public:
  explicit EventPass(const MemorySource& source)
      : source_(source),
        reader_(source.file, source.head.records_byte, source.end_byte(), source.context.buffer),
        sizes_(source.context),
        user_(source.dialect.user),
        free_bytes_(bytepack::free_bytes + (user_.stride != 0 ? sizeof(std::uint32_t) : 0)),
        limit_(time_limit(source.context)) {}

  Expected<MemoryIndex> run() {
    const std::uint32_t count = source_.head.count;
    if (!source_.has_room(source_.head.records_byte, count, free_bytes_)) return source_.no_room();
    reserve(count);
    while (events_done() < count || users_left_ != 0) {
      if (source_.cancel.requested()) return source_.cancelled();
      const std::span<const std::byte> piece = reader_.peek(bytepack::alloc_bytes);
      const std::size_t used = take(piece);
      if (complaint_.empty() && used == 0) complaint_ = "The track ends inside a record";
      if (!complaint_.empty()) return complaint(used);
      reader_.skip(used);
    }
    if (reader_.remaining() != 0) {
      return failure(ErrorKind::bad_input, "Bytes behind the last record",
                     {reader_.offset(), {}, {}, {}});
    }
    return std::move(memory_);
  }

private:
  std::uint32_t events_done() const { return static_cast<std::uint32_t>(memory_.events.size()); }

  void reserve(std::uint32_t count) {
    memory_.events.reserve(count);
    memory_.blocks.reserve(count / MemoryIndex::block_events + 1);
    memory_.buffers.reserve(std::min(count, source_.head.alloc_count));
  }

  tl::unexpected<Error> complaint(std::size_t used) {
    // Users belong to the record before; events_done() counts it already.
    const std::uint32_t record = users_left_ != 0 ? events_done() - 1 : events_done();
    return failure(ErrorKind::bad_input, std::move(complaint_),
                   {reader_.offset() + used, {}, {}, record});
  }

  // Takes all that lies whole in `piece`. Answers its bytes; on a complaint: those in front of it.
  std::size_t take(std::span<const std::byte> piece) {
    std::size_t at = 0;
    std::size_t scout = 0;
    while (complaint_.empty()) {
      const std::span<const std::byte> rest = piece.subspan(at);
      if (users_left_ == 0) scout = look_ahead(piece, at, scout);
      const std::size_t used = users_left_ != 0 ? take_users(rest) : take_event(rest, at);
      if (used == 0) break;
      at += used;
    }
    return at;
  }

  // Where keys lie is spread out: fetches the place of one that is due some records behind `at`.
  // Answers where the record behind that one begins.
  std::size_t look_ahead(std::span<const std::byte> piece, std::size_t at,
                         std::size_t scout) const {
    constexpr int records_ahead = 16;
    if (scout > at) return fetch_key(piece, scout);
    scout = at;
    for (int i = 0; i < records_ahead; ++i) scout = fetch_key(piece, scout);
    return scout;
  }

  std::size_t fetch_key(std::span<const std::byte> piece, std::size_t at) const {
    if (piece.size() - at < bytepack::alloc_bytes) return at;
    const std::byte* record = piece.data() + at;
    const auto kind = load<std::uint8_t>(record);
    live_.prefetch(load<std::uint32_t>(record + 5));
    const bool is_free = kind == 0;
    const std::uint64_t users = is_free ? load<std::uint32_t>(record + bytepack::free_bytes) : 0;
    const std::uint64_t size =
        (is_free ? free_bytes_ : bytepack::alloc_bytes) + users * user_.stride;
    return static_cast<std::size_t>(std::min<std::uint64_t>(at + size, piece.size()));
  }

  std::size_t take_event(std::span<const std::byte> rest, std::size_t at) {
    if (rest.empty() || events_done() == source_.head.count) return 0;
    const auto kind = std::to_integer<unsigned>(rest[0]);
    if (kind > 1) return stop(fmt::format("Kind {} is neither a free nor an allocation", kind));
    const std::size_t size = kind == 1 ? bytepack::alloc_bytes : free_bytes_;
    if (rest.size() < size) return 0;
    const auto time = load<std::uint32_t>(rest.data() + 1);
    if (time < last_time_) return stop("Time runs backwards");
    if (time > limit_) return stop("A time past the end of the trace");
    const std::uint64_t byte = reader_.offset() + at;
    const bool fine = kind == 1 ? take_alloc(rest.data(), time) : take_free(rest.data(), time);
    if (!fine) return 0;
    if ((events_done() - 1) % MemoryIndex::block_events == 0)
      memory_.blocks.push_back({byte, time, 0, {}, {}});
    last_time_ = time;
    return size;
  }

  bool take_alloc(const std::byte* record, std::uint32_t time) {
    const auto key = load<std::uint32_t>(record + 5);
    const auto dtype = load<std::uint32_t>(record + 9);
    const auto length = load<std::uint64_t>(record + 13);
    const std::optional<std::uint64_t> bytes = sizes_.bytes(dtype, length);
    if (!bytes) return complain(sizes_.complaint(dtype));
    if (!add_live(*bytes)) return complain("The live buffers exceed 2^64 bytes");
    const auto ordinal = static_cast<std::uint32_t>(memory_.buffers.size());
    if (ordinal > UINT32_MAX / 2) return complain("More than 2^31 allocations");
    if (!live_.insert(key, ordinal))
      return complain(fmt::format("Key {} is allocated while it is live", key));
    memory_.buffers.push_back({key, std::min(time, latest_time), Buffer::never, dtype, *bytes});
    memory_.events.push_back(ordinal * 2);
    return true;
  }

  // Adds up all allocations until that overflows, and only from then on takes frees away again: the
  // size of a buffer freed long after its allocation is slow to get at.
  bool add_live(std::uint64_t bytes) {
    if (!__builtin_add_overflow(live_bytes_, bytes, &live_bytes_)) return true;
    if (std::exchange(exact_, true)) return false;
    live_bytes_ = 0;
    for (const Buffer& buffer : memory_.buffers) {
      if (buffer.freed == Buffer::never) live_bytes_ += buffer.bytes;
    }
    return !__builtin_add_overflow(live_bytes_, bytes, &live_bytes_);
  }

  bool take_free(const std::byte* record, std::uint32_t time) {
    const auto key = load<std::uint32_t>(record + 5);
    const std::uint32_t ordinal = live_.take(key);
    if (ordinal == UINT32_MAX) return complain(fmt::format("Key {} is freed but not live", key));
    memory_.buffers.set_freed(ordinal, std::min(time, latest_time));
    if (exact_) live_bytes_ -= memory_.buffers[ordinal].bytes;
    memory_.events.push_back(ordinal * 2 + 1);
    if (user_.stride != 0) users_left_ = load<std::uint32_t>(record + bytepack::free_bytes);
    return true;
  }

  std::size_t take_users(std::span<const std::byte> rest) {
    // Divides only where a piece ends among them: a division costs more than a few users.
    const bool all = std::uint64_t{users_left_} * user_.stride <= rest.size();
    const auto whole = all ? users_left_ : static_cast<std::uint32_t>(rest.size() / user_.stride);
    const std::byte* user = rest.data();
    for (std::uint32_t i = 0; i < whole; ++i, user += user_.stride) {
      if (user_.name >= 0 && load<std::uint32_t>(user + user_.name) >= source_.context.string_count)
        return stop("A user's name is not among the strings", user - rest.data());
      if (user_.mode >= 0 && std::to_integer<unsigned>(user[user_.mode]) > 2)
        return stop("A user's mode is neither read, write nor both", user - rest.data());
    }
    users_left_ -= whole;
    return std::size_t{whole} * user_.stride;
  }

  bool complain(std::string why) {
    complaint_ = std::move(why);
    return false;
  }
  // Complains about what lies that many bytes ahead, and answers how many those are.
  std::size_t stop(std::string why, std::ptrdiff_t ahead = 0) {
    complaint_ = std::move(why);
    return static_cast<std::size_t>(ahead);
  }

  const MemorySource& source_;
  io::PieceReader reader_;
  DtypeSizes sizes_;
  bytepack::UserLayout user_;
  std::size_t free_bytes_;
  std::uint32_t limit_;
  MemoryIndex memory_;
  LiveKeys live_;
  std::uint64_t live_bytes_ = 0;  ///< Never less than what is live; equal to it once exact.
  bool exact_ = false;
  std::uint32_t last_time_ = 0;
  std::uint32_t users_left_ = 0;
  std::string complaint_;
};

}  // namespace

Expected<MemoryIndex> load_events(const MemorySource& source) { return EventPass(source).run(); }

}  // namespace bytescope::trace
