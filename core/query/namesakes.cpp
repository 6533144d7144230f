#include <algorithm>
#include <map>

#include "core/query/links.h"
#include "core/query/search_pieces.h"
#include "core/query/span_scan.h"
#include "core/trace/ansi.h"

// Spans that have a name or a program in common.

namespace bytescope::query {

namespace {

/// Tells which strings are one plain name, each asked once.
class NameFamily {
public:
  NameFamily(const trace::Trace& trace, std::uint32_t name)
      : trace_(trace),
        reader_(trace.file, 16),
        plain_(trace::plain_text(trace.text(reader_, name))),
        known_{{name, true}} {}

  bool has(std::uint32_t id) {
    const auto [at, is_new] = known_.try_emplace(id, false);
    if (is_new) at->second = trace::plain_text(trace_.text(reader_, id)) == plain_;
    return at->second;
  }

private:
  const trace::Trace& trace_;
  io::PageReader reader_;
  std::string plain_;
  std::map<std::uint32_t, bool> known_;
};

}  // namespace

Namesakes namesakes_of(const trace::Trace& trace, std::uint32_t name, const Cancel& cancel) {
  NameFamily family(trace, name);
  Namesakes found;
  found.ids.push_back(name);
  for (std::uint32_t track = 0; track < trace.tracks.size(); ++track) {
    const auto& spans = trace.tracks[track].spans;
    if (!spans) continue;
    if (spans->sampled) return found;
    bool has_name = false;
    for (const trace::NameTotal& total : spans->names) {
      if (cancel.requested()) return found;
      if (!family.has(total.name)) continue;
      has_name = true;
      if (!found.has(total.name)) found.ids.push_back(total.name);
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

/// The rank of a duration among those that it meets.
class Ranking {
public:
  explicit Ranking(float duration) : duration_(duration) {}

  void add(const SearchHit& here) {
    ++rank_.total;
    rank_.longer += here.duration > duration_ ? 1 : 0;
    rank_.equal += here.duration == duration_ ? 1 : 0;
    const auto is_first = [&here](const SearchHit& other) {
      return here.duration == other.duration && is_earlier(here, other);
    };
    if (!longest_ || here.duration > longest_->duration || is_first(*longest_)) longest_ = here;
    if (!shortest_ || here.duration < shortest_->duration || is_first(*shortest_)) shortest_ = here;
  }

  NamesakeRank rank() const {
    NamesakeRank rank = rank_;
    if (longest_) rank.longest = {longest_->track, longest_->record};
    if (shortest_) rank.shortest = {shortest_->track, shortest_->record};
    return rank;
  }

private:
  float duration_;
  NamesakeRank rank_;
  std::optional<SearchHit> longest_;
  std::optional<SearchHit> shortest_;
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
  Ranking ranking(span.duration);
  const bytepack::SpanLayout& layout = trace.dialect->span;
  for (const std::uint32_t one : names.tracks) {
    const bool done =
        for_each_span(trace, one, 0, trace.tracks[one].head.count, cancel,
                      [&](std::uint32_t i, const std::byte* bytes) {
                        if (!names.has(bytepack::load<std::uint32_t>(bytes + layout.name))) return;
                        const auto start = bytepack::load<std::uint32_t>(bytes + layout.start);
                        const auto duration = bytepack::load<float>(bytes + layout.duration);
                        ranking.add({trace::ns_from_unit(start), one, i, duration});
                      });
    if (!done) return std::nullopt;
  }
  return ranking.rank();
}

namespace {

/// Whether `hit` is nearer than `best` to where both are looked for from.
bool is_nearer(const std::optional<SearchHit>& hit, const std::optional<SearchHit>& best,
               int step) {
  if (!hit || !best) return hit.has_value();
  return step > 0 ? is_earlier(*hit, *best) : is_earlier(*best, *hit);
}

/// Lets all walks look at a portion more; false when all of them are done.
bool look_on(std::vector<Outward>& walks, io::PageReader& reader, const Namesakes& names,
             std::uint32_t portion, int step, std::optional<SearchHit>& best) {
  bool goes_on = false;
  for (Outward& walk : walks) {
    if (walk.is_done()) continue;
    walk.look(reader, names, portion, best);
    if (is_nearer(walk.found(), best, step)) best = walk.found();
    goes_on = goes_on || !walk.is_done();
  }
  return goes_on;
}

}  // namespace

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
  while (look_on(walks, reader, names, portion, step, best)) {
    if (cancel.requested()) return std::nullopt;
    portion = std::min(portion * 2, most_portion);
  }
  if (!best) return std::nullopt;
  return TrackRecord{best->track, best->record};
}

namespace {

/// Gathers the spans of one program.
class ProgramSearch {
public:
  explicit ProgramSearch(const trace::Trace& trace) : trace_(trace), reader_(trace.file, 4) {}

  void add_run(std::uint32_t track, std::uint32_t record, const bytepack::SpanRecord& span) {
    ++links_.runs;
    const SearchHit here{trace::ns_from_unit(span.start), track, record, span.duration};
    if (!first_run_ || is_earlier(here, *first_run_)) first_run_ = here;
  }

  void add_compilation(std::uint32_t track, std::uint32_t record,
                       const bytepack::SpanRecord& span) {
    const std::string name = trace::plain_text(trace_.text(reader_, span.name));
    // A schedule has a ref, too, but compiles nothing.
    if (trace::category_of(trace::TrackRole::tiny, name) != trace::Category::tiny_codegen) return;
    if (links_.compiled && span.duration <= links_.compile_duration) return;
    links_.compiled = TrackRecord{track, record};
    links_.compile_start = span.start;
    links_.compile_duration = span.duration;
  }

  ProgramLinks links(bool complete) const {
    ProgramLinks links = links_;
    if (first_run_ && complete)
      links.first_run = TrackRecord{first_run_->track, first_run_->record};
    links.complete = complete;
    return links;
  }

private:
  const trace::Trace& trace_;
  io::PageReader reader_;
  ProgramLinks links_;
  std::optional<SearchHit> first_run_;
};

}  // namespace

ProgramLinks program_links(const trace::Trace& trace, std::uint32_t ref, const Cancel& cancel) {
  const bytepack::SpanLayout& layout = trace.dialect->span;
  ProgramSearch search(trace);
  for (std::uint32_t track = 0; track < trace.tracks.size(); ++track) {
    const trace::Track& owner = trace.tracks[track];
    const bool compiles = owner.role == trace::TrackRole::tiny;
    const bool runs = owner.role == trace::TrackRole::device;
    if (owner.head.kind != bytepack::TrackKind::spans || (!compiles && !runs)) continue;
    const bool done =
        for_each_span(trace, track, 0, owner.head.count, cancel,
                      [&](std::uint32_t record, const std::byte* bytes) {
                        if (bytepack::load_optional<std::uint32_t>(bytes + layout.ref) != ref)
                          return;
                        const bytepack::SpanRecord span = bytepack::decode_span(layout, bytes);
                        compiles ? search.add_compilation(track, record, span)
                                 : search.add_run(track, record, span);
                      });
    if (!done) return search.links(/*complete=*/false);
  }
  return search.links(/*complete=*/true);
}

}  // namespace bytescope::query
