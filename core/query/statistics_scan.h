#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/cancel.h"
#include "core/query/info_sums.h"
#include "core/query/nesting.h"
#include "core/query/percentiles.h"
#include "core/query/span_scan.h"
#include "core/query/statistics_rows.h"

// The pass of statistics over all records. Tracks are cut into pieces, which threads take in turns;
// each thread has sums of its own, so that nothing is shared. Spans that run when a piece begins
// are looked up in the index, so that nesting goes on across pieces.

namespace bytescope::query {

/// Part of a track, to be read by one thread.
struct ScanPiece {
  std::uint32_t part = 0;  ///< In RowPlan::tracks.
  RecordRange records;
  bool is_first = false;  ///< Of its track: spans that run into the range count with it.
  bool is_last = false;
};

/// Cuts the tracks of a plan into pieces of about `piece_spans`, longer ones where many lanes make
/// it dear to look up what runs at a piece's begin.
std::vector<ScanPiece> cut_into_pieces(const trace::Trace& trace, const RowPlan& plan,
                                       std::uint32_t piece_spans);

/// What a thread knows of a row. All that most spans touch lies in one cache line. Durations are
/// compared by their keys: processors compare many more integers than floats at a time.
struct alignas(64) RowSums {
  Brackets brackets;
  std::array<std::uint32_t, Brackets::class_count> in_class{};
  std::uint32_t shortest = Brackets::endless;  ///< float_key
  std::int32_t longest = -1;                   ///< float_key; -1 without spans.
  std::array<std::uint32_t, percentile_count> kept = {ValueLists::none, ValueLists::none,
                                                      ValueLists::none};
  std::uint8_t lost = 0;  ///< Bit c: not all of class c could be kept.
  TrackRecord shortest_at;
  TrackRecord longest_at;
  double total = 0;  ///< Without the infos that were not drained yet.
  double nested = 0;

  /// Counts a span with that float_key, but for its time. Answers whether the duration must be
  /// kept.
  bool count(std::uint32_t length, std::uint32_t track, std::uint32_t record) {
    const std::size_t number = brackets.class_of_key(length);
    ++in_class[number];
    if (length < shortest || static_cast<std::int32_t>(length) > longest) [[unlikely]] {
      if (length < shortest) {
        shortest = length;
        shortest_at = {track, record};
      }
      if (static_cast<std::int32_t>(length) > longest) {
        longest = static_cast<std::int32_t>(length);
        longest_at = {track, record};
      }
    }
    return brackets.keeps(number);
  }
};
static_assert(sizeof(RowSums) == 128);

/// Durations that have to be kept: where a row stands, what its list is does not matter while
/// spans are read. Only the first of each are set.
struct KeptBatch {  // NOLINT(cppcoreguidelines-pro-type-member-init)
  static constexpr std::size_t capacity = 1024;
  std::array<std::uint32_t, capacity> row;
  std::array<std::uint32_t, capacity> key;  ///< float_key
};

/// A span of which only a part counts: there are few.
struct CutSpan {
  std::uint32_t row = 0;
  double length = 0;
  TrackRecord at;
};

/// One thread's pass.
class StatisticsScan {
public:
  StatisticsScan(const trace::Trace& trace, const RowPlan& plan, const StatisticsRequest& request,
                 const std::vector<Brackets>& brackets, std::size_t most_kept_bytes);

  /// Reads a piece. Pieces of a track come in order.
  void scan(const ScanPiece& piece, const Cancel& cancel, Progress* progress);

  /// One more than the plan's: the last is of spans whose name the index does not know.
  const io::LargeVector<RowSums>& rows() const { return rows_; }
  const ValueLists& kept() const { return kept_; }
  const std::vector<CutSpan>& cut_spans() const { return cut_spans_; }
  /// Of all that counts, by track of the plan.
  const std::vector<double>& track_totals() const { return track_totals_; }
  /// Rates of infos that had to be parsed on the way; empty when there were none.
  const std::vector<RateSums>& early_rates() const { return rates_; }
  /// Moves what is left to be parsed to the end of `out`.
  void drain_infos(std::vector<InfoSum>& out);

private:
  void begin_piece(const ScanPiece& piece);
  void scan_flat(const std::byte* bytes, RecordRange records, const Cancel& cancel);
  template <bool can_cut>
  std::size_t add(const std::byte* bytes, RecordRange records, const Cancel& cancel);
  void keep(std::size_t count);
  void scan_nested(const std::byte* bytes, RecordRange records, const Cancel& cancel);
  void finish_nested(std::uint32_t record, const Cancel& cancel);
  void nest(const bytepack::SpanRecord& span, std::uint32_t row, bool counts, bool is_new);
  void count_cut(const bytepack::SpanRecord& span, std::uint32_t record, const Cancel& cancel);
  double& track_total();
  InfoSum& info_sum(std::uint64_t key, const Cancel& cancel);
  InfoSum& new_info_sum(std::uint64_t key, const Cancel& cancel);
  void drain();

  const trace::Trace& trace_;
  const RowPlan& plan_;
  const StatisticsRequest& request_;
  const RowPlan::TrackPart* part_ = nullptr;
  bool is_nested_ = false;
  SpanReader reader_;
  io::PageReader pages_;
  io::LargeVector<RowSums> rows_;
  std::vector<double> track_totals_;
  std::unique_ptr<KeptBatch> batch_;
  ValueLists kept_;
  std::vector<CutSpan> cut_spans_;
  InfoSums infos_;
  std::vector<InfoSum> waiting_;  // of tracks that are done
  std::vector<RateSums> rates_;
  Nesting nesting_;
};

/// Adds all values of a plan's spans to a search for percentiles, as brackets saw them. `pieces` as
/// in the pass before.
void search_pass(const trace::Trace& trace, const RowPlan& plan,
                 const std::vector<ScanPiece>& pieces, PercentileSearch& search,
                 const Cancel& cancel);

}  // namespace bytescope::query
