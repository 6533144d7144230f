#include "app/range_sheet.h"

#include <utility>

#include <fmt/format.h>

#include "app/answers/answer_text.h"
#include "app/fact_sheet_parts.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

/// Before, after, change.
void add_memory(FactSection& section, std::uint64_t before, std::uint64_t after) {
  add_fact(section, "at its begin", trace::bytes_text(before));
  add_fact(section, "at its end", trace::bytes_text(after));
  add_fact(section, "change",
           bytes_change_text(static_cast<double>(after) - static_cast<double>(before)));
}

}  // namespace

FactSheet range_sheet(const trace::Trace& trace, const query::RangeFacts& facts) {
  FactSheet sheet;
  FactSection times;
  add_fact(times, "length",
           render::duration_text(static_cast<double>(facts.range.length_ns()), trace.unit));
  add_real_time(times, trace, facts.range.begin_ns,
                static_cast<double>(facts.range.length_ns()) / 1000);
  add_fact(times, "from", render::time_text(facts.range.begin_ns, trace.unit));
  add_fact(times, "to", render::time_text(facts.range.end_ns, trace.unit));
  append_section(sheet, std::move(times));
  FactSection busy{"Busy", {}};
  FactSection memory{"Memory", {}};
  std::size_t memory_tracks = 0;
  for (std::uint32_t i = 0; i < facts.tracks.size(); ++i) {
    const query::TrackRangeFacts& track = facts.tracks[i];
    if (track.busy_share && *track.busy_share > 0 && busy.rows.size() < most_fact_rows)
      add_fact(busy, track_text(trace, i), trace::percent_text(*track.busy_share));
    if (track.begin_bytes && track.end_bytes) ++memory_tracks;
  }
  if (busy.rows.empty()) add_fact(busy, "nothing ran", "");
  append_section(sheet, std::move(busy));
  if (memory_tracks > 0) add_memory(memory, facts.begin_bytes, facts.end_bytes);
  append_section(sheet, std::move(memory));
  for (std::uint32_t i = 0; memory_tracks > 1 && i < facts.tracks.size(); ++i) {
    const query::TrackRangeFacts& track = facts.tracks[i];
    if (!track.begin_bytes || !track.end_bytes || sheet.sections.size() > most_fact_rows) continue;
    FactSection own{track_text(trace, i), {}};
    add_memory(own, *track.begin_bytes, *track.end_bytes);
    append_section(sheet, std::move(own));
  }
  return sheet;
}

}  // namespace bytescope::app
