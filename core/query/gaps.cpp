#include "core/query/gaps.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "core/query/ranges.h"
#include "core/query/span_scan.h"

namespace bytescope::query {
namespace {

/// Records that are read at a time on the way back.
constexpr std::uint32_t step_back = 1 << 14;

/// Follows the spans of a track in file order and tells the gaps between them.
class GapSweep {
public:
  GapSweep(std::uint32_t track, trace::Unit unit) : track_(track), unit_(unit) {}

  /// The gap in front of the next span, if there is one.
  std::optional<Gap> add(std::uint32_t record, const bytepack::SpanRecord& span) {
    std::optional<Gap> gap;
    if (known_ && static_cast<double>(span.start) > end_) {
      gap = Gap{track_, end_, static_cast<double>(span.start), last_, record, false};
      gap->below_resolution = unit_ == trace::Unit::microseconds && gap->length() < gap_resolution;
    }
    if (!known_ || span.end() > end_) {
      end_ = span.end();
      last_ = record;
    }
    known_ = true;
    return gap;
  }

  /// Takes note of the spans that run at a time.
  void begin_with(const trace::Trace& trace, io::PageReader& pages,
                  const std::vector<std::uint32_t>& open) {
    for (const std::uint32_t record : open) add(record, trace.span(pages, track_, record));
  }

private:
  std::uint32_t track_;
  trace::Unit unit_;
  bool known_ = false;
  double end_ = 0;
  std::uint32_t last_ = 0;
};

bool is_longer(const Gap& a, const Gap& b) {
  if (a.length() != b.length()) return a.length() > b.length();
  return a.begin != b.begin ? a.begin < b.begin : a.track < b.track;
}

/// The longest gaps of a track.
struct TrackGaps {
  TrackIdle idle;
  std::vector<Gap> longest;  ///< A heap with the shortest on top.
  void add(const Gap& gap, std::size_t limit) {
    ++idle.gaps;
    idle.idle += gap.length();
    if (limit == 0 || (longest.size() == limit && !is_longer(gap, longest.front()))) return;
    if (longest.size() == limit) {
      std::pop_heap(longest.begin(), longest.end(), is_longer);
      longest.pop_back();
    }
    longest.push_back(gap);
    std::push_heap(longest.begin(), longest.end(), is_longer);
  }
};

/// Feeds the sweep with what runs just before a range, so that a gap that begins with it is seen;
/// answers the records that start from there on up to the first one behind the range, which may
/// end a gap that ends with it.
RecordRange begin_range(const trace::Trace& trace, std::uint32_t track, const TimeRange& range,
                        GapSweep& gaps) {
  io::PageReader pages(trace.file, 16);
  const std::int64_t before_ns = std::max<std::int64_t>(range.begin_ns, 1) - 1;
  RecordRange records = starting_in(trace, pages, track, {before_ns, range.end_ns});
  gaps.begin_with(trace, pages, open_at(trace, pages, track, before_ns));
  records.end = std::min(records.end + 1, trace.tracks[track].head.count);
  return records;
}

/// Whether a gap lies in a range with both of its ends.
bool is_inside(const Gap& gap, const Cut& range) {
  return gap.begin >= range.begin && gap.end <= range.end;
}

TrackGaps gaps_of(const trace::Trace& trace, std::uint32_t track, const GapRequest& request,
                  const Cancel& cancel, Progress* progress) {
  TrackGaps found;
  found.idle.track = track;
  GapSweep gaps(track, trace.unit);
  RecordRange records{0, trace.tracks[track].head.count};
  if (request.range) records = begin_range(trace, track, *request.range, gaps);
  const Cut cut = Cut::of(request.range);
  SpanReader reader(trace);
  constexpr std::uint32_t told = 1 << 16;
  reader.for_each(track, records, [&](std::uint32_t record, const bytepack::SpanRecord& span) {
    const std::optional<Gap> gap = gaps.add(record, span);
    if (gap && gap->length() >= request.min_length && is_inside(*gap, cut))
      found.add(*gap, request.limit);
    if (record % told != 0) return true;
    if (progress != nullptr) progress->events_done += told;
    return !cancel.requested();
  });
  return found;
}

bool has_batches(const trace::Trace& trace, const trace::Track& device) {
  const std::string graph = std::string(device.file_and_family()) + " Graph";
  return std::any_of(trace.tracks.begin(), trace.tracks.end(), [&graph](const trace::Track& track) {
    return track.role == trace::TrackRole::graph && track.head.name == graph;
  });
}

std::vector<std::uint32_t> tracks_of(const trace::Trace& trace, const GapRequest& request) {
  std::vector<std::uint32_t> tracks =
      request.tracks.empty() ? default_gap_tracks(trace) : request.tracks;
  std::sort(tracks.begin(), tracks.end());
  tracks.erase(std::unique(tracks.begin(), tracks.end()), tracks.end());
  std::erase_if(tracks, [&trace](std::uint32_t track) {
    return track >= trace.tracks.size() || !has_spans(trace.tracks[track]);
  });
  return tracks;
}

/// Calls `work(i)` for each i below `count` on several threads.
void on_threads(unsigned threads, std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::thread> others;
  try {
    for (std::size_t i = 1; i < std::min<std::size_t>(threads, count); ++i)
      others.emplace_back(run);
  } catch (const std::system_error&) {
    // The machine grants no more threads; this one does it all.
  }
  run();
  for (std::thread& other : others) other.join();
}

std::optional<Gap> next_gap(const trace::Trace& trace, std::uint32_t track, std::int64_t time_ns,
                            double min_length, const Cancel& cancel) {
  io::PageReader pages(trace.file, 16);
  GapSweep gaps(track, trace.unit);
  gaps.begin_with(trace, pages, open_at(trace, pages, track, time_ns));
  const std::uint32_t begin = first_starting_from(trace, pages, track, unit_from_ns(time_ns));
  SpanReader reader(trace);
  std::optional<Gap> found;
  reader.for_each(track, {begin, trace.tracks[track].head.count},
                  [&](std::uint32_t record, const bytepack::SpanRecord& span) {
                    const std::optional<Gap> gap = gaps.add(record, span);
                    if (gap && gap->length() >= min_length) found = gap;
                    return !found && (record % 65536 != 0 || !cancel.requested());
                  });
  return found;
}

/// Goes back stretch by stretch; the last gap of a stretch, or between it and the one behind it, is
/// the answer.
std::optional<Gap> previous_gap(const trace::Trace& trace, std::uint32_t track,
                                std::int64_t time_ns, double min_length, const Cancel& cancel) {
  io::PageReader pages(trace.file, 16);
  SpanReader reader(trace);
  // The first span behind a stretch may end a gap that begins in it.
  std::uint32_t end = first_starting_from(trace, pages, track, unit_from_ns(time_ns));
  std::uint32_t look_end = end;
  while (end > 0 && !cancel.requested()) {
    const std::uint32_t start = trace.span(pages, track, end - std::min(end, step_back)).start;
    const std::uint32_t begin = std::min(first_starting_from(trace, pages, track, start), end - 1);
    GapSweep gaps(track, trace.unit);
    const std::int64_t begin_ns = trace::ns_from_unit(trace.span(pages, track, begin).start);
    gaps.begin_with(trace, pages, open_at(trace, pages, track, begin_ns));
    std::optional<Gap> found;
    reader.for_each(track, {begin, look_end},
                    [&](std::uint32_t record, const bytepack::SpanRecord& span) {
                      const std::optional<Gap> gap = gaps.add(record, span);
                      if (gap && gap->length() >= min_length) found = gap;
                      return true;
                    });
    if (found) return found;
    end = begin;
    look_end = begin + 1;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::uint32_t> default_gap_tracks(const trace::Trace& trace) {
  std::vector<std::uint32_t> tracks;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    if (trace.tracks[i].role == trace::TrackRole::device && has_spans(trace.tracks[i]))
      tracks.push_back(i);
  }
  return tracks;
}

Expected<Gaps> find_gaps(const trace::Trace& trace, const GapRequest& request, const Cancel& cancel,
                         Progress* progress) {
  const std::vector<std::uint32_t> tracks = tracks_of(trace, request);
  if (progress != nullptr) {
    for (const std::uint32_t track : tracks)
      progress->events_total += trace.tracks[track].head.count;
  }
  std::vector<TrackGaps> found(tracks.size());
  on_threads(request.threads, tracks.size(), [&](std::size_t i) {
    found[i] = gaps_of(trace, tracks[i], request, cancel, progress);
  });
  if (cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled");
  Gaps gaps;
  for (TrackGaps& of_track : found) {
    of_track.idle.has_batches = has_batches(trace, trace.tracks[of_track.idle.track]);
    gaps.tracks.push_back(of_track.idle);
    gaps.gaps.insert(gaps.gaps.end(), of_track.longest.begin(), of_track.longest.end());
  }
  std::sort(gaps.gaps.begin(), gaps.gaps.end(), is_longer);
  gaps.gaps.resize(std::min(gaps.gaps.size(), request.limit));
  return gaps;
}

std::optional<Gap> neighbour_gap(const trace::Trace& trace, std::uint32_t track,
                                 std::int64_t time_ns, int step, double min_length,
                                 const Cancel& cancel) {
  if (track >= trace.tracks.size() || !has_spans(trace.tracks[track])) return std::nullopt;
  return step > 0 ? next_gap(trace, track, time_ns, min_length, cancel)
                  : previous_gap(trace, track, time_ns, min_length, cancel);
}

}  // namespace bytescope::query
