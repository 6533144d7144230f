#include "core/query/search_pieces.h"

#include <algorithm>
#include <bit>
#include <span>
#include <tuple>

#include "core/bytepack/records.h"
#include "core/io/piece_reader.h"

namespace bytescope::query {
namespace {

constexpr std::uint32_t word_records = SearchPiece::word_records;
constexpr std::uint32_t words_per_group = SearchPiece::records_per_group / word_records;

bool is_preferred(const SearchHit& a, const SearchHit& b) {
  return a.duration != b.duration ? a.duration > b.duration : is_earlier(a, b);
}

/// Makes room for the bits of `records` records.
void prepare(SearchPiece& piece, std::uint32_t records) {
  constexpr std::uint32_t group = SearchPiece::records_per_group;
  const std::size_t groups = (std::size_t{records} + group - 1) / group;
  piece.groups.resize(groups);
  piece.bits.resize(groups * words_per_group);
}

std::uint32_t records_of(const trace::Trace& trace, PiecePlace place) {
  const std::uint32_t first = place.piece * SearchPiece::records;
  return std::min(trace.tracks[place.track].head.count - first, SearchPiece::records);
}

/// Takes hits of one word into a prepared piece; words come in ascending order.
void add_word(SearchPiece& piece, std::uint32_t word, std::uint64_t bits, std::uint32_t first_start,
              std::uint32_t last_start) {
  SearchPiece::Group& group = piece.groups[word / words_per_group];
  const std::uint32_t first_word = word / words_per_group * words_per_group;
  const bool is_first = std::all_of(piece.bits.begin() + first_word, piece.bits.begin() + word,
                                    [](std::uint64_t earlier) { return earlier == 0; });
  if (is_first) group.first_start = first_start;
  group.last_start = last_start;
  piece.bits[word] = bits;
  piece.hits += static_cast<std::uint32_t>(std::popcount(bits));
}

void count_groups(SearchPiece& piece) {
  std::uint32_t hits = 0;
  for (std::size_t g = 0; g < piece.groups.size(); ++g) {
    piece.groups[g].hits_before = hits;
    for (std::size_t w = g * words_per_group; w < (g + 1) * words_per_group; ++w)
      hits += static_cast<std::uint32_t>(std::popcount(piece.bits[w]));
  }
}

}  // namespace

bool is_earlier(const SearchHit& a, const SearchHit& b) {
  return std::tie(a.start_ns, a.track, a.record) < std::tie(b.start_ns, b.track, b.record);
}

void LongestHits::offer(const SearchHit& hit) {
  if (limit_ == 0) return;
  if (heap_.size() == limit_) {
    if (!is_preferred(hit, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), is_preferred);
    heap_.pop_back();
  }
  heap_.push_back(hit);
  std::push_heap(heap_.begin(), heap_.end(), is_preferred);
}

void LongestHits::offer_all(const std::vector<SearchHit>& hits) {
  for (const SearchHit& hit : hits) {
    if (may_take(hit.duration)) offer(hit);
  }
}

std::vector<SearchHit> LongestHits::sorted() const {
  std::vector<SearchHit> hits = heap_;
  std::sort(hits.begin(), hits.end(), is_preferred);
  hits.erase(std::unique(hits.begin(), hits.end()), hits.end());
  return hits;
}

SpanTest::SpanTest(const SearchTerms& terms, const StringMatches& strings)
    : terms_(terms),
      strings_(strings.data()),
      limit_(static_cast<std::uint32_t>(strings.size() - 1)) {
  for (std::size_t t = 0; t < terms.texts.size(); ++t) {
    const unsigned bit = 1U << t;
    const SearchField field = terms.texts[t].field;
    all_ |= bit;
    if (field != SearchField::info) by_name_ |= bit;
    if (field != SearchField::name) by_info_ |= bit;
  }
  unsigned found = 0;
  for (const std::uint8_t matches : strings) found |= matches;
  is_hopeless_ = (found & all_) != all_;
}

std::uint64_t SpanTest::hits(const bytepack::SpanLayout& layout, const std::byte* bytes,
                             std::uint32_t count) const {
  std::uint64_t hits = ~std::uint64_t{0} >> (word_records - count);
  if (all_ != 0) hits = text_hits(layout, bytes, count);
  if (terms_.limits_duration && hits != 0) hits &= duration_hits(layout, bytes, count);
  return hits;
}

// Neither of the two has a branch for each record: which ones hit cannot be predicted. What they
// need is copied, so that no store can change it.

std::uint64_t SpanTest::text_hits(bytepack::SpanLayout at, const std::byte* bytes,
                                  std::uint32_t count) const {
  const std::uint8_t* const strings = strings_;
  const std::uint32_t limit = limit_;
  const unsigned by_name = by_name_;
  const unsigned by_info = by_info_;
  const unsigned all = all_;
  std::uint64_t hits = 0;
  for (std::uint32_t i = 0; i < count; ++i, bytes += at.stride) {
    const unsigned of_name =
        strings[std::min(bytepack::load<std::uint32_t>(bytes + at.name), limit)];
    const unsigned of_info =
        strings[std::min(bytepack::load<std::uint32_t>(bytes + at.info), limit)];
    hits |= std::uint64_t{((of_name & by_name) | (of_info & by_info)) == all} << i;
  }
  return hits;
}

std::uint64_t SpanTest::duration_hits(bytepack::SpanLayout at, const std::byte* bytes,
                                      std::uint32_t count) const {
  const double least_ns = terms_.least_ns;
  const double most_ns = terms_.most_ns;
  std::uint64_t hits = 0;
  for (std::uint32_t i = 0; i < count; ++i, bytes += at.stride) {
    const double ns = static_cast<double>(bytepack::load<float>(bytes + at.duration)) * 1000;
    hits |=
        std::uint64_t{static_cast<unsigned>(ns >= least_ns) & static_cast<unsigned>(ns <= most_ns)}
        << i;
  }
  return hits;
}

std::shared_ptr<const SearchPiece> PieceSearch::search(PiecePlace place, const SearchPiece* known,
                                                       LongestHits& longest) {
  auto piece = std::make_shared<SearchPiece>();
  if (test_.is_hopeless()) {
    // No record needs to be read.
  } else if (known == nullptr) {
    search_all(place, *piece, longest);
  } else if (known->hits > 0) {
    search_known(place, *known, *piece, longest);
  }
  count_groups(*piece);
  piece->searched = true;
  return piece;
}

void PieceSearch::take_word(PiecePlace place, std::uint32_t word, std::uint64_t bits,
                            const std::byte* bytes, SearchPiece& piece, LongestHits& longest) {
  const bytepack::SpanLayout at = trace_.dialect->span;
  const auto record = [&](int i) { return bytes + static_cast<std::size_t>(i) * at.stride; };
  const auto start = [&](int i) { return bytepack::load<std::uint32_t>(record(i) + at.start); };
  if (piece.bits.empty()) prepare(piece, records_of(trace_, place));
  add_word(piece, word, bits, start(std::countr_zero(bits)), start(63 - std::countl_zero(bits)));
  float most = 0;
  for (std::uint64_t rest = bits; rest != 0; rest &= rest - 1)
    most = std::max(most, bytepack::load<float>(record(std::countr_zero(rest)) + at.duration));
  if (!longest.may_take(most)) return;
  for (; bits != 0; bits &= bits - 1) {
    const int i = std::countr_zero(bits);
    const auto duration = bytepack::load<float>(record(i) + at.duration);
    if (!longest.may_take(duration)) continue;
    const std::uint32_t number =
        place.piece * SearchPiece::records + word * word_records + static_cast<std::uint32_t>(i);
    longest.offer({trace::ns_from_unit(start(i)), place.track, number, duration});
  }
}

void PieceSearch::search_all(PiecePlace place, SearchPiece& piece, LongestHits& longest) {
  const bytepack::TrackHead& head = trace_.tracks[place.track].head;
  const bytepack::SpanLayout& layout = trace_.dialect->span;
  const std::size_t stride = layout.stride;
  const std::uint32_t first = place.piece * SearchPiece::records;
  const std::uint32_t count = records_of(trace_, place);
  const std::uint64_t begin = head.records_byte + std::uint64_t{first} * stride;
  io::PieceReader pieces(*trace_.file, begin, begin + std::uint64_t{count} * stride);
  for (std::uint32_t record = 0; record < count; record += word_records) {
    const std::uint32_t records = std::min(count - record, word_records);
    const std::span<const std::byte> bytes = pieces.peek(records * stride);
    const std::uint64_t bits = test_.hits(layout, bytes.data(), records);
    if (bits != 0) take_word(place, record / word_records, bits, bytes.data(), piece, longest);
    pieces.skip(records * stride);
  }
}

void PieceSearch::search_known(PiecePlace place, const SearchPiece& known, SearchPiece& piece,
                               LongestHits& longest) {
  const bytepack::TrackHead& head = trace_.tracks[place.track].head;
  const bytepack::SpanLayout& layout = trace_.dialect->span;
  const std::size_t stride = layout.stride;
  for (std::uint32_t word = 0; word < known.bits.size(); ++word) {
    if (known.bits[word] == 0) continue;
    const std::uint32_t first = place.piece * SearchPiece::records + word * word_records;
    const std::uint32_t records = std::min(head.count - first, word_records);
    const std::byte* bytes =
        reader_.at(head.records_byte + std::uint64_t{first} * stride, records * stride);
    const std::uint64_t bits = test_.hits(layout, bytes, records) & known.bits[word];
    if (bits != 0) take_word(place, word, bits, bytes, piece, longest);
  }
}

std::shared_ptr<const SearchPiece> early_piece(const trace::Trace& trace, PiecePlace place,
                                               const std::vector<SearchHit>& hits) {
  auto piece = std::make_shared<SearchPiece>();
  prepare(*piece, records_of(trace, place));
  const std::uint32_t first = place.piece * SearchPiece::records;
  for (std::size_t i = 0; i < hits.size();) {
    const std::uint32_t word = (hits[i].record - first) / word_records;
    const auto first_start = static_cast<std::uint32_t>(hits[i].start_ns / 1000);
    std::uint64_t bits = 0;
    std::uint32_t last_start = first_start;
    for (; i < hits.size() && (hits[i].record - first) / word_records == word; ++i) {
      bits |= std::uint64_t{1} << (hits[i].record % word_records);
      last_start = static_cast<std::uint32_t>(hits[i].start_ns / 1000);
    }
    add_word(*piece, word, bits, first_start, last_start);
  }
  count_groups(*piece);
  return piece;
}

}  // namespace bytescope::query
