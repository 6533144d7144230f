#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/page_reader.h"
#include "core/query/fold_case.h"
#include "core/query/search.h"
#include "core/trace/ansi.h"

namespace bytescope::tests {

using query::SearchField;
using query::SearchHit;
using query::SearchTerms;
using query::TextTerm;

/// A search line that must be right.
inline SearchTerms parsed(std::string_view line) {
  const auto terms = query::parse_search_line(line);
  if (terms) return *terms;
  ADD_FAILURE() << line << ": " << terms.error().text(line);
  return {};
}

/// The slow twin: reads everything anew.
class PlainSearch {
public:
  PlainSearch(const trace::Trace& trace, const SearchTerms& terms) : terms_(terms) {
    io::PageReader reader(trace.file);
    for (std::uint32_t track = 0; track < trace.tracks.size(); ++track) {
      if (trace.tracks[track].head.kind != bytepack::TrackKind::spans) continue;
      for (std::uint32_t i = 0; i < trace.tracks[track].head.count; ++i) {
        const bytepack::SpanRecord span = trace.span(reader, track, i);
        if (fits(trace.tracks[track].head.name, trace.text(reader, span.name),
                 trace.text(reader, span.info), span.duration))
          hits.push_back({trace::ns_from_unit(span.start), track, i, span.duration});
      }
    }
    for (std::uint32_t i = 0; i < trace.index->markers.size(); ++i) {
      const bytepack::FileMarker& marker = trace.index->markers[i];
      if (!marker.name || !marker.time_us || !marker_fits(*marker.name)) continue;
      hits.push_back({std::llround(*marker.time_us * 1000), SearchHit::marker, i, 0});
    }
    std::sort(hits.begin(), hits.end(), [](const SearchHit& a, const SearchHit& b) {
      return std::tie(a.start_ns, a.track, a.record) < std::tie(b.start_ns, b.track, b.record);
    });
  }

  std::vector<SearchHit> by_duration() const {
    std::vector<SearchHit> sorted;
    for (const SearchHit& hit : hits)
      if (!hit.is_marker()) sorted.push_back(hit);
    std::stable_sort(sorted.begin(), sorted.end(), [](const SearchHit& a, const SearchHit& b) {
      return a.duration > b.duration;
    });
    return sorted;
  }

  std::vector<SearchHit> hits;

private:
  static bool has(const TextTerm& term, const std::string& raw) {
    const std::string plain = trace::plain_text(raw);
    return term.matches(plain, query::folded(plain));
  }
  bool fits(const std::string& track, const std::string& name, const std::string& info,
            float duration) const {
    for (const TextTerm& term : terms_.tracks)
      if (!has(term, track)) return false;
    for (const TextTerm& term : terms_.texts) {
      const bool in_name = term.field != SearchField::info && has(term, name);
      const bool in_info = term.field != SearchField::name && has(term, info);
      if (!in_name && !in_info) return false;
    }
    return terms_.duration_fits(static_cast<double>(duration) * 1000) && !terms_.empty();
  }
  bool marker_fits(const std::string& name) const {
    if (!terms_.tracks.empty() || terms_.limits_duration || terms_.texts.empty()) return false;
    return std::all_of(terms_.texts.begin(), terms_.texts.end(), [&](const TextTerm& term) {
      return term.field != SearchField::info && has(term, name);
    });
  }

  const SearchTerms& terms_;
};

}  // namespace bytescope::tests
