#include "tests/core/statistics_twin.h"

#include <algorithm>

#include "core/trace/ansi.h"
#include "core/trace/info_facts.h"
#include "core/trace/kernel_name.h"

namespace bytescope::query {
namespace {

using trace::Trace;

struct PlainSpan {
  bytepack::SpanRecord span;
  double begin = 0;  ///< Of the part that counts.
  double end = 0;
  double length = 0;
  bool counts = false;
  bool is_cut = false;
};

/// All spans of a track with the parts that count.
std::vector<PlainSpan> plain_spans(const Trace& trace, std::uint32_t track,
                                   const StatisticsRequest& request) {
  io::PageReader reader(trace.file);
  const double a = request.range ? static_cast<double>(request.range->begin_ns) / 1000 : -1e300;
  const double b = request.range ? static_cast<double>(request.range->end_ns) / 1000 : 1e300;
  std::vector<PlainSpan> spans;
  for (std::uint32_t i = 0; i < trace.tracks[track].head.count; ++i) {
    PlainSpan one;
    one.span = trace.span(reader, track, i);
    one.begin = one.span.start;
    one.end = one.span.end();
    one.length = static_cast<double>(one.span.duration);
    const bool starts_inside = one.begin >= a && one.begin < b;
    if (request.whole_spans) {
      one.counts = starts_inside;
    } else {
      one.counts = starts_inside || (one.begin < a && one.end > a);
      one.is_cut = one.counts && (one.begin < a || one.end > b);
      one.begin = std::max(one.begin, a);
      one.end = std::min(one.end, b);
      if (one.is_cut) one.length = one.end - one.begin;
    }
    spans.push_back(one);
  }
  return spans;
}

/// Time of the counting part of span `i` that spans whose parent it is cover.
double plain_nested(const std::vector<PlainSpan>& spans, std::size_t i,
                    const std::vector<std::size_t>& parents) {
  std::vector<std::pair<double, double>> parts;
  for (std::size_t k = i + 1; k < spans.size(); ++k) {
    if (parents[k] == i && spans[k].end > spans[k].begin)
      parts.emplace_back(std::max(spans[k].begin, spans[i].begin), spans[k].end);
  }
  std::sort(parts.begin(), parts.end());
  double covered = 0;
  double until = -1e300;
  for (const auto& [begin, end] : parts) {
    covered += std::max(0.0, end - std::max(begin, until));
    until = std::max(until, end);
  }
  return covered;
}

/// The parent of each span: the latest before it that runs (in whole units) and ends no earlier.
std::vector<std::size_t> plain_parents(const std::vector<PlainSpan>& spans) {
  std::vector<std::size_t> parents(spans.size(), SIZE_MAX);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    for (std::size_t k = i; k-- > 0;) {
      const bytepack::SpanRecord& parent = spans[k].span;
      const auto whole = std::uint64_t{parent.start} + static_cast<std::uint64_t>(parent.duration);
      if (whole <= spans[i].span.start || parent.end() < spans[i].span.end()) continue;
      parents[i] = k;
      break;
    }
  }
  return parents;
}

/// The name under which a span counts.
std::string plain_name(const Trace& trace, io::PageReader& reader, const PlainSpan& span,
                       const StatisticsRequest& request) {
  if (!request.by_name) return {};
  const std::string name = trace::plain_text(trace.text(reader, span.span.name));
  return request.without_variants ? std::string(trace::without_variant(name)) : name;
}

}  // namespace

std::map<PlainKey, PlainRow> plain_rows(const Trace& trace, const StatisticsRequest& request) {
  io::PageReader reader(trace.file);
  std::map<PlainKey, PlainRow> rows;
  const auto tracks = request.tracks.empty() ? default_statistics_tracks(trace) : request.tracks;
  for (const std::uint32_t track : tracks) {
    const std::vector<PlainSpan> spans = plain_spans(trace, track, request);
    const std::vector<std::size_t> parents = plain_parents(spans);
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (!spans[i].counts) continue;
      const std::string name = plain_name(trace, reader, spans[i], request);
      PlainRow& row = rows[{name, request.by_track ? std::optional(track) : std::nullopt}];
      row.lengths.push_back(spans[i].length);
      row.cut += spans[i].is_cut ? 1 : 0;
      row.nested += plain_nested(spans, i, parents);
      const auto rates = trace::parse_info_rates(trace.text(reader, spans[i].span.info));
      if (!rates.flops.value) continue;
      row.flops_time += spans[i].length;
      row.flops += *rates.flops.value * spans[i].length;
    }
  }
  return rows;
}

double plain_total_around(const Trace& trace, const StatisticsRequest& request,
                          const StatisticsRow& row) {
  io::PageReader reader(trace.file);
  double total = 0;
  for (const std::uint32_t track :
       request.tracks.empty() ? default_statistics_tracks(trace) : request.tracks) {
    if (row.track && *row.track != track) continue;
    const std::vector<PlainSpan> spans = plain_spans(trace, track, request);
    const bool has_name = std::any_of(spans.begin(), spans.end(), [&](const PlainSpan& span) {
      return plain_name(trace, reader, span, request) == row.name;
    });
    for (const PlainSpan& span : spans) {
      if (has_name && span.counts) total += span.length;
    }
  }
  return total;
}

}  // namespace bytescope::query
