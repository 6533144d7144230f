#include "core/trace/span_load.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "core/bytepack/records.h"
#include "core/io/page_reader.h"
#include "core/trace/span_builder.h"

namespace bytescope::trace {
namespace {

using bytepack::SpanRecord;

// Durations a hundred times the longest possible trace are no times, and keep sums of whole units
// in range.
constexpr float longest_duration = 1e12F;

/// What is wrong with a span, or null.
const char* complaint(const SpanRecord& span, std::uint32_t last_start,
                      const SpanLoadContext& context) {
  if (span.name >= context.string_count) return "A span's name is not in the strings";
  if (span.info >= context.string_count) return "A span's info is not in the strings";
  if (!(span.duration >= 0) || span.duration > longest_duration)
    return "A span's duration is not a time";
  if (span.start < last_start) return "Spans are out of order";
  if (span.start > std::uint64_t{context.duration} + 1)
    return "A span starts after the end of the trace";
  return nullptr;
}

/// Takes records apart; answers whether complaint() has nothing to say about any of them, as far as
/// can be told at once: it may be wrong about a duration of minus zero. Every check is a difference
/// that is negative where something is wrong, and one look at the end tells whether any was.
bool decode(const bytepack::SpanLayout& layout, const std::byte* bytes, std::uint32_t last_start,
            const SpanLoadContext& context, SpanBatch& batch) {
  const bytepack::SpanLayout at = layout;  // a copy that no store can change
  const std::int64_t last_string = std::int64_t{context.string_count} - 1;
  // Bits of floats that are not negative count like the floats themselves.
  constexpr std::int64_t longest_bits = std::bit_cast<std::uint32_t>(longest_duration);
  std::int64_t differences = 0;
  std::int64_t last = last_start;
  for (std::size_t i = 0; i < batch.count; ++i) {
    const std::byte* record = bytes + i * at.stride;
    const auto name = bytepack::load<std::uint32_t>(record + at.name);
    const auto info = bytepack::load<std::uint32_t>(record + at.info);
    const auto start = bytepack::load<std::uint32_t>(record + at.start);
    const auto duration = bytepack::load<std::uint32_t>(record + at.duration);
    differences |= last_string - name;
    differences |= last_string - info;
    differences |= longest_bits - duration;
    differences |= start - last;
    last = start;
    batch.name[i] = name;
    batch.start[i] = start;
    batch.duration[i] = std::bit_cast<float>(duration);
  }
  if (at.depth >= 0) {
    for (std::size_t i = 0; i < batch.count; ++i)
      batch.depth[i] = bytepack::load<std::uint8_t>(bytes + i * at.stride + at.depth);
  }
  return differences >= 0 && last <= std::int64_t{context.duration} + 1;
}

/// Where the records that are looked at begin.
struct Place {
  std::uint64_t byte = 0;
  std::uint32_t record = 0;
  std::uint32_t last_start = 0;
};

/// The first complaint about the records in `bytes`; its message is empty when there is none.
Error first_fault(const bytepack::SpanLayout& layout, std::span<const std::byte> bytes, Place place,
                  const SpanLoadContext& context) {
  Error error{ErrorKind::bad_input, "", {}, {}};
  while (bytes.size() >= layout.stride && error.message.empty()) {
    const SpanRecord span = bytepack::decode_span(layout, bytes.data());
    if (const char* message = complaint(span, place.last_start, context)) error.message = message;
    error.where = {place.byte, {}, {}, place.record};
    place = {place.byte + layout.stride, place.record + 1, span.start};
    bytes = bytes.subspan(layout.stride);
  }
  return error;
}

void tell(Progress* progress, std::uint64_t events, std::uint64_t bytes) {
  if (progress == nullptr) return;
  progress->events_done += events;
  progress->bytes_done += bytes;
}

/// A block that stands for the records from one sample to the next.
SpanBlock block_of_sample(const std::vector<SpanRecord>& sample, std::uint32_t next_start,
                          std::uint32_t spans, const SpanLoadContext& context) {
  SpanBlock block;
  block.start = sample.front().start;
  block.extent = static_cast<float>(next_start - std::min(next_start, block.start));
  double covered = 0;
  double end = 0;
  for (const SpanRecord& span : sample) {
    covered += static_cast<double>(span.duration);
    end = std::max(end, span.end());
    if (span.duration > block.longest || &span == &sample.front()) {
      block.longest = span.duration;
      block.style = context.style_of_name(span.name);
    }
  }
  const double seen = std::max(end - block.start, 1e-9);
  block.covered =
      static_cast<float>(static_cast<double>(block.extent) * std::min(covered / seen, 1.0));
  const bool reduce = block.style.category() == Category::reduce;
  const bool elementwise = block.style.category() == Category::elementwise;
  block.reduce_share = reduce ? 255 : 0;
  block.elementwise_share = elementwise ? 255 : 0;
  block.count = static_cast<std::uint8_t>(std::min(spans, 255U));
  return block;
}

}  // namespace

Expected<SpanIndex> load_spans(const io::InputFile& file, const bytepack::Dialect& dialect,
                               const bytepack::TrackHead& head, const SpanLoadContext& context,
                               Warnings& warnings, const Cancel& cancel) {
  const std::size_t stride = dialect.span.stride;
  SpanBuilder builder(head.count, context.block_spans, dialect.lane_count_in_head,
                      context.inherits_phase, context.style_of_name);
  io::PieceReader reader(file, head.records_byte, head.end_byte, context.buffer);
  const auto batch = std::make_unique<SpanBatch>();
  std::uint32_t last_start = 0;
  std::uint32_t record = 0;
  while (record < head.count) {
    if (cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled");
    const std::span<const std::byte> bytes = reader.peek(stride);
    batch->count =
        std::min<std::size_t>({bytes.size() / stride, head.count - record, SpanBatch::capacity});
    if (batch->count == 0)
      return failure(ErrorKind::bad_input, "The file ends inside a span record",
                     {head.end_byte, {}, {}, record});
    if (!decode(dialect.span, bytes.data(), last_start, context, *batch)) {
      Error fault = first_fault(dialect.span, bytes.first(batch->count * stride),
                                {reader.offset(), record, last_start}, context);
      if (!fault.message.empty()) return tl::make_unexpected(std::move(fault));
    }
    builder.add(*batch);
    last_start = batch->start[batch->count - 1];
    reader.skip(batch->count * stride);
    record += static_cast<std::uint32_t>(batch->count);
    tell(context.progress, batch->count, batch->count * stride);
  }
  if (builder.overflowed()) {
    warnings.add("More spans run at once than there are lanes; the rest share the last lane",
                 {head.head_byte, {}, head.name, {}});
  }
  return builder.finish();
}

SpanIndex sample_spans(const io::InputFile& file, const bytepack::Dialect& dialect,
                       const bytepack::TrackHead& head, const SpanLoadContext& context,
                       std::uint32_t samples) {
  constexpr std::uint32_t records_per_sample = 16;
  SpanIndex index;
  index.sampled = true;
  index.lane_count = 1;
  index.lanes.resize(1);
  index.lanes[0].levels.emplace_back();
  const std::size_t stride = dialect.span.stride;
  const std::uint32_t step = std::max(head.count / std::max(samples, 1U), records_per_sample);
  std::vector<std::byte> bytes(records_per_sample * stride);
  std::vector<SpanRecord> sample;
  std::vector<SpanRecord> previous;
  for (std::uint64_t first = 0; first < head.count; first += step) {
    const std::size_t count = std::min<std::size_t>(records_per_sample, head.count - first);
    file.read_at(head.records_byte + first * stride, std::span(bytes).first(count * stride));
    sample.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const SpanRecord span = bytepack::decode_span(dialect.span, bytes.data() + i * stride);
      // Not validated yet: what makes no sense is left out of the preview.
      if (complaint(span, 0, context) == nullptr) sample.push_back(span);
    }
    if (sample.empty()) continue;
    if (!previous.empty()) {
      if (sample.front().start < previous.front().start) continue;
      index.lanes[0].levels[0].push_back(
          block_of_sample(previous, sample.front().start, step, context));
    }
    previous = sample;
  }
  if (!previous.empty()) {
    const double end = std::min(previous.back().end(), static_cast<double>(context.duration));
    index.lanes[0].levels[0].push_back(
        block_of_sample(previous, static_cast<std::uint32_t>(end), 1, context));
  }
  build_levels(index.lanes[0]);
  return index;
}

}  // namespace bytescope::trace
