#include "core/query/copies.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <utility>

#include "core/io/trimmed.h"
#include "core/query/ranges.h"
#include "core/query/span_scan.h"
#include "core/trace/category.h"

namespace bytescope::query {
namespace {

using io::trimmed;
using trace::Category;
using trace::TrackRole;

/// The amount that `4.00 MB`, `0.80M` or `4096` tells.
std::optional<double> size_of_text(std::string_view text) {
  double amount = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, amount);
  if (error != std::errc() || amount < 0) return std::nullopt;
  std::string_view unit = trimmed({stop, static_cast<std::size_t>(end - stop)});
  if (unit.ends_with('B')) unit.remove_suffix(1);
  if (unit.empty()) return amount;
  constexpr std::string_view prefixes = "KMGT";
  const char prefix = unit[0] == 'k' ? 'K' : unit[0];
  const std::size_t power = prefixes.find(prefix);
  if (unit.size() != 1 || power == std::string_view::npos) return std::nullopt;
  for (std::size_t i = 0; i <= power; ++i) amount *= 1024;
  return amount;
}

/// The size that stands in front of a copy's places: `copy 4.00 MB`, `1.00 GB`, `4096`.
std::optional<double> leading_size(std::string_view text) {
  const std::size_t digit = text.find_first_of("0123456789");
  if (digit == std::string_view::npos) return std::nullopt;
  return size_of_text(trimmed(text.substr(digit)));
}

bool has_copies(const trace::Track& track) {
  const auto& names = track.spans->names;
  return std::any_of(names.begin(), names.end(), [](const trace::NameTotal& name) {
    return name.style.category() == Category::copy;
  });
}

/// `AMD:1:SDMA:0` is an engine of `AMD:1`.
bool is_engine_of(const trace::Track& engine, const trace::Track& device) {
  if (engine.role != TrackRole::copy_engine) return false;
  const std::string& name = device.head.name;
  if (!engine.head.name.starts_with(name + ":")) return false;
  // `AMD:1:SDMA:0` is no engine of `AMD`, but `AMD:SDMA:0` is.
  const char next = engine.head.name[name.size() + 1];
  return next < '0' || next > '9';
}

/// Stretches in which a track is busy with copies, or with anything else, in order, apart from each
/// other and within a range.
class BusyStretches {
public:
  BusyStretches(const trace::Trace& trace, std::uint32_t track, bool copies,
                const std::optional<TimeRange>& range)
      : trace_(trace), track_(track), cut_(Cut::of(range)), reader_(trace) {
    const trace::SpanIndex& spans = *trace.tracks[track].spans;
    for (const trace::NameTotal& name : spans.names)
      wanted_.push_back((name.style.category() == Category::copy) == copies ? 1 : 0);
    left_ = {0, trace.tracks[track].head.count};
    if (!range) return;
    io::PageReader pages(trace.file, 8);
    left_ = starting_in(trace, pages, track, *range);
    for (const std::uint32_t record : open_at(trace, pages, track, range->begin_ns)) {
      const bytepack::SpanRecord span = trace.span(pages, track, record);
      add(span.name, span.start, span.duration);
    }
  }

  /// The next one; none at the end.
  std::optional<Stretch> next() {
    // The last one that was read may go on in what comes next.
    while (at_ + 1 >= ready_.size() && left_.begin < left_.end) read_more();
    if (at_ == ready_.size()) return std::nullopt;
    return ready_[at_++];
  }

private:
  void add(std::uint32_t name, std::uint32_t start, float duration) {
    const std::uint32_t slot = trace_.tracks[track_].spans->slots.find(name);
    if (slot >= wanted_.size() || wanted_[slot] == 0 || !SpanReader::is_valid_duration(duration))
      return;
    const double begin = std::max(static_cast<double>(start), cut_.begin);
    const double end = std::min(start + static_cast<double>(duration), cut_.end);
    if (!ready_.empty() && begin <= ready_.back().end) {
      ready_.back().end = std::max(ready_.back().end, end);
    } else if (end > begin) {
      ready_.push_back({begin, end});
    }
  }

  void read_more() {
    ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ = 0;
    const RecordRange now{left_.begin, left_.begin + std::min(left_.count(), reader_.capacity())};
    const bytepack::SpanLayout layout = trace_.dialect->span;
    const std::byte* bytes = reader_.read(track_, now).data();
    for (std::uint32_t i = now.begin; i < now.end; ++i, bytes += layout.stride) {
      add(bytepack::load<std::uint32_t>(bytes + layout.name),
          bytepack::load<std::uint32_t>(bytes + layout.start),
          bytepack::load<float>(bytes + layout.duration));
    }
    left_.begin = now.end;
  }

  const trace::Trace& trace_;
  std::uint32_t track_;
  Cut cut_;
  SpanReader reader_;
  RecordRange left_;
  std::vector<std::uint8_t> wanted_;  // by place in SpanIndex::names
  std::vector<Stretch> ready_;
  std::size_t at_ = 0;
};

/// The stretches of several tracks together.
class UnitedStretches {
public:
  void add(std::unique_ptr<BusyStretches> source) {
    if (const auto first = source->next()) sources_.push_back({std::move(source), *first});
  }
  std::optional<Stretch> next() {
    std::optional<Stretch> stretch;
    while (!sources_.empty()) {
      const auto earliest = std::min_element(
          sources_.begin(), sources_.end(),
          [](const Source& a, const Source& b) { return a.next.begin < b.next.begin; });
      if (stretch && earliest->next.begin > stretch->end) break;
      stretch = stretch ? Stretch{stretch->begin, std::max(stretch->end, earliest->next.end)}
                        : earliest->next;
      if (const auto following = earliest->stretches->next()) {
        earliest->next = *following;
      } else {
        sources_.erase(earliest);
      }
    }
    return stretch;
  }

private:
  struct Source {
    std::unique_ptr<BusyStretches> stretches;
    Stretch next;
  };
  std::vector<Source> sources_;
};

/// Adds a stretch in which a device copies and computes nothing; one without length is none.
void add_exposed(CopyExposure& exposure, const Stretch& alone) {
  if (alone.length() <= 0) return;
  exposure.exposed += alone.length();
  if (alone.length() > exposure.longest_exposed.length()) exposure.longest_exposed = alone;
}

CopyExposure exposure_of(const trace::Trace& trace, std::uint32_t device,
                         const std::vector<std::uint32_t>& engines,
                         const std::optional<TimeRange>& range, const Cancel& cancel) {
  CopyExposure exposure;
  exposure.device = device;
  UnitedStretches copying;
  copying.add(std::make_unique<BusyStretches>(trace, device, true, range));
  for (const std::uint32_t engine : engines)
    copying.add(std::make_unique<BusyStretches>(trace, engine, true, range));
  BusyStretches computing(trace, device, false, range);
  std::optional<Stretch> compute = computing.next();
  while (const auto copy = copying.next()) {
    if (cancel.requested()) break;
    exposure.copying += copy->length();
    double alone_from = copy->begin;
    while (compute && compute->end <= copy->begin) compute = computing.next();
    while (compute && compute->begin < copy->end) {
      add_exposed(exposure, {alone_from, compute->begin});
      alone_from = compute->end;
      if (compute->end > copy->end) break;
      compute = computing.next();
    }
    add_exposed(exposure, {alone_from, copy->end});
  }
  return exposure;
}

/// What is known of a route so far.
struct RouteSum {
  std::uint64_t count = 0;
  double total = 0;
  double bytes = 0;
  double bytes_time = 0;  // of the copies that tell their bytes
  bool knows_bytes = false;
  double longest = -1;
  TrackRecord longest_at;
};

void add_row(RouteSum& sum, const StatisticsRow& row, const CopyRoute& route) {
  sum.count += row.count;
  if (row.longest > sum.longest) {
    sum.longest = row.longest;
    sum.longest_at = row.longest_at;
  }
  sum.total += row.total;
  if (!row.bytes && !route.bytes) return;
  sum.knows_bytes = true;
  sum.bytes += row.bytes.value_or(0);
  // A name with a size tells of those copies too whose infos tell nothing.
  if (route.bytes) sum.bytes += *route.bytes * std::max(row.spans - row.bytes_spans, 0.0);
  sum.bytes_time += route.bytes ? row.total : row.bytes_time;
}

std::vector<CopyGroup> groups_of(const trace::Trace& trace, const Statistics& statistics) {
  std::map<std::pair<std::string, std::string>, RouteSum> routes;
  for (const StatisticsRow& row : statistics.rows) {
    if (trace::category_of(trace.tracks[*row.track].role, row.name) != Category::copy) continue;
    const CopyRoute route = copy_route(row.name).value_or(CopyRoute());
    add_row(routes[{route.source, route.destination}], row, route);
  }
  std::vector<CopyGroup> groups;
  for (const auto& [places, sum] : routes) {
    CopyGroup group{places.first, places.second, sum.count,     sum.total, {},
                    {},           sum.longest,   sum.longest_at};
    if (sum.knows_bytes) group.bytes = sum.bytes;
    if (sum.knows_bytes && sum.bytes_time > 0)
      group.bytes_per_s = sum.bytes / (sum.bytes_time * 1e-6);
    groups.push_back(std::move(group));
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const CopyGroup& a, const CopyGroup& b) { return a.total > b.total; });
  return groups;
}

}  // namespace

std::optional<CopyRoute> copy_route(std::string_view plain_name) {
  constexpr std::string_view to = " -> ";
  constexpr std::string_view from = " <- ";
  CopyRoute route;
  std::string_view before = plain_name;
  const bool points_right = plain_name.find(to) != std::string_view::npos;
  const std::size_t arrow = plain_name.find(points_right ? to : from);
  if (arrow == std::string_view::npos) {
    if (!plain_name.starts_with("copy ")) return std::nullopt;
    route.bytes = leading_size(plain_name);
    return route;
  }
  before = plain_name.substr(0, arrow);
  const std::size_t comma = before.rfind(',');
  if (comma != std::string_view::npos) {
    route.bytes = leading_size(before.substr(0, comma));
    before = before.substr(comma + 1);
  }
  route.source = trimmed(before);
  route.destination = trimmed(plain_name.substr(arrow + to.size()));
  if (!points_right) std::swap(route.source, route.destination);
  return route;
}

Expected<CopyFacts> copy_facts(const trace::Trace& trace, const StatisticsRequest& request,
                               const Cancel& cancel, Progress* progress) {
  StatisticsRequest of_copies;
  of_copies.range = request.range;
  of_copies.whole_spans = request.whole_spans;
  of_copies.threads = request.threads;
  of_copies.by_track = true;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    if (has_spans(trace.tracks[i]) && has_copies(trace.tracks[i])) of_copies.tracks.push_back(i);
  }
  CopyFacts facts;
  if (of_copies.tracks.empty()) return facts;
  const auto statistics = query::statistics(trace, of_copies, cancel, progress);
  if (!statistics) return tl::make_unexpected(statistics.error());
  facts.groups = groups_of(trace, *statistics);
  for (std::uint32_t device = 0; device < trace.tracks.size(); ++device) {
    const trace::Track& track = trace.tracks[device];
    if (track.role != TrackRole::device || !has_spans(track)) continue;
    std::vector<std::uint32_t> engines;
    for (const std::uint32_t i : of_copies.tracks) {
      if (is_engine_of(trace.tracks[i], track)) engines.push_back(i);
    }
    if (engines.empty() && !has_copies(track)) continue;
    facts.exposure.push_back(exposure_of(trace, device, engines, request.range, cancel));
  }
  if (cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled");
  return facts;
}

}  // namespace bytescope::query
