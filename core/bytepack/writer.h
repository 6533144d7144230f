#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytepack/dialect.h"
#include "core/bytepack/frame.h"
#include "core/bytepack/json_index.h"
#include "core/bytepack/polygons.h"
#include "core/bytepack/records.h"
#include "core/bytepack/sink.h"

// Two ways to write a trace. TraceWriter streams one of any size in the order of the file: frame,
// index, tracks; everything that a head tells must be known first. encode() takes a small trace
// described in memory and finds positions of strings, peaks, lanes and the duration by itself.

namespace bytescope::bytepack {

/// Element type name and bytes per element, in the order of the file.
using DtypeSizes = std::vector<std::pair<std::string, std::uint64_t>>;

/// Keys of the index behind `strings`.
struct IndexTail {
  DtypeSizes dtype_bytes;
  std::vector<FileMarker> markers;  ///< Written from D on; what a marker lacks is left out.
  std::string more_json;  ///< Further members as JSON text, such as `"pcMap": {}`; may be empty.
};

/// Streams a trace in dialect `dialect` into `sink`. Call in the order of the file. The writer does
/// not check that counts and lengths told beforehand come true. Buffers 64 KB; flush() at the end.
class TraceWriter {
public:
  /// `sink` and `dialect` must outlive the writer.
  TraceWriter(Sink& sink, const Dialect& dialect);

  /// The head of the file.
  void frame(const Frame& frame);
  /// Starts the index; string() then adds one to `strings`, raw text that is escaped here.
  void begin_index();
  void string(std::string_view raw);
  /// Ends the index.
  void end_index(const IndexTail& tail);
  /// The same with all further members as JSON text (`"dtypeSize": {}, …`), which may be empty.
  void end_index_with(std::string_view members_json);

  /// Starts a span track of `count` records; `lane_count` is written in A only.
  void begin_spans(std::string_view name, std::uint32_t count, std::size_t lane_count = 1);
  /// The next span; fields that the dialect lacks are dropped.
  void span(const SpanRecord& record);

  /// Starts a memory track of `count` allocations and frees (from C on).
  void begin_memory(std::string_view name, std::uint32_t count, std::uint64_t peak_bytes);
  void allocation(std::uint32_t time, std::uint32_t key, std::uint32_t dtype, std::uint64_t length);
  /// The next free; users, and fields of users, that the dialect lacks are dropped.
  void free(std::uint32_t time, std::uint32_t key, std::span<const UserRecord> users);
  /// The same for any number of users, each of which user() then adds.
  void begin_free(std::uint32_t time, std::uint32_t key, std::uint32_t user_count);
  void user(const UserRecord& user);

  /// A whole memory track of A and B.
  void polygons(std::string_view name, const Polygons& polygons);

  /// Starts a line track of `count` values (K, L).
  void begin_line(std::string_view name, std::uint32_t count, std::uint64_t peak);
  void value(std::uint32_t time, std::uint64_t value);

  /// Hands everything that is buffered to the sink.
  void flush();

private:
  void track_head(std::string_view name, TrackKind kind, std::uint32_t count);
  void text(std::string_view text);
  std::byte* room(std::size_t size);
  template <class T>
  void number(T value);

  Sink& sink_;
  const Dialect& dialect_;
  std::vector<std::byte> buffer_;
  std::size_t used_ = 0;
  std::string escaped_;
  bool first_string_ = true;
};

/// A span in a description. What the dialect lacks is not written.
struct SpanDescription {
  std::string name;
  std::uint32_t start = 0;
  float duration = 1;
  std::string info;  ///< As it stands in the file: L wants at least `{}`.
  std::optional<std::uint32_t> ref = std::nullopt;
  std::optional<std::uint32_t> key = std::nullopt;
  std::optional<std::uint8_t> category = std::nullopt;
};

/// A user of a buffer in a description.
struct UserDescription {
  std::uint32_t run = 0;
  std::string name;
  std::uint32_t arg = 0;
  std::uint8_t mode = 0;  ///< 0 read, 1 write, 2 both.
};

/// An allocation or a free in a description.
struct MemoryDescription {
  bool is_alloc = true;
  std::uint32_t time = 0;
  std::uint32_t key = 0;
  std::string dtype;         ///< Allocation.
  std::uint64_t length = 0;  ///< Allocation: elements.
  std::vector<UserDescription> users{};
};

/// A value of a line in a description.
struct LineDescription {
  std::uint32_t time = 0;
  std::uint64_t value = 0;
};

/// A track in a description; only the records of its kind count.
struct TrackDescription {
  std::string name;
  TrackKind kind = TrackKind::spans;
  std::vector<SpanDescription> spans{};       ///< Sorted by start.
  std::vector<MemoryDescription> memory{};    ///< In time order; polygons are made from them.
  std::vector<LineDescription> line{};        ///< In time order.
  std::optional<std::uint64_t> peak{};        ///< None: computed.
  std::optional<std::uint8_t> name_length{};  ///< None: bytes of the name (at most 255).
};

/// A whole trace in memory.
struct TraceDescription {
  std::vector<TrackDescription> tracks{};
  DtypeSizes dtype_bytes{};
  std::vector<FileMarker> markers{};
  std::string more_json{};
  std::optional<std::uint32_t> duration_us{};  ///< None: the end of the last event.
  std::optional<std::uint64_t> peak_bytes{};   ///< None: the largest peak of all tracks.
};

/// The bytes of a trace. Strings are numbered in the order in which the tracks use them; lanes,
/// peaks, duration and polygons are computed; nothing is checked, so that faulty traces can be
/// described too (only polygons need frees of live keys: others are left out).
/// O(total size), polygons O(events × live buffers).
std::vector<std::byte> encode(const TraceDescription& trace, const Dialect& dialect);

}  // namespace bytescope::bytepack
