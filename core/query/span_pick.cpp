#include "core/query/span_pick.h"

#include <algorithm>
#include <cmath>

#include "core/bytepack/records.h"
#include "core/io/piece_reader.h"

namespace bytescope::query {
namespace {

using trace::SpanBlock;

const std::vector<SpanBlock>* finest(const trace::Trace& trace, std::uint32_t track,
                                     std::uint32_t lane) {
  const auto& spans = trace.tracks[track].spans;
  if (!spans || spans->sampled || lane >= spans->lanes.size() || spans->lanes[lane].levels.empty())
    return nullptr;
  const std::vector<SpanBlock>& blocks = spans->lanes[lane].levels[0];
  return blocks.empty() ? nullptr : &blocks;
}

/// Calls `visit(record)` for the records of a block, in order.
template <class Visit>
void for_records(const trace::Trace& trace, std::uint32_t track, std::uint32_t lane,
                 const SpanBlock& block, Visit visit) {
  const trace::SpanIndex& spans = *trace.tracks[track].spans;
  std::uint32_t left = block.count;
  for (std::uint32_t record = block.first; left > 0 && record < trace.tracks[track].head.count;
       ++record) {
    if (spans.lane(record) != lane) continue;
    --left;
    visit(record);
  }
}

/// Place of the block of a lane that holds `record`.
std::size_t block_of(const std::vector<SpanBlock>& blocks, std::uint32_t record) {
  const auto after = std::upper_bound(
      blocks.begin(), blocks.end(), record,
      [](std::uint32_t value, const SpanBlock& block) { return value < block.first; });
  return after == blocks.begin() ? 0 : static_cast<std::size_t>(after - blocks.begin()) - 1;
}

/// 0 inside the span, else how far away it is.
double distance_ns(const bytepack::SpanRecord& span, std::int64_t time_ns) {
  const double before = static_cast<double>(trace::ns_from_unit(span.start) - time_ns);
  const double after = -before - static_cast<double>(span.duration) * 1000;
  return std::max({before, after, 0.0});
}

}  // namespace

std::optional<std::uint32_t> span_at(const trace::Trace& trace, io::PageReader& reader,
                                     std::uint32_t track, std::uint32_t lane, std::int64_t time_ns,
                                     double tolerance_ns) {
  const std::vector<SpanBlock>* blocks = finest(trace, track, lane);
  if (blocks == nullptr) return std::nullopt;
  const auto after = std::upper_bound(blocks->begin(), blocks->end(), time_ns,
                                      [](std::int64_t time, const SpanBlock& block) {
                                        return time < trace::ns_from_unit(block.start);
                                      });
  const auto place = static_cast<std::size_t>(after - blocks->begin());
  std::optional<std::uint32_t> best;
  double best_ns = tolerance_ns;
  // The nearest span may be the last of the block before or the first of the one behind.
  for (std::size_t i = place < 2 ? 0 : place - 2; i < std::min(place + 1, blocks->size()); ++i) {
    for_records(trace, track, lane, (*blocks)[i], [&](std::uint32_t record) {
      const double away = distance_ns(trace.span(reader, track, record), time_ns);
      if (away < best_ns || (away == 0 && best_ns == 0) || (!best && away <= best_ns)) {
        best = record;
        best_ns = away;
      }
    });
  }
  return best;
}

std::optional<std::uint32_t> neighbour_in_lane(const trace::Trace& trace, std::uint32_t track,
                                               std::uint32_t record, int step) {
  const auto& spans = trace.tracks[track].spans;
  if (!spans || spans->sampled || record >= trace.tracks[track].head.count) return std::nullopt;
  const std::uint32_t lane = spans->lane(record);
  const std::vector<SpanBlock>* blocks = finest(trace, track, lane);
  if (blocks == nullptr) return std::nullopt;
  const std::size_t place = block_of(*blocks, record);
  std::optional<std::uint32_t> before;
  std::optional<std::uint32_t> after;
  for (std::size_t i = place == 0 ? 0 : place - 1; i < std::min(place + 2, blocks->size()); ++i) {
    for_records(trace, track, lane, (*blocks)[i], [&](std::uint32_t other) {
      if (other < record) before = other;
      if (other > record && !after) after = other;
    });
  }
  return step < 0 ? before : after;
}

std::optional<Occurrence> occurrence(const trace::Trace& trace, std::uint32_t track,
                                     std::uint32_t record, const Cancel& cancel) {
  const trace::Track& owner = trace.tracks[track];
  if (!owner.spans || owner.spans->sampled || record >= owner.head.count) return std::nullopt;
  const bytepack::SpanLayout& layout = trace.dialect->span;
  io::PieceReader reader(*trace.file, owner.head.records_byte, owner.head.end_byte);
  std::array<std::byte, 32> last{};
  trace.file->read_at(owner.head.records_byte + std::uint64_t{layout.stride} * record,
                      std::span(last).first(layout.stride));
  const auto name = bytepack::load<std::uint32_t>(last.data() + layout.name);
  const std::uint32_t slot = owner.spans->slots.find(name);
  if (slot == trace::NameSlots::none) return std::nullopt;
  Occurrence found{1, owner.spans->names[slot].count};
  for (std::uint32_t i = 0; i < record; ++i) {
    const std::span<const std::byte> bytes = reader.peek(layout.stride);
    if (bytes.size() < layout.stride || (i % 65536 == 0 && cancel.requested())) return std::nullopt;
    if (bytepack::load<std::uint32_t>(bytes.data() + layout.name) == name) ++found.rank;
    reader.skip(layout.stride);
  }
  return found;
}

}  // namespace bytescope::query
