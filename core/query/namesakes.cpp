#include <algorithm>
#include <map>

#include "core/query/links.h"
#include "core/query/search_pieces.h"
#include "core/query/span_scan.h"
#include "core/trace/ansi.h"

// Spans that have a name or a program in common.

namespace bytescope::query {

Namesakes namesakes_of(const trace::Trace& trace, std::uint32_t name, const Cancel& cancel) {
  io::PageReader reader(trace.file, 16);
  const std::string plain = trace::plain_text(trace.text(reader, name));
  Namesakes found;
  found.ids.push_back(name);
  std::map<std::uint32_t, bool> known = {{name, true}};
  for (std::uint32_t track = 0; track < trace.tracks.size(); ++track) {
    const auto& spans = trace.tracks[track].spans;
    if (!spans) continue;
    if (spans->sampled) return found;
    bool has_name = false;
    for (const trace::NameTotal& total : spans->names) {
      const auto [at, is_new] = known.try_emplace(total.name, false);
      if (is_new) {
        if (cancel.requested()) return found;
        at->second = trace::plain_text(trace.text(reader, total.name)) == plain;
        if (at->second) found.ids.push_back(total.name);
      }
      has_name = has_name || at->second;
    }
    if (has_name) found.tracks.push_back(track);
  }
  found.complete = true;
  return found;
}

namespace {

/// Walks over one track away from a place until it meets a namesake, a portion at a time.
class Outward {
public:
  Outward(const trace::Trace& trace, std::uint32_t track, std::uint32_t record, int step)
      : trace_(trace), track_(track), next_(record), step_(step) {}

  bool is_done() const { return is_done_; }
  const std::optional<SearchHit>& found() const { return found_; }

  /// Looks at up to `count` more records; gives up behind `best`.
  void look(io::PageReader& reader, const Namesakes& names, std::uint32_t count,
            const std::optional<SearchHit>& best) {
    for (std::uint32_t i = 0; i < count && !is_done_; ++i) {
      const bool is_at_end = step_ > 0 ? next_ >= trace_.tracks[track_].head.count : next_ == 0;
      if (is_at_end) {
        is_done_ = true;
        return;
      }
      const std::uint32_t record = step_ > 0 ? next_++ : --next_;
      const bytepack::SpanRecord span = trace_.span(reader, track_, record);
      const SearchHit here{trace::ns_from_unit(span.start), track_, record, span.duration};
      if (names.has(span.name)) found_ = here;
      const bool is_beyond =
          best && (step_ > 0 ? is_earlier(*best, here) : is_earlier(here, *best));
      is_done_ = found_.has_value() || is_beyond;
    }
  }

private:
  const trace::Trace& trace_;
  std::uint32_t track_;
  std::uint32_t next_;  ///< The next record forwards, or one behind the next backwards.
  int step_;
  bool is_done_ = false;
  std::optional<SearchHit> found_;
};

}  // namespace

std::optional<NamesakeRank> namesake_rank(const trace::Trace& trace, std::uint32_t track,
                                          std::uint32_t record, const Cancel& cancel,
                                          bool only_this_track) {
  io::PageReader reader(trace.file, 4);
  const bytepack::SpanRecord span = trace.span(reader, track, record);
  Namesakes names = namesakes_of(trace, span.name, cancel);
  if (!names.complete) return std::nullopt;
  if (only_this_track) names.tracks = {track};
  NamesakeRank rank;
  std::optional<SearchHit> longest;
  std::optional<SearchHit> shortest;
  const bytepack::SpanLayout& layout = trace.dialect->span;
  for (const std::uint32_t one : names.tracks) {
    const bool done =
        for_each_span(trace, one, 0, trace.tracks[one].head.count, cancel,
                      [&](std::uint32_t i, const std::byte* bytes) {
                        if (!names.has(bytepack::load<std::uint32_t>(bytes + layout.name))) return;
                        const auto duration = bytepack::load<float>(bytes + layout.duration);
                        const auto start = bytepack::load<std::uint32_t>(bytes + layout.start);
                        ++rank.total;
                        rank.longer += duration > span.duration ? 1 : 0;
                        rank.equal += duration == span.duration ? 1 : 0;
                        const SearchHit here{trace::ns_from_unit(start), one, i, duration};
                        const auto is_first = [&here](const SearchHit& other) {
                          return here.duration == other.duration && is_earlier(here, other);
                        };
                        if (!longest || duration > longest->duration || is_first(*longest))
                          longest = here;
                        if (!shortest || duration < shortest->duration || is_first(*shortest))
                          shortest = here;
                      });
    if (!done) return std::nullopt;
  }
  if (longest) rank.longest = {longest->track, longest->record};
  if (shortest) rank.shortest = {shortest->track, shortest->record};
  return rank;
}

std::optional<TrackRecord> neighbour_namesake(const trace::Trace& trace, std::uint32_t track,
                                              std::uint32_t record, int step,
                                              const Cancel& cancel) {
  constexpr std::uint32_t first_portion = 1024;
  constexpr std::uint32_t most_portion = 1 << 16;
  io::PageReader reader(trace.file, 64);
  const bytepack::SpanRecord span = trace.span(reader, track, record);
  const Namesakes names = namesakes_of(trace, span.name, cancel);
  if (!names.complete) return std::nullopt;
  const SearchHit place{trace::ns_from_unit(span.start), track, record, span.duration};
  std::vector<Outward> walks;
  for (const std::uint32_t one : names.tracks) {
    std::uint32_t from = first_record_from(trace, reader, one, place);
    if (one == track && step > 0) from = record + 1;
    walks.emplace_back(trace, one, from, step);
  }
  std::optional<SearchHit> best;
  std::uint32_t portion = first_portion;
  while (!std::all_of(walks.begin(), walks.end(), [](const Outward& w) { return w.is_done(); })) {
    if (cancel.requested()) return std::nullopt;
    for (Outward& walk : walks) {
      if (walk.is_done()) continue;
      walk.look(reader, names, portion, best);
      const std::optional<SearchHit>& found = walk.found();
      const bool is_nearer =
          found && (!best || (step > 0 ? is_earlier(*found, *best) : is_earlier(*best, *found)));
      if (is_nearer) best = found;
    }
    portion = std::min(portion * 2, most_portion);
  }
  if (!best) return std::nullopt;
  return TrackRecord{best->track, best->record};
}

ProgramLinks program_links(const trace::Trace& trace, std::uint32_t ref, const Cancel& cancel) {
  ProgramLinks links;
  const bytepack::SpanLayout& layout = trace.dialect->span;
  io::PageReader reader(trace.file, 4);
  std::optional<SearchHit> first_run;
  bool is_codegen = false;
  for (std::uint32_t track = 0; track < trace.tracks.size(); ++track) {
    const trace::Track& owner = trace.tracks[track];
    const bool is_compiler = owner.role == trace::TrackRole::tiny;
    if (owner.head.kind != bytepack::TrackKind::spans ||
        (!is_compiler && owner.role != trace::TrackRole::device))
      continue;
    const bool done = for_each_span(
        trace, track, 0, owner.head.count, cancel,
        [&](std::uint32_t record, const std::byte* bytes) {
          if (bytepack::load_optional<std::uint32_t>(bytes + layout.ref) != ref) return;
          const bytepack::SpanRecord span = bytepack::decode_span(layout, bytes);
          if (!is_compiler) {
            ++links.runs;
            const SearchHit here{trace::ns_from_unit(span.start), track, record, span.duration};
            if (!first_run || is_earlier(here, *first_run)) first_run = here;
            return;
          }
          const std::string name = trace::plain_text(trace.text(reader, span.name));
          const bool generates =
              trace::category_of(owner.role, name) == trace::Category::tiny_codegen;
          const bool is_better =
              !links.compiled || (generates && !is_codegen) ||
              (generates == is_codegen && span.duration > links.compile_duration);
          if (!is_better) return;
          is_codegen = generates;
          links.compiled = TrackRecord{track, record};
          links.compile_start = span.start;
          links.compile_duration = span.duration;
        });
    if (!done) return links;
  }
  if (first_run) links.first_run = TrackRecord{first_run->track, first_run->record};
  links.complete = true;
  return links;
}

}  // namespace bytescope::query
