#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/query/time_range.h"
#include "core/query/track_record.h"
#include "core/trace/trace.h"

// Durations, starts and ends are doubles in the trace's unit (microseconds, or cycles), as exact as
// the file; only the ends of a range are in ns.

namespace bytescope::query {

/// Which spans statistics are about and how they are grouped.
struct StatisticsRequest {
  std::optional<TimeRange> range;     ///< None: the whole trace; nothing is cut.
  std::vector<std::uint32_t> tracks;  ///< Span tracks; empty: default_statistics_tracks().
  bool by_name = true;                ///< Spans of equal plain name are one row …
  bool by_track = false;              ///< … in each track; with by_name false a row is a track.
  bool without_variants = false;      ///< `E_4n2` counts as `E_4` (trace::without_variant).
  /// Spans that cross the range's ends count with their inside part; with this set spans count
  /// whole, and those count that start in the range.
  bool whole_spans = false;
  unsigned threads = 2;
  std::uint32_t piece_spans = 1 << 18;  ///< About so many are read by a thread at a time.
};

/// All spans of a group. In a range every duration is that of the inside part.
struct StatisticsRow {
  std::string name;                    ///< Without colour codes; empty when grouped by track alone.
  std::string raw_name;                ///< With the colour codes of its most frequent variant.
  std::optional<std::uint32_t> track;  ///< None where tracks are merged.
  trace::Style style;                  ///< Of that variant.
  std::uint64_t count = 0;
  std::uint64_t cut = 0;  ///< So many of them count with a part only.
  double total = 0;
  double self = 0;   ///< `total` without the time of spans nested in them.
  double share = 0;  ///< Of the total of all rows, 0 to 1.
  /// Of the total of those tracks in which its name occurs, be it outside the range; 0 to 1.
  double track_share = 0;
  double mean = 0;
  double shortest = 0;
  double longest = 0;
  double p50 = 0;  ///< Percentiles by nearest rank.
  double p90 = 0;
  double p99 = 0;
  /// Rates are means weighted by the durations of the spans whose infos tell them.
  std::optional<double> flops;
  std::optional<double> mem_bytes_per_s;
  std::optional<double> lds_bytes_per_s;
  std::optional<double> bytes;  ///< Moved by copies; of a cut span in proportion.
  double spans = 0;             ///< How many; of a cut one the share that counts.
  double bytes_spans = 0;       ///< Those whose infos tell `bytes` …
  double bytes_time = 0;        ///< … and how long they took.
  std::optional<double> bytes_per_s;
  /// Of the devices that it ran on, `AMD`; empty where these are of several families.
  std::string family;
  TrackRecord shortest_at;  ///< The first of equals, by track and record.
  TrackRecord longest_at;
};

/// The answer to a StatisticsRequest.
struct Statistics {
  TimeRange range;                    ///< As asked for; the trace's duration where it was not.
  std::vector<std::uint32_t> tracks;  ///< What was looked at, ascending.
  std::vector<StatisticsRow> rows;    ///< By total, descending, then by name and track.
  double total = 0;                   ///< Of all rows.
  /// Percentiles are read off a sample. Of a range all else is, too.
  bool approximate = false;
  bool file_changed = false;  ///< Records may be missing: the file is not what was opened.
};

/// All span tracks except batches, TINY and USER. Tracks that are not indexed yet do not count.
std::vector<std::uint32_t> default_statistics_tracks(const trace::Trace& trace);

/// A first answer within some 50 ms, however large the trace: of the whole trace counts, totals and
/// extremes are exact from the index, self times and rates missing (self is `total`) and
/// percentiles approximate; of a range everything is estimated from a sample. Meant to be shown
/// until statistics() answers.
Statistics first_statistics(const trace::Trace& trace, const StatisticsRequest& request,
                            const Cancel& cancel);

/// Exact statistics. A span is nested in another of its track when it starts while that one runs
/// (its end cut to whole units, as lanes are dealt out) and does not end after it. Costs one read
/// of the records in the range and some ten nanoseconds each, on `threads` threads; each info is
/// parsed once (once every 2^17 different ones). Uses some 100 bytes a row and thread, and at most
/// 64 MB more. Fails with ErrorKind::cancelled, or ErrorKind::machine for more than a million
/// different names. `progress` counts records as events.
Expected<Statistics> statistics(const trace::Trace& trace, const StatisticsRequest& request,
                                const Cancel& cancel, Progress* progress = nullptr);

/// Says which row of an answer is meant.
struct StatisticsKey {
  std::string name;
  std::optional<std::uint32_t> track;
};
inline StatisticsKey key_of(const StatisticsRow& row) { return {row.name, row.track}; }

/// Durations from `shortest` to `longest`, both included.
struct DurationRange {
  double shortest = 0;
  double longest = 0;
  bool operator==(const DurationRange&) const = default;
};

/// Spans of a row by duration, in bins of equal width on a logarithmic scale.
struct DurationHistogram {
  static constexpr std::size_t bins = 64;
  struct Bin {
    DurationRange durations;  ///< No duration of the row lies between two bins.
    std::uint64_t count = 0;
    std::optional<TrackRecord> first;  ///< By track and record.
  };
  std::array<Bin, bins> bin;
};

/// The histogram of one row. Costs one read of its tracks in the range. None when cancelled.
std::optional<DurationHistogram> duration_histogram(const trace::Trace& trace,
                                                    const StatisticsRequest& request,
                                                    const StatisticsRow& row, const Cancel& cancel);

/// The `n`th span (from 0, by track and record) of a row with such a duration: the spans of a bar,
/// the median occurrence (p50 to p50, 0). None where there is none or when cancelled. Costs at most
/// one read of the row's tracks in the range.
std::optional<TrackRecord> nth_occurrence(const trace::Trace& trace,
                                          const StatisticsRequest& request,
                                          const StatisticsKey& key, DurationRange durations,
                                          std::uint64_t n, const Cancel& cancel);

}  // namespace bytescope::query
