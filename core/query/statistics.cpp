#include "core/query/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "core/query/statistics_sample.h"
#include "core/query/statistics_scan.h"

namespace bytescope::query {
namespace {

/// With fewer spans keeping all durations is cheaper than a sample.
constexpr std::uint64_t least_to_sample = 1 << 18;
constexpr std::uint32_t sample_step = 16;
/// So many are worth the time, and so many the memory: the more there are, the fewer durations have
/// to be kept.
constexpr std::uint64_t sampled_at_first = 1 << 20;
constexpr std::uint64_t most_sampled = 1 << 23;
constexpr std::uint64_t thinned_step = 24;
/// Durations kept for percentiles, by all threads together.
constexpr std::size_t most_kept_in_all_bytes = 64 << 20;
/// What the first answer reads of spans.
constexpr std::uint64_t first_sample = 1 << 18;

/// One of so many spans is sampled to find brackets.
std::uint32_t bracket_step(std::uint64_t spans) {
  const std::uint64_t wanted = std::clamp(spans / thinned_step, sampled_at_first, most_sampled);
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(spans / wanted, sample_step));
}

std::vector<Brackets> brackets_for(const trace::Trace& trace, const RowPlan& plan,
                                   const Cancel& cancel) {
  std::vector<Brackets> brackets(plan.rows.size());
  if (plan.span_count() < least_to_sample) return brackets;
  const RowSamples samples = sample_rows(trace, plan, bracket_step(plan.span_count()), cancel);
  for (std::size_t row = 0; row < brackets.size(); ++row) {
    if (!samples.rows[row].lost) brackets[row] = Brackets::of_sample(samples.of(row));
  }
  return brackets;
}

/// The pass over all records on several threads. Pieces are dealt out in turns, so that sums are
/// the same in every run.
class Pass {
public:
  Pass(const trace::Trace& trace, const RowPlan& plan, const StatisticsRequest& request,
       const Cancel& cancel, Progress* progress)
      : pieces_(cut_into_pieces(trace, plan, request.piece_spans)),
        cancel_(cancel),
        progress_(progress) {
    const std::vector<Brackets> brackets = brackets_for(trace, plan, cancel);
    const std::size_t threads =
        std::clamp<std::size_t>(request.threads, 1, std::max<std::size_t>(pieces_.size(), 1));
    for (std::size_t i = 0; i < threads; ++i)
      scans_.push_back(std::make_unique<StatisticsScan>(trace, plan, request, brackets,
                                                        most_kept_in_all_bytes / threads));
  }

  void run() {
    std::vector<std::thread> others;
    std::size_t started = 1;
    try {
      for (; started < scans_.size(); ++started)
        others.emplace_back([this, i = started] { work(i); });
    } catch (const std::system_error&) {
      // The machine grants no more threads: their share is done here.
    }
    work(0);
    for (std::thread& other : others) other.join();
    for (; started < scans_.size(); ++started) work(started);
  }

  const std::vector<std::unique_ptr<StatisticsScan>>& scans() const { return scans_; }
  const std::vector<ScanPiece>& pieces() const { return pieces_; }
  /// Of all that counts, by track of the plan.
  std::vector<double> track_totals() const {
    std::vector<double> totals = scans_.front()->track_totals();
    for (std::size_t i = 1; i < scans_.size(); ++i)
      std::transform(totals.begin(), totals.end(), scans_[i]->track_totals().begin(),
                     totals.begin(), std::plus<>());
    return totals;
  }

private:
  void work(std::size_t number) {
    for (std::size_t i = number; i < pieces_.size() && !cancel_.requested(); i += scans_.size())
      scans_[number]->scan(pieces_[i], cancel_, progress_);
  }

  std::vector<ScanPiece> pieces_;
  const Cancel& cancel_;
  Progress* progress_;
  std::vector<std::unique_ptr<StatisticsScan>> scans_;
};

/// A span and how long it counts; the order in which the first of equals is found.
struct Occurrence {
  double length = 0;
  TrackRecord at;
};

bool is_earlier(const TrackRecord& a, const TrackRecord& b) {
  return a.track != b.track ? a.track < b.track : a.record < b.record;
}

double duration_of(std::uint32_t key) { return static_cast<double>(float_of_key(key)); }

/// The shortest and the longest span of a row so far.
class Extremes {
public:
  void offer(const Occurrence& shortest, const Occurrence& longest) {
    if (!known_ || shortest.length < shortest_.length ||
        (shortest.length == shortest_.length && is_earlier(shortest.at, shortest_.at)))
      shortest_ = shortest;
    if (!known_ || longest.length > longest_.length ||
        (longest.length == longest_.length && is_earlier(longest.at, longest_.at)))
      longest_ = longest;
    known_ = true;
  }
  void tell(StatisticsRow& row) const {
    row.shortest = shortest_.length;
    row.shortest_at = shortest_.at;
    row.longest = longest_.length;
    row.longest_at = longest_.at;
  }

private:
  bool known_ = false;
  Occurrence shortest_;
  Occurrence longest_;
};

/// Puts the sums of all threads together.
class Merger {
public:
  Merger(const trace::Trace& trace, const RowPlan& plan, const Pass& pass, const Cancel& cancel)
      : trace_(trace), plan_(plan), pass_(pass), cancel_(cancel) {
    for (const auto& scan : pass.scans()) scan->drain_infos(infos_);
    for (const auto& scan : pass.scans())
      cut_spans_.insert(cut_spans_.end(), scan->cut_spans().begin(), scan->cut_spans().end());
    std::stable_sort(cut_spans_.begin(), cut_spans_.end(),
                     [](const CutSpan& a, const CutSpan& b) { return a.row < b.row; });
  }

  std::vector<StatisticsRow> rows() {
    std::vector<StatisticsRow> rows = plan_.rows;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      add_sums(rows[i], i);
      if (rows[i].count > 0) find_percentiles(rows[i], i);
    }
    search_percentiles(rows);
    add_all_rates(rows);
    return rows;
  }

private:
  std::span<const CutSpan> cut_spans_of(std::uint32_t row) const {
    const auto order = [](const CutSpan& cut, std::uint32_t value) { return cut.row < value; };
    const auto first = std::lower_bound(cut_spans_.begin(), cut_spans_.end(), row, order);
    const auto last = std::lower_bound(first, cut_spans_.end(), row + 1, order);
    return {first, last};
  }

  void add_sums(StatisticsRow& row, std::uint32_t number) const {
    row.count = 0;
    row.total = 0;
    double nested = 0;
    Extremes extremes;
    for (const auto& scan : pass_.scans()) {
      const RowSums& sums = scan->rows()[number];
      for (const std::uint32_t count : sums.in_class) row.count += count;
      row.total += sums.total;
      nested += sums.nested;
      if (sums.longest < 0) continue;
      extremes.offer({duration_of(sums.shortest), sums.shortest_at},
                     {duration_of(static_cast<std::uint32_t>(sums.longest)), sums.longest_at});
    }
    const std::span<const CutSpan> cut = cut_spans_of(number);
    for (const CutSpan& span : cut) extremes.offer({span.length, span.at}, {span.length, span.at});
    extremes.tell(row);
    row.cut = cut.size();
    row.self = std::max(row.total - nested, 0.0);
  }

  static double& percentile_of(StatisticsRow& row, std::size_t percentile) {
    return percentile == 0 ? row.p50 : percentile == 1 ? row.p90 : row.p99;
  }

  void find_percentiles(StatisticsRow& row, std::uint32_t number) {
    std::array<std::uint64_t, Brackets::class_count> in_class{};
    std::uint8_t lost = 0;
    for (const auto& scan : pass_.scans()) {
      const RowSums& sums = scan->rows()[number];
      for (std::size_t c = 0; c < in_class.size(); ++c) in_class[c] += sums.in_class[c];
      lost |= sums.lost;
    }
    const Brackets& brackets = pass_.scans()[0]->rows()[number].brackets;
    for (std::size_t p = 0; p < percentile_count; ++p) {
      std::uint64_t rank = nearest_rank(row.count, p);
      std::size_t c = 0;
      while (c + 1 < in_class.size() && rank >= in_class[c]) rank -= in_class[c++];
      if (brackets.keeps(c) && (lost >> c & 1U) == 0) {
        percentile_of(row, p) = nth_kept(row, number, c, rank);
        continue;
      }
      OpenPercentile open{number, p, rank, in_class[c], 0, Brackets::endless};
      if (c > 0) open.begin_key = brackets.bounds[c - 1];
      if (c < brackets.bounds.size()) open.end_key = brackets.bounds[c];
      open_.push_back(open);
    }
  }

  /// The value of rank `rank` among those kept of a class.
  double nth_kept(const StatisticsRow& row, std::uint32_t number, std::size_t c,
                  std::uint64_t rank) {
    if (std::pair(number, c) != kept_of_) {
      kept_of_ = {number, c};
      std::vector<ValueList> lists;
      for (const auto& scan : pass_.scans())
        lists.push_back({&scan->kept(), scan->rows()[number].kept[c / 2]});
      parts_.clear();
      const Brackets& brackets = pass_.scans()[0]->rows()[number].brackets;
      for (const CutSpan& cut : cut_spans_of(number)) {
        if (brackets.class_of(float_at_most(cut.length)) == c) parts_.push_back(cut.length);
      }
      if (parts_.empty()) {
        const float least =
            std::max(float_of_key(brackets.bounds[c - 1]), float_at_most(row.shortest));
        const float most = std::min(float_of_key(brackets.bounds[c]), float_at_most(row.longest));
        selection_.begin({std::move(lists)}, least, most);
      } else {
        for (const ValueList& list : lists)
          list.lists->for_each(list.head, [this](float value) { parts_.push_back(value); });
      }
    }
    if (parts_.empty()) return static_cast<double>(selection_.nth(rank));
    const auto at = parts_.begin() +
                    static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(rank, parts_.size() - 1));
    std::nth_element(parts_.begin(), at, parts_.end());
    return *at;
  }

  void search_percentiles(std::vector<StatisticsRow>& rows) {
    PercentileSearch search(std::move(open_));
    while (!search.is_done() && !cancel_.requested()) {
      if (search.begin_pass()) {
        search_pass(trace_, plan_, pass_.pieces(), search, cancel_);
        for (const CutSpan& cut : cut_spans_) search.add(cut.row, float_at_most(cut.length));
      }
      search.end_pass();
    }
    for (const OpenPercentile& found : search.take_found()) {
      // Parts of cut spans lie between floats: behind those equal to the float below them.
      std::vector<double> parts;
      for (const CutSpan& cut : cut_spans_of(found.group)) {
        if (float_key(float_at_most(cut.length)) == found.begin_key) parts.push_back(cut.length);
      }
      std::sort(parts.begin(), parts.end());
      const std::uint64_t whole = found.count - std::min<std::uint64_t>(found.count, parts.size());
      const bool is_part = found.rank >= whole && found.rank - whole < parts.size();
      percentile_of(rows[found.group], found.percentile) =
          is_part ? parts[found.rank - whole]
                  : static_cast<double>(float_of_key(static_cast<std::uint32_t>(found.begin_key)));
    }
  }

  void add_all_rates(std::vector<StatisticsRow>& rows) {
    std::vector<RateSums> rates(rows.size());
    for (const auto& scan : pass_.scans()) {
      for (std::size_t i = 0; i < scan->early_rates().size(); ++i)
        rates[i].add(scan->early_rates()[i]);
    }
    add_rates(trace_, infos_, rates, cancel_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].flops = rates[i].flops.value();
      rows[i].mem_bytes_per_s = rates[i].mem.value();
      rows[i].lds_bytes_per_s = rates[i].lds.value();
      rows[i].bytes_per_s = rates[i].bytes_per_s.value();
      rows[i].spans = rates[i].spans;
      rows[i].bytes_spans = rates[i].bytes_spans;
      rows[i].bytes_time = rates[i].bytes_time;
      if (rates[i].bytes_spans > 0) rows[i].bytes = rates[i].bytes;
    }
  }

  const trace::Trace& trace_;
  const RowPlan& plan_;
  const Pass& pass_;
  const Cancel& cancel_;
  std::vector<InfoSum> infos_;
  std::vector<CutSpan> cut_spans_;
  std::vector<OpenPercentile> open_;
  std::pair<std::uint32_t, std::size_t> kept_of_{RowPlan::none, 0};
  RankSelection<ListedValues> selection_;
  std::vector<double> parts_;  // with what was kept, where spans were cut
};

Statistics answer_of(const RowPlan& plan) {
  Statistics answer;
  answer.range = plan.range;
  for (const RowPlan::TrackPart& part : plan.tracks) answer.tracks.push_back(part.track);
  return answer;
}

/// Nearest rank in a sample, which is put in another order.
double sample_percentile(std::vector<float>& sample, std::size_t percentile) {
  const auto at =
      sample.begin() + static_cast<std::ptrdiff_t>(nearest_rank(sample.size(), percentile));
  std::nth_element(sample.begin(), at, sample.end());
  return static_cast<double>(*at);
}

void estimate_row(StatisticsRow& row, std::vector<float>& sample, bool is_whole, double rate) {
  if (!is_whole) {
    row.count = static_cast<std::uint64_t>(std::llround(static_cast<double>(sample.size()) / rate));
    row.total = 0;
    for (const float length : sample) row.total += static_cast<double>(length) / rate;
  }
  row.self = row.total;
  if (sample.empty()) {
    row.p50 = row.p90 = row.p99 = row.count > 0 ? row.total / static_cast<double>(row.count) : 0;
    return;
  }
  row.p50 = sample_percentile(sample, 0);
  row.p90 = sample_percentile(sample, 1);
  row.p99 = sample_percentile(sample, 2);
}

}  // namespace

Statistics first_statistics(const trace::Trace& trace, const StatisticsRequest& request,
                            const Cancel& cancel) {
  const Expected<RowPlan> plan = plan_rows(trace, request, cancel);
  if (!plan) return {};
  Statistics answer = answer_of(*plan);
  answer.rows = plan->rows;
  answer.approximate = true;
  const auto step = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(plan->span_count() / first_sample, 1, 1U << 30U));
  RowSamples samples = sample_rows(trace, *plan, step, cancel);
  std::vector<float> sample;
  for (std::size_t i = 0; i < answer.rows.size(); ++i) {
    sample.clear();
    samples.of(i).for_each([&sample](float duration) { sample.push_back(duration); });
    estimate_row(answer.rows[i], sample, !request.range, samples.rate);
  }
  for (double& total : samples.track_totals) total /= samples.rate;
  finish_rows(trace, *plan, samples.track_totals, answer);
  return answer;
}

Expected<Statistics> statistics(const trace::Trace& trace, const StatisticsRequest& request,
                                const Cancel& cancel, Progress* progress) {
  const Expected<RowPlan> plan = plan_rows(trace, request, cancel);
  if (!plan) return tl::make_unexpected(plan.error());
  if (progress != nullptr) progress->events_total = plan->span_count();
  Pass pass(trace, *plan, request, cancel, progress);
  pass.run();
  Statistics answer = answer_of(*plan);
  answer.rows = Merger(trace, *plan, pass, cancel).rows();
  if (cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled");
  finish_rows(trace, *plan, pass.track_totals(), answer);
  return answer;
}

}  // namespace bytescope::query
