#include "core/query/gap_context.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/cancel.h"
#include "core/query/largest_part.h"
#include "core/query/ranges.h"
#include "core/query/span_scan.h"

namespace bytescope::query {
namespace {

/// No compiler or host is deeper.
constexpr std::uint32_t most_lanes = 256;

/// What a track did in a gap, see gap_context().
std::optional<GapCompany> company_in(const trace::Trace& trace, io::PageReader& reader,
                                     std::uint32_t track, const Gap& gap) {
  std::optional<GapCompany> most;
  for (std::uint32_t lane = std::min(trace.tracks[track].spans->lane_count, most_lanes);
       lane-- > 0;) {
    const auto part = largest_part(trace, reader, track, lane, gap.begin, gap.end);
    if (!part) continue;
    const GapCompany company{{track, part->record}, std::min(part->covered / gap.length(), 1.0)};
    if (company.share >= 0.5) return company;
    if (!most || company.share > most->share) most = company;
  }
  return most;
}

bool explains_better(const trace::Trace& trace, io::PageReader& reader, const GapCompany& a,
                     const GapCompany& b) {
  if (a.share != b.share) return a.share > b.share;
  return trace.span(reader, a.span.track, a.span.record).duration <
         trace.span(reader, b.span.track, b.span.record).duration;
}

}  // namespace

GapContext gap_context(const trace::Trace& trace, io::PageReader& reader, const Gap& gap) {
  GapContext context;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const trace::Track& track = trace.tracks[i];
    if (!has_spans(track) || i == gap.track) continue;
    // What another process did explains nothing.
    if (trace.part_of(i) != trace.part_of(gap.track)) continue;
    if (track.role == trace::TrackRole::tiny) {
      context.compiler = company_in(trace, reader, i, gap);
      const std::vector<double> busy = busy_times(trace, i, {{gap.begin, gap.end}}, never);
      context.compiler_share = std::min(busy.front() / gap.length(), 1.0);
    } else if (track.role == trace::TrackRole::host || track.role == trace::TrackRole::user) {
      const std::optional<GapCompany> company = company_in(trace, reader, i, gap);
      if (company && (!context.host || explains_better(trace, reader, *company, *context.host)))
        context.host = company;
    }
  }
  return context;
}

}  // namespace bytescope::query
