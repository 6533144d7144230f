#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/io/page_reader.h"
#include "core/query/search.h"

namespace bytescope::query {

/// The longest hits, up to a limit: longer ones first, of equals the earlier.
class LongestHits {
public:
  explicit LongestHits(std::size_t limit) : limit_(limit) {}
  /// Whether a hit of that duration can be among them.
  bool may_take(float duration) const {
    return heap_.size() < limit_ || (limit_ > 0 && duration >= heap_.front().duration);
  }
  void offer(const SearchHit& hit);
  void offer_all(const std::vector<SearchHit>& hits);
  /// In no order.
  const std::vector<SearchHit>& hits() const { return heap_; }
  /// Longest first, each once.
  std::vector<SearchHit> sorted() const;

private:
  std::size_t limit_;
  std::vector<SearchHit> heap_;  ///< The least one in front.
};

/// Whether `a` comes before `b` in the order of time.
bool is_earlier(const SearchHit& a, const SearchHit& b);

/// The first record of a track that does not come before `place`. Reads a page for each halving of
/// the track down to a page.
std::uint32_t first_record_from(const trace::Trace& trace, io::PageReader& reader,
                                std::uint32_t track, const SearchHit& place);

/// What one search asks of each span; shared by all threads.
class SpanTest {
public:
  /// Both must outlive it.
  SpanTest(const SearchTerms& terms, const StringMatches& strings);

  /// Whether some term matches no string at all, so that nothing can hit.
  bool is_hopeless() const { return is_hopeless_; }
  /// Which of the `count` (at most 64) records at `bytes` hit, a bit each. Any bytes are safe.
  std::uint64_t hits(const bytepack::SpanLayout& layout, const std::byte* bytes,
                     std::uint32_t count) const;

private:
  std::uint64_t text_hits(bytepack::SpanLayout at, const std::byte* bytes,
                          std::uint32_t count) const;
  std::uint64_t duration_hits(bytepack::SpanLayout at, const std::byte* bytes,
                              std::uint32_t count) const;

  const SearchTerms& terms_;
  const std::uint8_t* strings_;
  std::uint32_t limit_;
  unsigned by_name_ = 0;
  unsigned by_info_ = 0;
  unsigned all_ = 0;
  bool is_hopeless_ = false;
};

/// A part of a track to be searched.
struct PiecePlace {
  std::uint32_t track = 0;
  std::uint32_t piece = 0;  ///< Records from piece × SearchPiece::records on.
};

/// Searches the pieces of one trace's tracks; for one thread.
class PieceSearch {
public:
  PieceSearch(const trace::Trace& trace, const SpanTest& test)
      : trace_(trace), test_(test), reader_(trace.file, 4) {}

  /// Reads all records of the piece, or only those that hit in `known` where that is not null.
  std::shared_ptr<const SearchPiece> search(PiecePlace place, const SearchPiece* known,
                                            LongestHits& longest);

private:
  void search_all(PiecePlace place, SearchPiece& piece, LongestHits& longest);
  void search_known(PiecePlace place, const SearchPiece& known, SearchPiece& piece,
                    LongestHits& longest);
  void take_word(PiecePlace place, std::uint32_t word, std::uint64_t bits, const std::byte* bytes,
                 SearchPiece& piece, LongestHits& longest);

  const trace::Trace& trace_;
  const SpanTest& test_;
  io::PageReader reader_;
};

/// A piece of which just these hits are known, ascending by record.
std::shared_ptr<const SearchPiece> early_piece(const trace::Trace& trace, PiecePlace place,
                                               const std::vector<SearchHit>& hits);

}  // namespace bytescope::query
