#include "core/query/statistics_scan.h"

#include <algorithm>
#include <array>
#include <utility>

namespace bytescope::query {
namespace {

/// So many steps of looking up are cheap beside a piece.
constexpr std::uint64_t cheap_look_up = 1 << 18;
/// Infos that wait for the end because their track is done; beyond that they are parsed at once.
constexpr std::size_t most_waiting = InfoSums::most;

/// Whether spans of a track can hold others: in a single lane they follow each other.
bool can_nest(const trace::Trace& trace, const trace::SpanIndex& spans) {
  return spans.lane_count > 1 || trace.dialect->lane_count_in_head;
}

/// Spans that a piece of a track should have.
std::uint32_t piece_size(const trace::SpanIndex& spans, std::uint32_t piece_spans) {
  const std::uint64_t lanes = std::max(spans.lane_count, 1U);
  const std::uint64_t look_up = lanes * std::max<std::uint64_t>(lanes, 16) * spans.block_spans;
  const std::uint64_t times = std::max<std::uint64_t>(look_up / cheap_look_up, 1);
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(times * piece_spans, 1, std::uint64_t{1} << 30U));
}

/// Four sums side by side: one alone waits for itself.
double sum_of(const float* durations, std::size_t count) {
  std::array<double, 4> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= count; i += sums.size()) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += static_cast<double>(durations[i + k]);
  }
  for (; i < count; ++i) sums[0] += static_cast<double>(durations[i]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

std::vector<ScanPiece> cut_into_pieces(const trace::Trace& trace, const RowPlan& plan,
                                       std::uint32_t piece_spans) {
  std::vector<ScanPiece> pieces;
  io::PageReader reader(trace.file, 8);
  for (std::uint32_t p = 0; p < plan.tracks.size(); ++p) {
    const RowPlan::TrackPart& part = plan.tracks[p];
    const std::uint32_t size = piece_size(*trace.tracks[part.track].spans, piece_spans);
    const std::size_t first = pieces.size();
    std::uint32_t begin = part.records.begin;
    do {
      std::uint32_t end = part.records.end;
      if (end - begin > size + size / 2) {
        // Spans that start together stay together.
        const std::uint32_t start = trace.span(reader, part.track, begin + size).start;
        end = std::clamp(first_starting_from(trace, reader, part.track, start), begin,
                         part.records.end);
        if (end == begin)
          end = std::clamp(first_starting_from(trace, reader, part.track, std::uint64_t{start} + 1),
                           begin + 1, part.records.end);
      }
      pieces.push_back({p, {begin, end}, false, false});
      begin = end;
    } while (begin < part.records.end);
    pieces[first].is_first = true;
    pieces.back().is_last = true;
  }
  return pieces;
}

StatisticsScan::StatisticsScan(const trace::Trace& trace, const RowPlan& plan,
                               const StatisticsRequest& request,
                               const std::vector<Brackets>& brackets, std::size_t most_kept_bytes)
    : trace_(trace),
      plan_(plan),
      request_(request),
      reader_(trace),
      pages_(trace.file, 16),
      rows_(plan.rows.size() + 1),
      track_totals_(plan.tracks.size()),
      batch_(std::make_unique_for_overwrite<StatisticsBatch>()),
      kept_(most_kept_bytes),
      nesting_(plan.cut) {
  for (std::size_t i = 0; i < brackets.size(); ++i) rows_[i].brackets = brackets[i];
}

void StatisticsScan::scan(const ScanPiece& piece, const Cancel& cancel, Progress* progress) {
  const RowPlan::TrackPart* const part = &plan_.tracks[piece.part];
  // A name and info belong to another row in another track.
  if (part_ != part && request_.by_track) drain();
  part_ = part;
  is_nested_ = can_nest(trace_, *trace_.tracks[part->track].spans);
  if (piece.is_first || is_nested_) begin_piece(piece);
  for (RecordRange left = piece.records; left.begin < left.end && !cancel.requested();) {
    const RecordRange now{left.begin, left.begin + std::min(left.count(), reader_.capacity())};
    const std::byte* bytes = reader_.read(part->track, now).data();
    if (is_nested_) {
      scan_nested(bytes, now, cancel);
    } else {
      scan_flat(bytes, now, cancel);
    }
    left.begin = now.end;
    if (progress != nullptr) progress->events_done += now.count();
  }
  if (is_nested_ && piece.is_last && request_.whole_spans) finish_nested(piece.records.end, cancel);
}

/// Looks at the spans that run already when the piece begins.
void StatisticsScan::begin_piece(const ScanPiece& piece) {
  nesting_.clear();
  const bool runs_into_range = piece.is_first && request_.range;
  if (piece.is_first && !request_.range) return;
  const std::int64_t begin_ns =
      piece.is_first
          ? request_.range->begin_ns
          : trace::ns_from_unit(trace_.span(pages_, part_->track, piece.records.begin).start);
  for (const std::uint32_t record : open_at(trace_, pages_, part_->track, begin_ns)) {
    const bytepack::SpanRecord span = trace_.span(pages_, part_->track, record);
    if (!SpanReader::is_valid_duration(span.duration)) continue;
    const bool counts = !request_.whole_spans || record >= part_->records.begin;
    if (runs_into_range && !request_.whole_spans) {
      if (const auto inside = inside_part(span, plan_.cut)) count_cut(span, *inside, record, never);
    }
    if (is_nested_) nest(span, part_->row(trace_, span.name), counts, runs_into_range);
  }
}

void StatisticsScan::scan_flat(const std::byte* bytes, RecordRange records, const Cancel& cancel) {
  const std::size_t stride = trace_.dialect->span.stride;
  while (records.begin < records.end) {
    const std::uint32_t count = std::min<std::uint32_t>(records.count(), StatisticsBatch::capacity);
    const RecordRange now{records.begin, records.begin + count};
    if (request_.range && !request_.whole_spans) {
      decode<true>(bytes, now, cancel);
    } else {
      decode<false>(bytes, now, cancel);
    }
    sum_infos(cancel);
    sum_rows();
    records.begin += count;
    bytes += count * stride;
  }
}

/// Fills the batch with the spans that count whole; the others are counted at once.
template <bool can_cut>
void StatisticsScan::decode(const std::byte* bytes, RecordRange records, const Cancel& cancel) {
  const bytepack::SpanLayout at = trace_.dialect->span;
  [[maybe_unused]] const double cut_end = plan_.cut.end;
  StatisticsBatch& batch = *batch_;
  std::size_t n = 0;
  for (std::uint32_t i = records.begin; i < records.end; ++i, bytes += at.stride) {
    const auto duration = bytepack::load<float>(bytes + at.duration);
    batch.record[n] = i;
    batch.key[n] = InfoSum::key_of(bytepack::load<std::uint32_t>(bytes + at.name),
                                   bytepack::load<std::uint32_t>(bytes + at.info));
    batch.duration[n] = duration;
    // A file that changed since may hold any bytes.
    const bool is_valid =
        SpanReader::is_valid_duration(duration) && batch.key[n] != InfoSum::no_key;
    bool is_whole = true;
    if constexpr (can_cut) {
      const auto start = static_cast<double>(bytepack::load<std::uint32_t>(bytes + at.start));
      is_whole = start + static_cast<double>(duration) <= cut_end;
    }
    n += static_cast<std::size_t>(is_valid && is_whole);
    if (is_whole || !is_valid) continue;
    const bytepack::SpanRecord span = bytepack::decode_span(at, bytes);
    if (const auto inside = inside_part(span, plan_.cut)) count_cut(span, *inside, i, cancel);
  }
  batch.count = n;
}

/// Adds the batch to the sums by info, and finds its rows.
void StatisticsScan::sum_infos(const Cancel& cancel) {
  StatisticsBatch& batch = *batch_;
  constexpr std::size_t ahead = 16;
  for (std::size_t i = 0; i < batch.count; ++i) {
    const std::size_t next = std::min(i + ahead, batch.count - 1);
    infos_.prefetch(batch.key[next]);
    InfoSum& sum = info_sum(batch.key[i], cancel);
    sum.time += static_cast<double>(batch.duration[i]);
    sum.spans += 1;
    batch.row[i] = sum.row;
    __builtin_prefetch(&rows_[sum.row]);
  }
  track_total() += sum_of(batch.duration.data(), batch.count);
}

/// Adds the batch to the sums by row.
void StatisticsScan::sum_rows() {
  StatisticsBatch& batch = *batch_;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < batch.count; ++i) {
    RowSums& row = rows_[batch.row[i]];
    const float duration = batch.duration[i];
    const std::size_t number = row.brackets.class_of(duration);
    ++row.in_class[number];
    batch.kept_row[kept] = batch.row[i];
    batch.kept_class[kept] = static_cast<std::uint8_t>(number);
    batch.kept_duration[kept] = duration;
    // Whether it is to be kept cannot be foreseen: so no branch.
    kept += row.brackets.kept >> number & 1U;
    if (duration < row.shortest) {
      row.shortest = duration;
      row.shortest_at = {part_->track, batch.record[i]};
    }
    if (duration > row.longest) {
      row.longest = duration;
      row.longest_at = {part_->track, batch.record[i]};
    }
  }
  for (std::size_t i = 0; i < kept; ++i) {
    RowSums& row = rows_[batch.kept_row[i]];
    const std::size_t number = batch.kept_class[i];
    if (!kept_.add(row.kept[number / 2], batch.kept_duration[i]))
      row.lost |= static_cast<std::uint8_t>(1U << number);
  }
}

void StatisticsScan::scan_nested(const std::byte* bytes, RecordRange records,
                                 const Cancel& cancel) {
  scan_flat(bytes, records, cancel);
  const bytepack::SpanLayout layout = trace_.dialect->span;
  for (std::uint32_t i = records.begin; i < records.end; ++i, bytes += layout.stride) {
    const bytepack::SpanRecord span = bytepack::decode_span(layout, bytes);
    if (SpanReader::is_valid_duration(span.duration))
      nest(span, part_->row(trace_, span.name), true, true);
  }
}

/// Goes on behind the range until no span that counts can hold another one.
void StatisticsScan::finish_nested(std::uint32_t record, const Cancel& cancel) {
  const RecordRange rest{record, trace_.tracks[part_->track].head.count};
  reader_.for_each(part_->track, rest, [&](std::uint32_t i, const bytepack::SpanRecord& span) {
    if (!nesting_.waits_at(span.start) || (i % 65536 == 0 && cancel.requested())) return false;
    nest(span, part_->row(trace_, span.name), false, true);
    return true;
  });
}

/// `is_new` says whether the span was not seen in the piece before.
void StatisticsScan::nest(const bytepack::SpanRecord& span, std::uint32_t row, bool counts,
                          bool is_new) {
  nesting_.add(span, row, counts, [this, is_new](std::uint32_t parent, double time) {
    if (is_new && parent < rows_.size()) rows_[parent].nested += time;
  });
}

void StatisticsScan::count_cut(const bytepack::SpanRecord& span, const Part& part,
                               std::uint32_t record, const Cancel& cancel) {
  const std::uint64_t key = InfoSum::key_of(span.name, span.info);
  if (key == InfoSum::no_key) return;
  InfoSum& sum = info_sum(key, cancel);
  track_total() += part.length;
  sum.time += part.length;
  sum.spans += span.duration > 0 ? part.length / static_cast<double>(span.duration) : 1;
  RowSums& row = rows_[sum.row];
  ++row.in_class[row.brackets.class_of(float_at_most(part.length))];
  cut_spans_.push_back({sum.row, part.length, {part_->track, record}});
}

inline double& StatisticsScan::track_total() {
  return track_totals_[static_cast<std::size_t>(part_ - plan_.tracks.data())];
}

inline InfoSum& StatisticsScan::info_sum(std::uint64_t key, const Cancel& cancel) {
  InfoSum& sum = infos_.at(key);
  return sum.is_used() ? sum : new_info_sum(key, cancel);
}

InfoSum& StatisticsScan::new_info_sum(std::uint64_t key, const Cancel& cancel) {
  if (infos_.full()) drain();
  if (waiting_.size() >= most_waiting) {
    rates_.resize(plan_.rows.size());
    add_rates(trace_, waiting_, rates_, cancel);
    waiting_.clear();
  }
  const auto unknown = static_cast<std::uint32_t>(plan_.rows.size());
  const auto name = static_cast<std::uint32_t>(key >> 32U);
  infos_.at(key) = {key, 0, 0, std::min(part_->row(trace_, name), unknown)};
  infos_.count_new();
  return infos_.at(key);
}

/// Moves the sums by info to those that wait for being parsed.
void StatisticsScan::drain() {
  const std::size_t first = waiting_.size();
  infos_.drain(waiting_);
  for (std::size_t i = first; i < waiting_.size(); ++i)
    rows_[waiting_[i].row].total += waiting_[i].time;
}

void StatisticsScan::drain_infos(std::vector<InfoSum>& out) {
  drain();
  out.insert(out.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
}

void search_pass(const trace::Trace& trace, const RowPlan& plan,
                 const std::vector<ScanPiece>& pieces, PercentileSearch& search,
                 const Cancel& cancel) {
  SpanReader reader(trace);
  for (const ScanPiece& piece : pieces) {
    if (cancel.requested()) return;
    const RowPlan::TrackPart& part = plan.tracks[piece.part];
    reader.for_each(part.track, piece.records,
                    [&](std::uint32_t, const bytepack::SpanRecord& span) {
                      if (span.end() <= plan.cut.end)
                        search.add(part.row(trace, span.name), span.duration);
                      return true;
                    });
  }
}

}  // namespace bytescope::query
