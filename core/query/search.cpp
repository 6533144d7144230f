#include "core/query/search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "core/query/search_pieces.h"
#include "core/query/threads.h"
#include "core/trace/ansi.h"

// A search goes from the cheap to the dear. Names are few, and the index knows the longest span of
// each: so the first hits stand there within milliseconds. Then every string is matched once, and
// last all records are read, whose names and infos are now a look into a table each.

namespace bytescope::query {
namespace {

using Clock = std::chrono::steady_clock;

/// So many names are looked at for the first hits, and so many of these are shown.
constexpr std::size_t most_early_names = 5000;
constexpr std::size_t most_early_hits = 100;
constexpr std::chrono::milliseconds publish_interval{50};
/// Publishing takes at most about this part of the time.
constexpr int publish_share = 10;

std::uint8_t bits_of(const std::vector<TextTerm>& texts, bool (*wanted)(SearchField)) {
  unsigned bits = 0;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    if (wanted(texts[t].field)) bits |= 1U << t;
  }
  return static_cast<std::uint8_t>(bits);
}

bool looks_at_names(SearchField field) { return field != SearchField::info; }

/// One run.
class Run {
public:
  Run(const SearchRequest& request, const Cancel& cancel, const PublishSearch& publish,
      Progress* progress)
      : request_(request),
        trace_(*request.trace),
        terms_(request.terms),
        cancel_(cancel),
        publish_(publish),
        progress_(progress),
        longest_(request.listed) {
    result_.trace = request.trace;
    result_.terms = request.terms;
    result_.tracks.resize(trace_.tracks.size());
    if (is_narrower()) known_ = request.known.get();
  }

  std::shared_ptr<const SearchResult> run() {
    list_places();
    find_markers();
    find_early_hits();
    if (result_.hits() > 0) publish();
    const std::shared_ptr<const StringMatches> strings = match_all_strings();
    if (!strings) return nullptr;
    result_.strings = strings;
    const SpanTest test(terms_, *strings);
    const bool done = run_on_threads(
        std::max(request_.threads, 1U), [&](unsigned thread) { search_pieces(test, thread == 0); },
        progress_);
    if (!done || cancel_.requested()) return nullptr;
    result_.complete = true;
    return publish();
  }

private:
  /// Whether only the hits of the earlier search need to be looked at.
  bool is_narrower() const {
    return request_.known && request_.known->trace == request_.trace &&
           terms_.narrows(request_.known->terms);
  }

  /// The pieces of all tracks that may have hits, in the order of time.
  void list_places() {
    io::PageReader reader(request_.trace->file, 4);
    std::vector<std::pair<std::uint32_t, PiecePlace>> places;
    for (std::uint32_t track = 0; track < trace_.tracks.size(); ++track) {
      const bytepack::TrackHead& head = trace_.tracks[track].head;
      const bool is_asked = head.kind == bytepack::TrackKind::spans && !terms_.empty() &&
                            terms_.track_fits(head.name);
      if (!is_asked) continue;
      result_.tracks[track] = TrackHits(head.count);
      result_.records_total += head.count;
      const auto pieces = static_cast<std::uint32_t>(result_.tracks[track].pieces().size());
      for (std::uint32_t piece = 0; piece < pieces; ++piece) {
        const std::uint32_t start = trace_.span(reader, track, piece * SearchPiece::records).start;
        places.push_back({start, {track, piece}});
      }
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& place : places) places_.push_back(place.second);
    if (progress_ != nullptr)
      progress_->events_total = result_.records_total + trace_.index->strings.size();
  }

  void find_markers() {
    const bool is_of_spans =
        !terms_.tracks.empty() || terms_.limits_duration ||
        std::any_of(terms_.texts.begin(), terms_.texts.end(),
                    [](const TextTerm& term) { return term.field == SearchField::info; });
    if (is_of_spans || terms_.texts.empty()) return;
    TextMatcher matcher(terms_.texts);
    const std::uint8_t all = bits_of(terms_.texts, looks_at_names);
    const std::vector<bytepack::FileMarker>& markers = trace_.index->markers;
    for (std::uint32_t i = 0; i < markers.size(); ++i) {
      if (!markers[i].time_us || !markers[i].name || !std::isfinite(*markers[i].time_us)) continue;
      if (matcher.matches(*markers[i].name, all) != all) continue;
      constexpr double furthest_us = 1e14;
      const double us = std::clamp(*markers[i].time_us, -furthest_us, furthest_us);
      result_.markers.push_back({std::llround(us * 1e3), SearchHit::marker, i, 0});
    }
    std::sort(result_.markers.begin(), result_.markers.end(), is_earlier);
  }

  /// Whether the name alone fulfils all texts; names are asked for again in each track.
  bool name_fits(std::uint32_t name) {
    const auto [known, is_new] = early_names_.try_emplace(name, false);
    if (is_new) known->second = matcher_->matches(trace_.text(*reader_, name), all_) == all_;
    return known->second;
  }

  /// The longest span of each name that matches.
  void find_early_hits() {
    all_ = bits_of(terms_.texts, [](SearchField) { return true; });
    if (bits_of(terms_.texts, looks_at_names) != all_) return;
    reader_.emplace(request_.trace->file, 16);
    matcher_.emplace(terms_.texts);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<SearchHit>> by_piece;
    std::size_t hits = 0;
    for (std::uint32_t track = 0; track < result_.tracks.size(); ++track) {
      const auto& spans = trace_.tracks[track].spans;
      if (result_.tracks[track].pieces().empty() || !spans || spans->sampled) continue;
      for (const trace::NameTotal& name : spans->names) {
        if (early_names_.size() >= most_early_names || hits >= most_early_hits) break;
        const double longest_ns = static_cast<double>(name.longest) * 1000;
        const bool fits = !terms_.limits_duration || terms_.duration_fits(longest_ns);
        if (!fits || name.longest_record >= trace_.tracks[track].head.count ||
            !name_fits(name.name))
          continue;
        const std::uint32_t record = name.longest_record;
        const std::uint32_t start = trace_.span(*reader_, track, record).start;
        by_piece[{track, record / SearchPiece::records}].push_back(
            {trace::ns_from_unit(start), track, record, name.longest});
        ++hits;
      }
    }
    for (auto& [place, found] : by_piece) {
      std::sort(found.begin(), found.end(),
                [](const SearchHit& a, const SearchHit& b) { return a.record < b.record; });
      early_.insert(early_.end(), found.begin(), found.end());
      set_piece({place.first, place.second},
                early_piece(trace_, {place.first, place.second}, found));
    }
  }

  std::shared_ptr<const StringMatches> match_all_strings() {
    KnownStrings known;
    const auto& earlier = request_.known;
    if (earlier && earlier->trace == request_.trace && earlier->strings)
      known = {&earlier->terms.texts, earlier->strings.get()};
    return match_strings(trace_, terms_.texts, known, std::max(request_.threads, 1U), cancel_,
                         progress_);
  }

  void set_piece(PiecePlace place, std::shared_ptr<const SearchPiece> piece) {
    TrackHits& track = result_.tracks[place.track];
    result_.span_hits -= track.count();
    track.set_piece(place.piece, std::move(piece));
    result_.span_hits += track.count();
  }

  const SearchPiece* known_piece(PiecePlace place) const {
    if (known_ == nullptr) return nullptr;
    const auto& pieces = known_->tracks[place.track].pieces();
    const bool is_known =
        place.piece < pieces.size() && pieces[place.piece] && pieces[place.piece]->searched;
    return is_known ? pieces[place.piece].get() : nullptr;
  }

  void search_pieces(const SpanTest& test, bool publishes) {
    PieceSearch search(trace_, test);
    for (;;) {
      PiecePlace place;
      {
        const std::scoped_lock lock(mutex_);
        if (next_place_ == places_.size() || cancel_.requested()) break;
        place = places_[next_place_++];
      }
      LongestHits longest(request_.listed);
      const std::shared_ptr<const SearchPiece> piece =
          search.search(place, known_piece(place), longest);
      const std::uint32_t records =
          std::min(trace_.tracks[place.track].head.count - place.piece * SearchPiece::records,
                   SearchPiece::records);
      if (progress_ != nullptr) progress_->events_done += records;
      {
        const std::scoped_lock lock(mutex_);
        set_piece(place, piece);
        result_.records_searched += records;
        longest_.offer_all(longest.hits());
      }
      if (publishes && is_time_to_publish()) publish();
    }
  }

  bool is_time_to_publish() {
    const std::scoped_lock lock(mutex_);
    const bool is_first = !published_ && result_.span_hits > 0;
    return is_first || Clock::now() >= next_publication_;
  }

  std::shared_ptr<const SearchResult> publish() {
    const Clock::time_point begin = Clock::now();
    auto snapshot = std::make_shared<SearchResult>();
    {
      const std::scoped_lock lock(mutex_);
      *snapshot = result_;
      LongestHits longest = longest_;
      // Later they are found again.
      if (!result_.complete) longest.offer_all(early_);
      snapshot->by_duration = longest.sorted();
    }
    io::PageReader reader(request_.trace->file, 64);
    snapshot->by_time = first_hits(*snapshot, reader, request_.listed);
    if (cancel_.requested()) return nullptr;
    published_ = true;
    const Clock::time_point end = Clock::now();
    next_publication_ =
        end + std::max<Clock::duration>(publish_interval, (end - begin) * publish_share);
    if (publish_) publish_(snapshot);
    return snapshot;
  }

  const SearchRequest& request_;
  const trace::Trace& trace_;
  const SearchTerms& terms_;
  const Cancel& cancel_;
  const PublishSearch& publish_;
  Progress* progress_;
  const SearchResult* known_ = nullptr;
  std::vector<PiecePlace> places_;

  std::optional<io::PageReader> reader_;
  std::optional<TextMatcher> matcher_;
  std::uint8_t all_ = 0;
  std::unordered_map<std::uint32_t, bool> early_names_;
  std::vector<SearchHit> early_;

  std::mutex mutex_;  ///< Guards what follows, once there are several threads.
  std::size_t next_place_ = 0;
  SearchResult result_;
  LongestHits longest_;
  bool published_ = false;
  Clock::time_point next_publication_{};
};

}  // namespace

std::shared_ptr<const SearchResult> run_search(const SearchRequest& request, const Cancel& cancel,
                                               const PublishSearch& publish, Progress* progress) {
  return Run(request, cancel, publish, progress).run();
}

}  // namespace bytescope::query
