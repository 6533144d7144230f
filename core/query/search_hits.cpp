#include <algorithm>
#include <bit>

#include "core/query/search.h"
#include "core/query/search_pieces.h"

// Moving among the hits of a search in the order of time.

namespace bytescope::query {
namespace {

/// The first set bit at or behind `i`, or the number of bits.
std::size_t next_bit(const std::vector<std::uint64_t>& bits, std::size_t i) {
  std::size_t word = i / SearchPiece::word_records;
  if (word >= bits.size()) return bits.size() * SearchPiece::word_records;
  std::uint64_t rest = bits[word] >> (i % SearchPiece::word_records);
  if (rest != 0) return i + static_cast<std::size_t>(std::countr_zero(rest));
  while (++word < bits.size()) {
    rest = bits[word];
    if (rest != 0)
      return word * SearchPiece::word_records + static_cast<std::size_t>(std::countr_zero(rest));
  }
  return bits.size() * SearchPiece::word_records;
}

/// The hit of a record.
SearchHit hit_of(const SearchResult& result, io::PageReader& reader, std::uint32_t track,
                 std::uint32_t record) {
  const bytepack::SpanRecord span = result.trace->span(reader, track, record);
  return {trace::ns_from_unit(span.start), track, record, span.duration};
}

/// The first hit of a track from `place` on (that one included), in the order of time.
std::optional<SearchHit> first_from(const SearchResult& result, io::PageReader& reader,
                                    std::uint32_t track, const SearchHit& place) {
  const TrackHits& hits = result.tracks[track];
  const std::optional<std::uint32_t> record =
      hits.at_or_after(first_record_from(*result.trace, reader, track, place));
  if (!record) return std::nullopt;
  return hit_of(result, reader, track, *record);
}

/// The last hit of a track before `place`.
std::optional<SearchHit> last_before(const SearchResult& result, io::PageReader& reader,
                                     std::uint32_t track, const SearchHit& place) {
  const std::optional<std::uint32_t> record =
      result.tracks[track].before(first_record_from(*result.trace, reader, track, place));
  if (!record) return std::nullopt;
  return hit_of(result, reader, track, *record);
}

/// The first hit of all from `place` on, that one included.
std::optional<SearchHit> first_of_all(const SearchResult& result, io::PageReader& reader,
                                      const SearchHit& place) {
  std::optional<SearchHit> best;
  const auto offer = [&best](const SearchHit& hit) {
    if (!best || is_earlier(hit, *best)) best = hit;
  };
  for (std::uint32_t track = 0; track < result.tracks.size(); ++track) {
    if (result.tracks[track].count() == 0) continue;
    if (const auto hit = first_from(result, reader, track, place)) offer(*hit);
  }
  const auto marker =
      std::lower_bound(result.markers.begin(), result.markers.end(), place, is_earlier);
  if (marker != result.markers.end()) offer(*marker);
  return best;
}

/// The last hit of all before `place`.
std::optional<SearchHit> last_of_all(const SearchResult& result, io::PageReader& reader,
                                     const SearchHit& place) {
  std::optional<SearchHit> best;
  const auto offer = [&best](const SearchHit& hit) {
    if (!best || is_earlier(*best, hit)) best = hit;
  };
  for (std::uint32_t track = 0; track < result.tracks.size(); ++track) {
    if (result.tracks[track].count() == 0) continue;
    if (const auto hit = last_before(result, reader, track, place)) offer(*hit);
  }
  const auto marker =
      std::lower_bound(result.markers.begin(), result.markers.end(), place, is_earlier);
  if (marker != result.markers.begin()) offer(*(marker - 1));
  return best;
}

bool is_later(const SearchHit& a, const SearchHit& b) { return is_earlier(b, a); }

/// Just behind a place.
SearchHit behind(SearchHit place) {
  if (place.record != UINT32_MAX) {
    ++place.record;
  } else if (place.track != UINT32_MAX) {
    ++place.track;
    place.record = 0;
  } else {
    ++place.start_ns;
    place.track = place.record = 0;
  }
  return place;
}

}  // namespace

TrackHits::TrackHits(std::uint32_t record_count)
    : pieces_((std::size_t{record_count} + SearchPiece::records - 1) / SearchPiece::records) {}

void TrackHits::set_piece(std::size_t place, std::shared_ptr<const SearchPiece> piece) {
  if (pieces_[place]) count_ -= pieces_[place]->hits;
  count_ += piece ? piece->hits : 0;
  pieces_[place] = std::move(piece);
}

bool TrackHits::contains(std::uint32_t record) const {
  const std::size_t place = record / SearchPiece::records;
  if (place >= pieces_.size() || !pieces_[place] || pieces_[place]->hits == 0) return false;
  const std::vector<std::uint64_t>& bits = pieces_[place]->bits;
  const std::uint32_t inside = record % SearchPiece::records;
  const std::size_t word = inside / SearchPiece::word_records;
  return word < bits.size() && (bits[word] >> (inside % SearchPiece::word_records) & 1U) != 0;
}

std::optional<std::uint32_t> TrackHits::at_or_after(std::uint32_t record) const {
  std::size_t inside = record % SearchPiece::records;
  for (std::size_t place = record / SearchPiece::records; place < pieces_.size(); ++place) {
    if (pieces_[place] && pieces_[place]->hits > 0) {
      const std::size_t found = next_bit(pieces_[place]->bits, inside);
      if (found < pieces_[place]->bits.size() * SearchPiece::word_records)
        return static_cast<std::uint32_t>(place * SearchPiece::records + found);
    }
    inside = 0;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> TrackHits::before(std::uint32_t record) const {
  std::size_t place = std::min<std::size_t>(record / SearchPiece::records, pieces_.size());
  std::size_t end = place < pieces_.size() ? record % SearchPiece::records : 0;
  for (;;) {
    if (end > 0 && pieces_[place] && pieces_[place]->hits > 0) {
      const std::vector<std::uint64_t>& bits = pieces_[place]->bits;
      end = std::min(end, bits.size() * SearchPiece::word_records);
      for (std::size_t word = (end - 1) / SearchPiece::word_records + 1; word-- > 0;) {
        std::uint64_t rest = bits[word];
        const std::size_t above = end - word * SearchPiece::word_records;
        if (above < SearchPiece::word_records) rest &= (std::uint64_t{1} << above) - 1;
        if (rest == 0) continue;
        const auto highest = 63U - static_cast<std::uint32_t>(std::countl_zero(rest));
        return static_cast<std::uint32_t>(place * SearchPiece::records +
                                          word * SearchPiece::word_records) +
               highest;
      }
    }
    if (place == 0) return std::nullopt;
    --place;
    end = SearchPiece::records;
  }
}

std::uint64_t TrackHits::rank(std::uint32_t record) const {
  const std::size_t place = record / SearchPiece::records;
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < std::min(place, pieces_.size()); ++i)
    rank += pieces_[i] ? pieces_[i]->hits : 0;
  if (place >= pieces_.size() || !pieces_[place] || pieces_[place]->hits == 0) return rank;
  const SearchPiece& piece = *pieces_[place];
  const std::uint32_t inside = record % SearchPiece::records;
  if (inside / SearchPiece::word_records >= piece.bits.size()) return rank + piece.hits;
  const std::uint32_t group = inside / SearchPiece::records_per_group;
  rank += piece.groups[group].hits_before;
  constexpr std::uint32_t words = SearchPiece::records_per_group / SearchPiece::word_records;
  for (std::uint32_t word = group * words; word < inside / SearchPiece::word_records; ++word)
    rank += static_cast<std::uint64_t>(std::popcount(piece.bits[word]));
  const std::uint64_t below = (std::uint64_t{1} << (inside % SearchPiece::word_records)) - 1;
  return rank + static_cast<std::uint64_t>(
                    std::popcount(piece.bits[inside / SearchPiece::word_records] & below));
}

std::uint32_t first_record_from(const trace::Trace& trace, io::PageReader& reader,
                                std::uint32_t track, const SearchHit& place) {
  std::uint32_t begin = 0;
  for (std::uint32_t size = trace.tracks[track].head.count; size != 0;) {
    const std::uint32_t half = size / 2;
    const std::uint32_t record = begin + half;
    const std::int64_t start = trace::ns_from_unit(trace.span(reader, track, record).start);
    if (is_earlier({start, track, record, 0}, place)) {
      begin += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  return begin;
}

HitsInOrder::HitsInOrder(const SearchResult& result, io::PageReader& reader)
    : result_(result), reader_(reader) {
  for (std::uint32_t track = 0; track < result.tracks.size(); ++track) push(track, 0);
}

void HitsInOrder::push(std::uint32_t track, std::uint32_t from_record) {
  const std::optional<std::uint32_t> record = result_.tracks[track].at_or_after(from_record);
  if (!record) return;
  heap_.push_back(hit_of(result_, reader_, track, *record));
  std::push_heap(heap_.begin(), heap_.end(), is_later);
}

std::optional<SearchHit> HitsInOrder::next() {
  const bool has_marker = marker_ < result_.markers.size();
  if (has_marker && (heap_.empty() || is_earlier(result_.markers[marker_], heap_.front())))
    return result_.markers[marker_++];
  if (heap_.empty()) return std::nullopt;
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  const SearchHit hit = heap_.back();
  heap_.pop_back();
  push(hit.track, hit.record + 1);
  return hit;
}

std::vector<SearchHit> first_hits(const SearchResult& result, io::PageReader& reader,
                                  std::size_t limit) {
  std::vector<SearchHit> hits;
  HitsInOrder walk(result, reader);
  while (hits.size() < limit) {
    const std::optional<SearchHit> hit = walk.next();
    if (!hit) break;
    hits.push_back(*hit);
  }
  return hits;
}

std::optional<SearchHit> hit_at_or_after(const SearchResult& result, io::PageReader& reader,
                                         std::int64_t time_ns) {
  return first_of_all(result, reader, {time_ns, 0, 0, 0});
}

std::optional<SearchHit> hit_before(const SearchResult& result, io::PageReader& reader,
                                    std::int64_t time_ns) {
  return last_of_all(result, reader, {time_ns, 0, 0, 0});
}

std::optional<SearchHit> next_hit(const SearchResult& result, io::PageReader& reader,
                                  const SearchHit& from) {
  return first_of_all(result, reader, behind(from));
}

std::optional<SearchHit> previous_hit(const SearchResult& result, io::PageReader& reader,
                                      const SearchHit& from) {
  return last_of_all(result, reader, from);
}

std::uint64_t hits_before(const SearchResult& result, io::PageReader& reader,
                          const SearchHit& from) {
  const auto marker =
      std::lower_bound(result.markers.begin(), result.markers.end(), from, is_earlier);
  auto count = static_cast<std::uint64_t>(marker - result.markers.begin());
  for (std::uint32_t track = 0; track < result.tracks.size(); ++track) {
    if (result.tracks[track].count() == 0) continue;
    count += result.tracks[track].rank(first_record_from(*result.trace, reader, track, from));
  }
  return count;
}

}  // namespace bytescope::query
