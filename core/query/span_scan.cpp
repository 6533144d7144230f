#include "core/query/span_scan.h"

#include <algorithm>

namespace bytescope::query {
namespace {

using trace::LaneIndex;
using trace::SpanBlock;

/// Collects the records of a lane that run at a time.
class OpenSpans {
public:
  OpenSpans(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
            std::int64_t time_ns, std::vector<std::uint32_t>& out)
      : trace_(trace),
        reader_(reader),
        track_(track),
        spans_(*trace.tracks[track].spans),
        time_(static_cast<double>(time_ns) / 1000),
        out_(out) {}

  void visit_lane(std::uint32_t lane) {
    lane_ = lane;
    const LaneIndex& index = spans_.lanes[lane];
    if (index.levels.empty()) return;
    visit(index.levels.size() - 1, 0, index.levels.back().size());
  }

private:
  void visit(std::size_t level, std::size_t begin, std::size_t end) {
    const trace::SpanBlocks& blocks = spans_.lanes[lane_].levels[level];
    const auto first = blocks.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto begun = std::partition_point(
        first, blocks.begin() + static_cast<std::ptrdiff_t>(end),
        [this](const SpanBlock& block) { return static_cast<double>(block.start) < time_; });
    const auto begun_count = static_cast<std::size_t>(begun - blocks.begin());
    for (std::size_t i = begin; i < begun_count; ++i) {
      if (blocks[i].end() <= time_) continue;
      if (level == 0) {
        read(blocks[i]);
      } else {
        const std::size_t below = spans_.lanes[lane_].levels[level - 1].size();
        visit(level - 1, i * LaneIndex::fanout, std::min((i + 1) * LaneIndex::fanout, below));
      }
    }
  }

  void read(const SpanBlock& block) {
    std::uint32_t left = block.count;
    const std::uint32_t count = trace_.tracks[track_].head.count;
    for (std::uint32_t record = block.first; left > 0 && record < count; ++record) {
      if (spans_.lane(record) != lane_) continue;
      --left;
      const bytepack::SpanRecord span = trace_.span(reader_, track_, record);
      if (static_cast<double>(span.start) < time_ && span.end() > time_) out_.push_back(record);
    }
  }

  const trace::Trace& trace_;
  io::PageReader& reader_;
  std::uint32_t track_;
  const trace::SpanIndex& spans_;
  double time_;
  std::vector<std::uint32_t>& out_;
  std::uint32_t lane_ = 0;
};

}  // namespace

bool has_spans(const trace::Track& track) { return track.spans && !track.spans->sampled; }

std::uint64_t unit_from_ns(std::int64_t time_ns) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  if (time_ns <= 0) return 0;
  return std::min((static_cast<std::uint64_t>(time_ns) + 999) / 1000, most);
}

std::uint32_t first_starting_from(const trace::Trace& trace, io::PageReader& reader,
                                  std::uint32_t track, std::uint64_t start) {
  std::uint32_t begin = 0;
  std::uint32_t end = trace.tracks[track].head.count;
  while (begin < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (trace.span(reader, track, middle).start < start) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

RecordRange starting_in(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                        const TimeRange& range) {
  const std::uint32_t begin =
      first_starting_from(trace, reader, track, unit_from_ns(range.begin_ns));
  const std::uint32_t end = first_starting_from(trace, reader, track, unit_from_ns(range.end_ns));
  return {begin, std::max(begin, end)};
}

std::vector<std::uint32_t> open_at(const trace::Trace& trace, io::PageReader& reader,
                                   std::uint32_t track, std::int64_t time_ns) {
  std::vector<std::uint32_t> records;
  OpenSpans finder(trace, reader, track, time_ns, records);
  const std::size_t lanes = trace.tracks[track].spans->lanes.size();
  for (std::size_t lane = 0; lane < lanes; ++lane)
    finder.visit_lane(static_cast<std::uint32_t>(lane));
  std::sort(records.begin(), records.end());
  return records;
}

std::span<const std::byte> SpanReader::read(std::uint32_t track, RecordRange wanted) {
  const std::size_t stride = trace_.dialect->span.stride;
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<std::byte[]>(buffer_bytes);
  const std::size_t size = std::min(wanted.count(), capacity()) * stride;
  const std::span<std::byte> bytes(buffer_.get(), size);
  trace_.file->read_at(trace_.tracks[track].head.records_byte + wanted.begin * stride, bytes);
  return bytes;
}

Cut Cut::of(const std::optional<TimeRange>& range) {
  if (!range) return {};
  return {static_cast<double>(range->begin_ns) / 1000, static_cast<double>(range->end_ns) / 1000};
}

std::optional<Part> inside_part(const bytepack::SpanRecord& span, const Cut& cut) {
  const auto start = static_cast<double>(span.start);
  const double end = span.end();
  if (start >= cut.end || (start < cut.begin && end <= cut.begin)) return std::nullopt;
  Part part{std::max(start, cut.begin), std::min(end, cut.end), 0, false};
  part.is_cut = start < cut.begin || end > cut.end;
  part.length = part.is_cut ? part.end - part.begin : static_cast<double>(span.duration);
  return part;
}

}  // namespace bytescope::query
