#include "core/query/ranges.h"

#include <algorithm>

#include "core/query/memory_curve.h"
#include "core/query/span_scan.h"

namespace bytescope::query {
namespace {

using trace::LaneIndex;
using trace::SpanBlock;

/// Deals out busy time, whose pieces come in order and do not overlap, to ranges.
class Dealer {
public:
  explicit Dealer(const std::vector<Stretch>& ranges) : ranges_(ranges), times_(ranges.size(), 0) {}

  /// The part of [begin, end) that was not added yet counts.
  void add(double begin, double end) {
    begin = std::max(begin, furthest_);
    furthest_ = std::max(furthest_, end);
    while (first_ < ranges_.size() && ranges_[first_].end <= begin) ++first_;
    for (std::size_t i = first_; i < ranges_.size() && ranges_[i].begin < end; ++i)
      times_[i] += std::max(std::min(end, ranges_[i].end) - std::max(begin, ranges_[i].begin), 0.0);
  }
  /// The range in which all of [begin, end] lies, if any.
  std::optional<std::size_t> range_around(double begin, double end) const {
    const auto i = std::upper_bound(ranges_.begin(), ranges_.end(), begin,
                                    [](double value, const Stretch& r) { return value < r.begin; });
    if (i == ranges_.begin() || (i - 1)->end < end) return std::nullopt;
    return static_cast<std::size_t>(i - ranges_.begin()) - 1;
  }
  /// Whether [begin, end) touches no range.
  bool misses(double begin, double end) const {
    const auto i = std::upper_bound(ranges_.begin(), ranges_.end(), begin,
                                    [](double value, const Stretch& r) { return value < r.end; });
    return i == ranges_.end() || i->begin >= end;
  }
  /// Adds the busy time of a block that ends at `end` and lies in one range.
  void add_block(std::size_t range, double covered, double end) {
    times_[range] += covered;
    furthest_ = std::max(furthest_, end);
  }
  void pass(double end) { furthest_ = std::max(furthest_, end); }

  std::vector<double> take() { return std::move(times_); }

private:
  const std::vector<Stretch>& ranges_;
  std::vector<double> times_;
  std::size_t first_ = 0;
  double furthest_ = -1e300;
};

/// Busy times of a track of one lane.
class LaneWalk {
public:
  LaneWalk(const trace::Trace& trace, std::uint32_t track, Dealer& dealer)
      : trace_(trace), track_(track), pages_(trace.file, 16), dealer_(dealer) {}

  void run() {
    const LaneIndex& lane = trace_.tracks[track_].spans->lanes[0];
    if (!lane.levels.empty()) visit(lane, lane.levels.size() - 1, 0, lane.levels.back().size());
  }

private:
  void visit(const LaneIndex& lane, std::size_t level, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const SpanBlock& block = lane.levels[level][i];
      const auto start = static_cast<double>(block.start);
      if (dealer_.misses(start, block.end())) {
        dealer_.pass(block.end());
      } else if (const auto range = dealer_.range_around(start, block.end())) {
        dealer_.add_block(*range, static_cast<double>(block.covered), block.end());
      } else if (level > 0) {
        visit(lane, level - 1, i * LaneIndex::fanout,
              std::min((i + 1) * LaneIndex::fanout, lane.levels[level - 1].size()));
      } else {
        read(block);
      }
    }
  }

  void read(const SpanBlock& block) {
    const std::uint32_t end = std::min(block.first + block.count, trace_.tracks[track_].head.count);
    for (std::uint32_t record = block.first; record < end; ++record) {
      const bytepack::SpanRecord span = trace_.span(pages_, track_, record);
      if (SpanReader::is_valid_duration(span.duration)) dealer_.add(span.start, span.end());
    }
  }

  const trace::Trace& trace_;
  std::uint32_t track_;
  io::PageReader pages_;
  Dealer& dealer_;
};

/// Busy times of a track of several lanes: false when cancelled.
bool sweep(const trace::Trace& trace, std::uint32_t track, const Stretch& all, Dealer& dealer,
           const Cancel& cancel) {
  io::PageReader pages(trace.file, 16);
  const auto ns = [](double units) {
    return static_cast<std::int64_t>(std::clamp(units * 1000, -1e15, 1e15));
  };
  // What starts in the last, begun unit counts too: so a nanosecond earlier and later.
  const TimeRange range{ns(all.begin) - 1, ns(all.end) + 1};
  for (const std::uint32_t record : open_at(trace, pages, track, range.begin_ns)) {
    const bytepack::SpanRecord span = trace.span(pages, track, record);
    if (SpanReader::is_valid_duration(span.duration)) dealer.add(span.start, span.end());
  }
  SpanReader reader(trace);
  return reader.for_each(track, starting_in(trace, pages, track, range),
                         [&](std::uint32_t record, const bytepack::SpanRecord& span) {
                           dealer.add(span.start, span.end());
                           return record % 65536 != 0 || !cancel.requested();
                         });
}

}  // namespace

Stretch stretch_of(const TimeRange& range) {
  return {static_cast<double>(range.begin_ns) / 1000, static_cast<double>(range.end_ns) / 1000};
}

std::vector<double> busy_times(const trace::Trace& trace, std::uint32_t track,
                               const std::vector<Stretch>& ranges, const Cancel& cancel) {
  if (cancel.requested()) return {};
  Dealer dealer(ranges);
  if (!ranges.empty() && has_spans(trace.tracks[track])) {
    if (trace.tracks[track].spans->lane_count == 1) {
      LaneWalk(trace, track, dealer).run();
    } else if (!sweep(trace, track, {ranges.front().begin, ranges.back().end}, dealer, cancel)) {
      return {};
    }
  }
  return dealer.take();
}

Expected<RangeFacts> range_facts(const trace::Trace& trace, TimeRange range, const Cancel& cancel) {
  RangeFacts facts;
  facts.range = range;
  facts.tracks.resize(trace.tracks.size());
  const Stretch stretch = stretch_of(range);
  const auto unit = [](std::int64_t ns) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(ns / 1000, 0, UINT32_MAX));
  };
  const auto total = [](const trace::LifetimeBytes& bytes) {
    return bytes[0] + bytes[1] + bytes[2];
  };
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const trace::Track& track = trace.tracks[i];
    TrackRangeFacts& of_track = facts.tracks[i];
    if (has_spans(track)) {
      const std::vector<double> busy = busy_times(trace, i, {stretch}, cancel);
      if (busy.empty()) return failure(ErrorKind::cancelled, "Cancelled");
      of_track.busy_share = stretch.length() > 0 ? std::min(busy[0] / stretch.length(), 1.0) : 0;
    }
    if (!track.memory) continue;
    // Before the trace's beginning nothing is live.
    of_track.begin_bytes =
        range.begin_ns < 0 ? 0 : total(live_bytes_at(*track.memory, unit(range.begin_ns)));
    of_track.end_bytes =
        range.end_ns < 0 ? 0 : total(live_bytes_at(*track.memory, unit(range.end_ns)));
    if (trace::is_file_memory(track.own_name())) continue;
    facts.begin_bytes += *of_track.begin_bytes;
    facts.end_bytes += *of_track.end_bytes;
  }
  return facts;
}

}  // namespace bytescope::query
