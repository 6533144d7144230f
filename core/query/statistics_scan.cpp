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
      batch_(std::make_unique_for_overwrite<KeptBatch>()),
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
      count_cut(span, record, never);
    }
    if (is_nested_) nest(span, part_->row(trace_, span.name), counts, runs_into_range);
  }
}

void StatisticsScan::scan_flat(const std::byte* bytes, RecordRange records, const Cancel& cancel) {
  const std::size_t stride = trace_.dialect->span.stride;
  const bool can_cut = request_.range && !request_.whole_spans;
  while (records.begin < records.end) {
    const std::uint32_t count = std::min<std::uint32_t>(records.count(), KeptBatch::capacity);
    const RecordRange now{records.begin, records.begin + count};
    keep(can_cut ? add<true>(bytes, now, cancel) : add<false>(bytes, now, cancel));
    records.begin += count;
    bytes += count * stride;
  }
}

/// Adds the spans to the sums of their infos and rows. Answers how many durations must be kept:
/// they are in the batch.
template <bool can_cut>
std::size_t StatisticsScan::add(const std::byte* bytes, RecordRange records, const Cancel& cancel) {
  const bytepack::SpanLayout at = trace_.dialect->span;
  [[maybe_unused]] const double cut_end = plan_.cut.end;
  KeptBatch& batch = *batch_;
  RowSums* const rows = rows_.data();
  const std::uint32_t track = part_->track;
  InfoSums::Places infos = infos_.places();
  std::size_t kept = 0;
  double total = 0;
  for (std::uint32_t i = records.begin; i < records.end; ++i, bytes += at.stride) {
    const auto duration = bytepack::load<float>(bytes + at.duration);
    const std::uint64_t key = InfoSum::key_of(bytepack::load<std::uint32_t>(bytes + at.name),
                                              bytepack::load<std::uint32_t>(bytes + at.info));
    // A file that changed since may hold any bytes.
    if (!SpanReader::is_valid_duration(duration) || key == InfoSum::no_key) continue;
    if constexpr (can_cut) {
      const auto start = static_cast<double>(bytepack::load<std::uint32_t>(bytes + at.start));
      if (start + static_cast<double>(duration) > cut_end) {
        count_cut(bytepack::decode_span(at, bytes), i, cancel);
        infos = infos_.places();
        continue;
      }
    }
    InfoSum* sum = &infos.at(key);
    if (!sum->is_used()) {
      sum = &new_info_sum(key, cancel);
      infos = infos_.places();
    }
    sum->time += static_cast<double>(duration);
    sum->spans += 1;
    total += static_cast<double>(duration);
    // Whether it is to be kept cannot be foreseen: so no branch.
    const std::uint32_t length = float_key(duration);
    const std::uint32_t row = sum->row;
    batch.row[kept] = row;
    batch.key[kept] = length;
    kept += static_cast<std::size_t>(rows[row].count(length, track, i));
  }
  track_total() += total;
  return kept;
}

/// Keeps the first `count` durations of the batch.
void StatisticsScan::keep(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    RowSums& row = rows_[batch_->row[i]];
    const std::size_t number = row.brackets.class_of_key(batch_->key[i]);
    if (!kept_.add(row.kept[number / 2], float_of_key(batch_->key[i])))
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

/// Counts the part of a span that is inside the range, if any is.
void StatisticsScan::count_cut(const bytepack::SpanRecord& span, std::uint32_t record,
                               const Cancel& cancel) {
  const std::uint64_t key = InfoSum::key_of(span.name, span.info);
  const std::optional<Part> part = inside_part(span, plan_.cut);
  if (!part || key == InfoSum::no_key) return;
  InfoSum& sum = info_sum(key, cancel);
  track_total() += part->length;
  sum.time += part->length;
  sum.spans += span.duration > 0 ? part->length / static_cast<double>(span.duration) : 1;
  RowSums& row = rows_[sum.row];
  ++row.in_class[row.brackets.class_of(float_at_most(part->length))];
  cut_spans_.push_back({sum.row, part->length, {part_->track, record}});
}

inline double& StatisticsScan::track_total() {
  return track_totals_[static_cast<std::size_t>(part_ - plan_.tracks.data())];
}

inline InfoSum& StatisticsScan::info_sum(std::uint64_t key, const Cancel& cancel) {
  InfoSum& sum = infos_.places().at(key);
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
  infos_.places().at(key) = {key, 0, 0, std::min(part_->row(trace_, name), unknown)};
  infos_.count_new();
  return infos_.places().at(key);
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
