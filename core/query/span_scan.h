#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/bytepack/records.h"
#include "core/cancel.h"
#include "core/io/page_reader.h"
#include "core/io/piece_reader.h"
#include "core/query/time_range.h"
#include "core/trace/trace.h"

// Reading the records of span tracks in a row: what queries over many of them have in common.

namespace bytescope::query {

/// Records [begin, end) of a track.
struct RecordRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t count() const { return end - begin; }
};

/// Whether a track's spans are known well enough to be asked about.
bool has_spans(const trace::Track& track);

/// A whole number of units that is not before `time_ns`, at most 2^32.
std::uint64_t unit_from_ns(std::int64_t time_ns);

/// The first record of span track `track` that starts at or behind `start` (units). Costs O(log n)
/// reads of a page.
std::uint32_t first_starting_from(const trace::Trace& trace, io::PageReader& reader,
                                  std::uint32_t track, std::uint64_t start);

/// The records of span track `track` that start in `range`.
RecordRange starting_in(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                        const TimeRange& range);

/// The records that start before `time_ns` and end behind it, ascending. Costs O(lanes × log n) and
/// the records of some blocks a lane.
std::vector<std::uint32_t> open_at(const trace::Trace& trace, io::PageReader& reader,
                                   std::uint32_t track, std::int64_t time_ns);

/// Reads spans that follow each other through one buffer, which is reused.
class SpanReader {
public:
  static constexpr std::size_t buffer_bytes = std::size_t{256} * 1024;

  explicit SpanReader(const trace::Trace& trace) : trace_(trace) {}

  /// How many spans a read gets at most.
  std::uint32_t capacity() const {
    return static_cast<std::uint32_t>(buffer_bytes / trace_.dialect->span.stride);
  }
  /// The bytes of the records `wanted` of a track, at most capacity() of them. Valid until the next
  /// call.
  std::span<const std::byte> read(std::uint32_t track, RecordRange wanted);

  /// Calls `visit(record, span)` for the records `wanted` in order; stops when it answers false.
  /// What no valid file has (a duration that is no time) is left out. False when stopped.
  template <class Visit>
  bool for_each(std::uint32_t track, RecordRange wanted, Visit visit) {
    const bytepack::SpanLayout layout = trace_.dialect->span;
    while (wanted.begin < wanted.end) {
      const RecordRange now{wanted.begin, wanted.begin + std::min(wanted.count(), capacity())};
      const std::byte* bytes = read(track, now).data();
      for (std::uint32_t i = now.begin; i < now.end; ++i, bytes += layout.stride) {
        const bytepack::SpanRecord span = bytepack::decode_span(layout, bytes);
        if (!is_valid_duration(span.duration)) continue;
        if (!visit(i, span)) return false;
      }
      wanted.begin = now.end;
    }
    return true;
  }

  /// Whether a duration can stand in a file that was checked: after a change any can.
  static bool is_valid_duration(float duration) {
    // From 0 to 1e12. Processors compare many more integers than floats at a time.
    constexpr auto most = std::bit_cast<std::uint32_t>(1e12F);
    constexpr auto minus_zero = std::bit_cast<std::uint32_t>(-0.0F);
    const auto bits = std::bit_cast<std::uint32_t>(duration);
    return __builtin_expect(bits <= most, 1) || bits == minus_zero;
  }

private:
  const trace::Trace& trace_;
  std::unique_ptr<std::byte[]> buffer_;
};

/// A range in units, for cutting spans.
struct Cut {
  double begin = -1e300;
  double end = 1e300;
  /// The range as asked for; nothing is cut without one.
  static Cut of(const std::optional<TimeRange>& range);
};

/// The part of a span that counts.
struct Part {
  double begin = 0;
  double end = 0;
  double length = 0;  ///< The duration itself, not a difference, where nothing is cut off.
  bool is_cut = false;
};

/// The inside part of a span, or none where it does not touch the range. A span without duration
/// counts where it starts.
std::optional<Part> inside_part(const bytepack::SpanRecord& span, const Cut& cut);

/// Calls `visit(record, bytes)` for the records [begin, end) of a span track, in order; `bytes` is
/// the record in the file's layout. Reads each byte once, in pieces. False when cancelled.
template <class Visit>
bool for_each_span(const trace::Trace& trace, std::uint32_t track, std::uint32_t begin,
                   std::uint32_t end, const Cancel& cancel, Visit visit) {
  const bytepack::TrackHead& head = trace.tracks[track].head;
  const std::size_t stride = trace.dialect->span.stride;
  const std::uint64_t first = head.records_byte + std::uint64_t{begin} * stride;
  io::PieceReader pieces(*trace.file, first,
                         first + (std::uint64_t{std::max(begin, end)} - begin) * stride);
  for (std::uint32_t record = begin; record < end;) {
    if (cancel.requested()) return false;
    const std::span<const std::byte> bytes = pieces.peek(stride);
    const auto count =
        static_cast<std::uint32_t>(std::min<std::size_t>(bytes.size() / stride, end - record));
    for (std::uint32_t i = 0; i < count; ++i) visit(record + i, bytes.data() + i * stride);
    pieces.skip(count * stride);
    record += count;
  }
  return true;
}

}  // namespace bytescope::query
