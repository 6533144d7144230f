#include "core/query/statistics_rows.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/trace/ansi.h"
#include "core/trace/category.h"
#include "core/trace/kernel_name.h"

namespace bytescope::query {
namespace {

/// Names longer than that are told apart by their beginning.
constexpr std::size_t name_limit_bytes = 1 << 16;

/// Gives names of tracks to rows. Equal plain names are a group; a row is a group, or a group in
/// one track.
class Planner {
public:
  Planner(const trace::Trace& trace, const StatisticsRequest& request)
      : trace_(trace), request_(request), reader_(trace.file, 8) {}

  /// False when there are too many rows.
  bool add_track(RowPlan::TrackPart& part) {
    if (request_.by_track) row_of_group_.clear();
    const std::vector<trace::NameTotal>& names = trace_.tracks[part.track].spans->names;
    part.row_of_slot.reserve(names.size());
    for (const trace::NameTotal& name : names) {
      const std::uint32_t row = row_of(part.track, request_.by_name ? group_of(name.name) : 0);
      if (rows_.size() > RowPlan::most_rows) return false;
      part.row_of_slot.push_back(row);
      add_total(row, part.track, name);
    }
    return true;
  }

  std::vector<StatisticsRow> take_rows() {
    for (std::size_t i = 0; i < rows_.size() && request_.by_name; ++i)
      rows_[i].raw_name = text(frequent_[i].name);
    return std::move(rows_);
  }
  io::PageReader& reader() { return reader_; }

private:
  struct Frequent {
    std::uint32_t count = 0;
    std::uint32_t name = 0;
  };

  std::string text(std::uint32_t name) {
    return trace_.index->strings.text(reader_, name, name_limit_bytes);
  }

  /// Names are met again in every track; their texts are read once.
  std::uint32_t group_of(std::uint32_t name) {
    const auto known = group_of_id_.find(name);
    if (known != group_of_id_.end()) return known->second;
    std::string plain = trace::plain_text(text(name));
    if (request_.without_variants) plain = std::string(trace::without_variant(plain));
    const auto next = static_cast<std::uint32_t>(groups_.size());
    const auto [place, is_new] = groups_.try_emplace(std::move(plain), next);
    if (is_new) group_names_.push_back(&place->first);
    return group_of_id_.emplace(name, place->second).first->second;
  }

  std::uint32_t row_of(std::uint32_t track, std::uint32_t group) {
    const auto next = static_cast<std::uint32_t>(rows_.size());
    const auto [place, is_new] = row_of_group_.try_emplace(group, next);
    if (is_new) {
      StatisticsRow row;
      if (request_.by_name) row.name = *group_names_[group];
      if (request_.by_track) row.track = track;
      rows_.push_back(std::move(row));
      frequent_.emplace_back();
    }
    return place->second;
  }

  void add_total(std::uint32_t number, std::uint32_t track, const trace::NameTotal& name) {
    StatisticsRow& row = rows_[number];
    const auto shortest = static_cast<double>(name.shortest);
    const auto longest = static_cast<double>(name.longest);
    if (row.count == 0) {
      row.family = trace::family_of(trace_.tracks[track].own_name());
    } else if (row.family != trace::family_of(trace_.tracks[track].own_name())) {
      row.family.clear();
    }
    if (row.count == 0 || shortest < row.shortest) row.shortest = shortest;
    if (row.count == 0 || longest > row.longest) {
      row.longest = longest;
      row.longest_at = {track, name.longest_record};
    }
    row.count += name.count;
    row.total += name.total;
    if (name.count <= frequent_[number].count) return;
    frequent_[number] = {name.count, name.name};
    row.style = name.style;
  }

  const trace::Trace& trace_;
  const StatisticsRequest& request_;
  io::PageReader reader_;
  std::unordered_map<std::string, std::uint32_t> groups_;
  std::vector<const std::string*> group_names_;
  std::unordered_map<std::uint32_t, std::uint32_t> group_of_id_;
  std::unordered_map<std::uint32_t, std::uint32_t> row_of_group_;
  std::vector<StatisticsRow> rows_;
  std::vector<Frequent> frequent_;
};

std::vector<std::uint32_t> tracks_of(const trace::Trace& trace, const StatisticsRequest& request) {
  std::vector<std::uint32_t> tracks = request.tracks;
  if (tracks.empty()) return default_statistics_tracks(trace);
  std::sort(tracks.begin(), tracks.end());
  tracks.erase(std::unique(tracks.begin(), tracks.end()), tracks.end());
  std::erase_if(tracks, [&trace](std::uint32_t track) {
    return track >= trace.tracks.size() || !has_spans(trace.tracks[track]);
  });
  return tracks;
}

/// For each row of a plan the total of the tracks that have a name of it.
std::vector<double> totals_around_rows(const RowPlan& plan,
                                       const std::vector<double>& track_totals) {
  std::vector<double> totals(plan.rows.size());
  // Several names of a track may be of one row.
  std::vector<std::size_t> counted(plan.rows.size(), SIZE_MAX);
  for (std::size_t p = 0; p < plan.tracks.size(); ++p) {
    for (const std::uint32_t row : plan.tracks[p].row_of_slot) {
      if (row >= totals.size() || counted[row] == p) continue;
      counted[row] = p;
      totals[row] += track_totals[p];
    }
  }
  return totals;
}

double part_of(double part, double whole) { return whole > 0 ? std::min(part / whole, 1.0) : 0; }

}  // namespace

std::uint64_t RowPlan::span_count() const {
  std::uint64_t count = 0;
  for (const TrackPart& part : tracks) count += part.records.count();
  return count;
}

std::vector<std::uint32_t> default_statistics_tracks(const trace::Trace& trace) {
  std::vector<std::uint32_t> tracks;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const trace::TrackRole role = trace.tracks[i].role;
    const bool is_aside = role == trace::TrackRole::graph || role == trace::TrackRole::tiny ||
                          role == trace::TrackRole::user;
    if (has_spans(trace.tracks[i]) && !is_aside) tracks.push_back(i);
  }
  return tracks;
}

Expected<RowPlan> plan_rows(const trace::Trace& trace, const StatisticsRequest& request,
                            const Cancel& cancel) {
  RowPlan plan;
  plan.range = request.range.value_or(TimeRange{0, trace::ns_from_unit(trace.frame.duration_us)});
  if (!request.whole_spans) plan.cut = Cut::of(request.range);
  Planner planner(trace, request);
  for (const std::uint32_t track : tracks_of(trace, request)) {
    if (cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled");
    RowPlan::TrackPart part;
    part.track = track;
    part.records = {0, trace.tracks[track].head.count};
    if (request.range) part.records = starting_in(trace, planner.reader(), track, *request.range);
    if (!planner.add_track(part))
      return failure(ErrorKind::machine, "There are too many different names for statistics");
    plan.tracks.push_back(std::move(part));
  }
  plan.rows = planner.take_rows();
  return plan;
}

void finish_rows(const trace::Trace& trace, const RowPlan& plan,
                 const std::vector<double>& track_totals, Statistics& statistics) {
  std::vector<StatisticsRow>& rows = statistics.rows;
  for (const StatisticsRow& row : rows) statistics.total += row.total;
  const std::vector<double> of_tracks = totals_around_rows(plan, track_totals);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    StatisticsRow& row = rows[i];
    row.mean = row.count > 0 ? row.total / static_cast<double>(row.count) : 0;
    row.share = part_of(row.total, statistics.total);
    row.track_share = part_of(row.total, of_tracks[i]);
  }
  std::erase_if(rows, [](const StatisticsRow& row) { return row.count == 0; });
  std::sort(rows.begin(), rows.end(), [](const StatisticsRow& a, const StatisticsRow& b) {
    if (a.total != b.total) return a.total > b.total;
    return a.name != b.name ? a.name < b.name : a.track < b.track;
  });
  statistics.file_changed = trace.file->changed();
}

}  // namespace bytescope::query
