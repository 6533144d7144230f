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

/// What a thread knows of a row. All that most spans touch lies in one cache line.
struct alignas(64) RowSums {
  Brackets brackets;
  std::array<std::uint32_t, Brackets::class_count> in_class{};
  float shortest = Brackets::endless;
  float longest = -1;
  std::array<std::uint32_t, percentile_count> kept = {ValueLists::none, ValueLists::none,
                                                      ValueLists::none};
  std::uint8_t lost = 0;  ///< Bit c: not all of class c could be kept.
  TrackRecord shortest_at;
  TrackRecord longest_at;
  double total = 0;  ///< Without the infos that were not drained yet.
  double nested = 0;
};
static_assert(sizeof(RowSums) == 128);

/// Spans that follow each other, taken apart field by field: a loop over each step keeps one span's
/// waiting for memory from holding up the next one. Only the first `count` of each are set.
struct StatisticsBatch {  // NOLINT(cppcoreguidelines-pro-type-member-init)
  static constexpr std::size_t capacity = 1024;
  std::size_t count = 0;
  std::array<std::uint32_t, capacity> record;
  std::array<std::uint64_t, capacity> key;  ///< InfoSum::key_of
  std::array<float, capacity> duration;
  std::array<std::uint32_t, capacity> row;
  // What must be kept: the row, the class in it, the duration.
  std::array<std::uint32_t, capacity> kept_row;
  std::array<std::uint8_t, capacity> kept_class;
  std::array<float, capacity> kept_duration;
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
  void decode(const std::byte* bytes, RecordRange records, const Cancel& cancel);
  void sum_infos(const Cancel& cancel);
  void sum_rows();
  void scan_nested(const std::byte* bytes, RecordRange records, const Cancel& cancel);
  void finish_nested(std::uint32_t record, const Cancel& cancel);
  void nest(const bytepack::SpanRecord& span, std::uint32_t row, bool counts, bool is_new);
  void count_cut(const bytepack::SpanRecord& span, const Part& part, std::uint32_t record,
                 const Cancel& cancel);
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
  std::unique_ptr<StatisticsBatch> batch_;
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
