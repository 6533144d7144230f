#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/cancel.h"
#include "core/io/piece_reader.h"
#include "core/trace/trace.h"

namespace bytescope::query {

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
