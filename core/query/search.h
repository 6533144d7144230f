#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/cancel.h"
#include "core/query/search_strings.h"
#include "core/query/search_terms.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// A span or a marker that fulfils the terms, in the order of time: by start, then track, then
/// record; markers behind the spans of the same time.
struct SearchHit {
  /// Stands for the track of a marker, whose number in the file's list is `record`.
  static constexpr std::uint32_t marker = UINT32_MAX;
  std::int64_t start_ns = 0;
  std::uint32_t track = 0;
  std::uint32_t record = 0;
  float duration = 0;  ///< In the trace's unit; 0 for markers.
  bool is_marker() const { return track == marker; }
  bool operator==(const SearchHit&) const = default;
};

/// The hits among SearchPiece::records neighbouring records of a track, a bit a record. Immutable.
struct SearchPiece {
  static constexpr std::uint32_t records = 1 << 18;
  static constexpr std::uint32_t records_per_group = 256;
  static constexpr std::uint32_t word_records = 64;  ///< A word of bits.

  /// When the hits of records_per_group records begin, in the trace's unit.
  struct Group {
    std::uint32_t first_start = 0;
    std::uint32_t last_start = 0;
    std::uint32_t hits_before = 0;  ///< In the groups before it in this piece.
  };

  std::vector<std::uint64_t> bits;  ///< Bit i % 64 of word i / 64; empty where nothing hits.
  std::vector<Group> groups;        ///< Empty where nothing hits.
  std::uint32_t hits = 0;
  bool searched = false;  ///< Else only a few early hits are known.
};

/// The hits of one span track. All functions cost O(1) but where they say more.
class TrackHits {
public:
  TrackHits() = default;
  explicit TrackHits(std::uint32_t record_count);

  std::uint64_t count() const { return count_; }
  bool contains(std::uint32_t record) const;
  /// The first hit at or behind `record`. Costs O(records in between / 64).
  std::optional<std::uint32_t> at_or_after(std::uint32_t record) const;
  /// The last hit before `record`. Costs O(records in between / 64).
  std::optional<std::uint32_t> before(std::uint32_t record) const;
  /// How many hits lie before `record`. Costs O(pieces).
  std::uint64_t rank(std::uint32_t record) const;

  const std::vector<std::shared_ptr<const SearchPiece>>& pieces() const { return pieces_; }
  void set_piece(std::size_t place, std::shared_ptr<const SearchPiece> piece);

private:
  std::vector<std::shared_ptr<const SearchPiece>> pieces_;  ///< Null where not searched yet.
  std::uint64_t count_ = 0;
};

/// What a search has found so far, or in the end. Immutable once published. Memory: 1 bit for each
/// span and 1 byte for each string at most.
struct SearchResult {
  std::shared_ptr<const trace::Trace> trace;
  SearchTerms terms;
  std::vector<TrackHits> tracks;   ///< One each track of the trace; only spans have hits.
  std::vector<SearchHit> markers;  ///< By time; markers without a time have none and are left out.
  std::vector<SearchHit> by_time;  ///< The first of all hits, markers included.
  std::vector<SearchHit> by_duration;  ///< The longest spans first; of equals the earlier.
  std::uint64_t span_hits = 0;
  std::uint64_t records_searched = 0;
  std::uint64_t records_total = 0;  ///< Of tracks that the terms allow.
  bool complete = false;            ///< Everything was searched.
  std::shared_ptr<const StringMatches>
      strings;  ///< For narrower searches; null until all are known.

  std::uint64_t hits() const { return span_hits + markers.size(); }
  bool contains(std::uint32_t track, std::uint32_t record) const {
    return track < tracks.size() && tracks[track].contains(record);
  }
};

/// What to search for, and how.
struct SearchRequest {
  std::shared_ptr<const trace::Trace> trace;
  SearchTerms terms;
  /// An earlier result for the same trace: when the terms narrow it, only its hits are looked at.
  std::shared_ptr<const SearchResult> known;
  std::size_t listed = 1000;  ///< So many hits are listed by time and by duration.
  unsigned threads = 2;
};

/// Called with what was found so far: soon after the beginning with a few hits, then about every
/// 50 ms, at last with the complete result. From the thread that called run_search().
using PublishSearch = std::function<void(std::shared_ptr<const SearchResult>)>;

/// Searches the whole trace: names (without colour codes) and infos in one pass over the strings,
/// then the spans' records, in pieces in the order of time. Answers the complete result, which was
/// published too, or null when cancelled. Fits LatestWorker. Costs two or three times reading the
/// file once, narrowing a search far less. Spans of a trace whose indexes are not complete yet are
/// found all the same, only later. `progress` gets events and bytes.
std::shared_ptr<const SearchResult> run_search(const SearchRequest& request, const Cancel& cancel,
                                               const PublishSearch& publish,
                                               Progress* progress = nullptr);

/// Walks over all hits in the order of time, markers included. Reads the page of each hit; a reader
/// with a page for each track is quick.
class HitsInOrder {
public:
  /// Both must outlive it.
  HitsInOrder(const SearchResult& result, io::PageReader& reader);
  /// The next hit; none behind the last.
  std::optional<SearchHit> next();

private:
  void push(std::uint32_t track, std::uint32_t from_record);

  const SearchResult& result_;
  io::PageReader& reader_;
  std::vector<SearchHit> heap_;  ///< The next of each track, the earliest in front.
  std::size_t marker_ = 0;
};

/// The first `limit` hits in the order of time, markers included.
std::vector<SearchHit> first_hits(const SearchResult& result, io::PageReader& reader,
                                  std::size_t limit);

/// The first hit that begins at or behind `time_ns`, over the whole trace; markers included. Reads
/// a few pages a track.
std::optional<SearchHit> hit_at_or_after(const SearchResult& result, io::PageReader& reader,
                                         std::int64_t time_ns);
/// The last hit that begins before `time_ns`.
std::optional<SearchHit> hit_before(const SearchResult& result, io::PageReader& reader,
                                    std::int64_t time_ns);
/// The neighbours of a place in the order of time, which need not be a hit itself; `from` is not
/// answered. None behind the last or before the first: wrapping around is for the caller.
std::optional<SearchHit> next_hit(const SearchResult& result, io::PageReader& reader,
                                  const SearchHit& from);
std::optional<SearchHit> previous_hit(const SearchResult& result, io::PageReader& reader,
                                      const SearchHit& from);
/// How many hits lie before `from` in that order: "17 of 230". Reads a few pages a track.
std::uint64_t hits_before(const SearchResult& result, io::PageReader& reader,
                          const SearchHit& from);

}  // namespace bytescope::query
