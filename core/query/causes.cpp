#include <algorithm>

#include <fmt/format.h>

#include "core/query/fold_case.h"
#include "core/query/links.h"
#include "core/query/search_strings.h"
#include "core/query/span_scan.h"
#include "core/trace/info_facts.h"

// Links in the infos of shader traces: a span names the one that caused it.

namespace bytescope::query {
namespace {

/// More of an info than that is no list of facts.
constexpr std::size_t most_info_bytes = 1 << 20;

std::optional<trace::SpanLink> link_of(const trace::Trace& trace, io::PageReader& reader,
                                       std::uint32_t info) {
  return trace::parse_info(trace.index->strings.text(reader, info, most_info_bytes)).link;
}

}  // namespace

std::optional<TrackRecord> cause_of_span(const trace::Trace& trace, io::PageReader& reader,
                                         std::uint32_t track, std::uint32_t record) {
  const auto link = link_of(trace, reader, trace.span(reader, track, record).info);
  if (!link) return std::nullopt;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const bytepack::TrackHead& head = trace.tracks[i].head;
    if (head.kind != bytepack::TrackKind::spans || head.name != link->row) continue;
    if (link->index >= head.count) return std::nullopt;
    return TrackRecord{i, static_cast<std::uint32_t>(link->index)};
  }
  return std::nullopt;
}

std::vector<TrackRecord> effects_of_span(const trace::Trace& trace, std::uint32_t track,
                                         std::uint32_t record, const Cancel& cancel,
                                         std::size_t limit) {
  std::vector<TrackRecord> effects;
  TextTerm term;
  term.needle = folded(fmt::format("-{}", record));
  const auto strings = match_strings(trace, {term}, {}, 1, cancel, nullptr);
  if (!strings) return effects;
  io::PageReader reader(trace.file, 16);
  std::vector<std::uint8_t> is_link(strings->size());
  for (std::uint32_t id = 0; id < trace.index->strings.size(); ++id) {
    if ((*strings)[id] == 0) continue;
    const auto link = link_of(trace, reader, id);
    is_link[id] = link && link->index == record && link->row == trace.tracks[track].head.name;
  }
  if (std::find(is_link.begin(), is_link.end(), 1) == is_link.end()) return effects;
  const bytepack::SpanLayout& layout = trace.dialect->span;
  const auto last = static_cast<std::uint32_t>(is_link.size() - 1);
  for (std::uint32_t i = 0; i < trace.tracks.size() && effects.size() < limit; ++i) {
    if (trace.tracks[i].head.kind != bytepack::TrackKind::spans) continue;
    for_each_span(trace, i, 0, trace.tracks[i].head.count, cancel,
                  [&](std::uint32_t number, const std::byte* bytes) {
                    const auto info = bytepack::load<std::uint32_t>(bytes + layout.info);
                    if (is_link[std::min(info, last)] != 0 && effects.size() < limit)
                      effects.push_back({i, number});
                  });
  }
  return effects;
}

}  // namespace bytescope::query
