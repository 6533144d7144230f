#include "core/query/search_strings.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <optional>
#include <span>
#include <utility>

#include "core/bytepack/string_table.h"
#include "core/io/byte_block.h"
#include "core/io/json_escapes.h"
#include "core/io/json_text.h"
#include "core/query/fold_case.h"
#include "core/query/threads.h"
#include "core/trace/ansi.h"

// Nearly all strings cannot match, so they are ruled out without being taken apart: a group of
// sixteen neighbours lies in one stretch of the file, which is searched as it is. Only where the
// text may be in there is it split, decoded and looked at string by string.

namespace bytescope::query {
namespace {

using bytepack::StringTable;

/// Groups that a thread takes at a time.
constexpr std::size_t portion_groups = 2048;
/// Bytes read at a time. Groups that are larger are read string by string.
constexpr std::size_t block_bytes = 512 << 10;

/// A string's bytes without its quotes, as a part of those of its group.
struct RawString {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Makes `strings` those in a piece of a JSON array, at most `limit`. Any bytes give some.
void split(std::string_view bytes, std::size_t limit, std::vector<RawString>& strings) {
  strings.clear();
  std::uint64_t carry = 0;
  bool is_inside = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < bytes.size(); at += io::ByteBlock::bytes) {
    std::array<char, io::ByteBlock::bytes> padded{};
    const char* bytes_at = bytes.data() + at;
    if (bytes.size() - at < padded.size()) {
      std::copy_n(bytes_at, bytes.size() - at, padded.begin());
      bytes_at = padded.data();
    }
    const io::ByteBlock block(bytes_at);
    const std::uint64_t escaped = io::escaped_bytes(block.equal('\\'), carry);
    for (std::uint64_t quotes = block.equal('"') & ~escaped; quotes != 0; quotes &= quotes - 1) {
      const std::size_t quote = at + static_cast<std::size_t>(std::countr_zero(quotes));
      if (is_inside) strings.push_back({begin, quote});
      if (strings.size() == limit) return;
      is_inside = !is_inside;
      begin = quote + 1;
    }
  }
}

/// How a term gets on with what is known of an earlier one.
struct KnownTerm {
  std::uint8_t bit = 0;  ///< Of the earlier term; 0 when nothing is known.
  bool is_same = false;  ///< Nothing needs to be looked at again.
};

KnownTerm known_term(const TextTerm& term, const KnownStrings& known) {
  KnownTerm best;
  if (known.terms == nullptr || known.matches == nullptr) return best;
  for (std::size_t i = 0; i < known.terms->size(); ++i) {
    const TextTerm& earlier = (*known.terms)[i];
    if ((term.pattern == nullptr) != (earlier.pattern == nullptr)) continue;
    const bool is_same = term.needle == earlier.needle;
    const bool is_narrower = !term.pattern && term.needle.find(earlier.needle) != std::string::npos;
    if (is_same || (is_narrower && !best.is_same))
      best = {static_cast<std::uint8_t>(1U << i), is_same};
  }
  return best;
}

/// What all threads share.
struct Search {
  const trace::Trace& trace;
  const std::vector<TextTerm>& terms;
  const KnownStrings& known;
  const Cancel& cancel;
  Progress* progress;
  std::vector<Needle> needles;  ///< One a term.
  std::vector<KnownTerm> known_terms;
  StringMatches matches;
  std::atomic<std::size_t> next_group{0};
};

/// The part of one thread.
class StringSearch {
public:
  explicit StringSearch(Search& search)
      : search_(search), table_(search.trace.index->strings), matcher_(search.terms) {}

  void run() {
    while (!search_.cancel.requested()) {
      const std::size_t begin = search_.next_group.fetch_add(portion_groups);
      if (begin >= table_.group_count()) return;
      const std::size_t end = std::min(begin + portion_groups, table_.group_count());
      search_groups(begin, end);
      if (search_.progress != nullptr)
        search_.progress->events_done += (end - begin) * StringTable::stride;
    }
  }

private:
  void search_groups(std::size_t group, std::size_t end) {
    while (group < end && !search_.cancel.requested()) {
      const std::uint8_t asked = asked_of(group);
      if (asked == 0) {
        ++group;
        continue;
      }
      const std::optional<std::string_view> bytes = bytes_of(group, end);
      if (bytes) {
        search_bytes(group, *bytes, asked);
      } else {
        search_slowly(group, asked);
      }
      ++group;
    }
  }

  /// Which terms have to be looked at in a group; sets those that are known.
  std::uint8_t asked_of(std::size_t group) {
    unsigned asked = 0;
    for (std::size_t t = 0; t < search_.terms.size(); ++t) {
      const unsigned bit = 1U << t;
      const KnownTerm& known = search_.known_terms[t];
      if (known.bit == 0) asked |= bit;
      if (known.bit == 0) continue;
      for (std::size_t id = first_id(group); id < end_id(group); ++id) {
        if (((*search_.known.matches)[id] & known.bit) == 0) continue;
        if (!known.is_same) asked |= bit;
        if (known.is_same)
          search_.matches[id] = static_cast<std::uint8_t>(search_.matches[id] | bit);
      }
    }
    return static_cast<std::uint8_t>(asked);
  }

  static std::size_t first_id(std::size_t group) { return group * StringTable::stride; }
  std::size_t end_id(std::size_t group) const {
    return std::min<std::size_t>(first_id(group + 1), table_.size());
  }

  /// The bytes of a group, read together with those of its neighbours up to `end`. None where they
  /// are too many, and for the last group, whose end is not known.
  std::optional<std::string_view> bytes_of(std::size_t group, std::size_t end) {
    if (group + 1 >= table_.group_count()) return std::nullopt;
    const std::uint64_t begin_byte = table_.group_byte(group);
    const std::uint64_t end_byte = table_.group_byte(group + 1);
    if (begin_byte > end_byte || end_byte - begin_byte > block_bytes) return std::nullopt;
    if (begin_byte < block_begin_ || end_byte > block_begin_ + block_.size()) {
      std::size_t last = group + 1;
      const std::size_t most = std::min(end, table_.group_count() - 1);
      while (last < most && table_.group_byte(last + 1) - begin_byte <= block_bytes) ++last;
      block_.resize(static_cast<std::size_t>(table_.group_byte(last) - begin_byte));
      block_begin_ = begin_byte;
      search_.trace.file->read_at(begin_byte, std::as_writable_bytes(std::span(block_)));
    }
    return std::string_view(block_).substr(static_cast<std::size_t>(begin_byte - block_begin_),
                                           static_cast<std::size_t>(end_byte - begin_byte));
  }

  void search_bytes(std::size_t group, std::string_view bytes, std::uint8_t asked) {
    const bool is_unusual = has_unusual_letters(bytes);
    if (!is_unusual) asked = possible(bytes, asked);
    if (asked == 0) return;
    split(bytes, end_id(group) - first_id(group), strings_);
    perhaps_.fill(is_unusual ? asked : 0);
    for (std::size_t t = 0; t < search_.terms.size() && !is_unusual; ++t) {
      const auto bit = static_cast<std::uint8_t>(asked & (1U << t));
      if (bit != 0) search_raw(group, bytes, t, bit);
    }
    for (std::size_t i = 0; i < strings_.size(); ++i) {
      if (perhaps_[i] == 0) continue;
      text_.clear();
      io::append_decoded_json(text_,
                              bytes.substr(strings_[i].begin, strings_[i].end - strings_[i].begin));
      add(first_id(group) + i, perhaps_[i]);
    }
  }

  /// Which of the terms the bytes, which hold no unusual letters, may match.
  std::uint8_t possible(std::string_view bytes, std::uint8_t asked) const {
    unsigned possible = 0;
    for (std::size_t t = 0; t < search_.terms.size(); ++t) {
      const unsigned bit = asked & (1U << t);
      const bool may_match =
          search_.terms[t].pattern || search_.needles[t].find(bytes) != Needle::nowhere;
      if (bit != 0 && may_match) possible |= bit;
    }
    return static_cast<std::uint8_t>(possible);
  }

  /// Looks for one term in strings without unusual letters as they are; those that have to be
  /// decoded are noted in perhaps_.
  void search_raw(std::size_t group, std::string_view bytes, std::size_t term, std::uint8_t bit) {
    const Needle& needle = search_.needles[term];
    const bool is_pattern = search_.terms[term].pattern != nullptr;
    std::size_t place = 0;
    for (std::size_t i = 0; i < strings_.size(); ++i) {
      const RawString& string = strings_[i];
      if (!is_pattern && place < string.begin) place = needle.find(bytes, string.begin);
      if (place == Needle::nowhere) return;
      if (!is_pattern && place + needle.size() > string.end) continue;
      const bool is_sure =
          !is_pattern && needle.is_whole() && needle.size() > 0 && bytes[place - 1] != '\\';
      std::uint8_t& known = is_sure ? search_.matches[first_id(group) + i] : perhaps_[i];
      known = static_cast<std::uint8_t>(known | bit);
    }
  }

  void search_slowly(std::size_t group, std::uint8_t asked) {
    if (!reader_) reader_.emplace(search_.trace.file, 4);
    bytepack::StringCursor cursor =
        table_.walk_from(*reader_, static_cast<std::uint32_t>(first_id(group)));
    for (std::size_t id = first_id(group); id < end_id(group) && cursor.next(text_); ++id)
      add(id, asked);
  }

  void add(std::size_t id, std::uint8_t asked) {
    search_.matches[id] =
        static_cast<std::uint8_t>(search_.matches[id] | matcher_.matches(text_, asked));
  }

  Search& search_;
  const StringTable& table_;
  TextMatcher matcher_;
  std::string block_;
  std::uint64_t block_begin_ = 0;
  std::string text_;
  std::vector<RawString> strings_;  ///< Of the group that is looked at.
  /// Of each of these strings: terms that have to be looked at decoded.
  std::array<std::uint8_t, StringTable::stride> perhaps_{};
  std::optional<io::PageReader> reader_;
};

}  // namespace

std::uint8_t TextMatcher::matches(const std::string& text, std::uint8_t asked) {
  constexpr char escape = '\033';
  const bool has_codes = text.find(escape) != std::string::npos;
  if (has_codes) plain_ = trace::plain_text(text);
  const std::string& plain = has_codes ? plain_ : text;
  folded_.clear();
  append_folded(folded_, plain);
  unsigned found = 0;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const unsigned bit = asked & (1U << t);
    if (bit != 0 && terms_[t].matches(plain, folded_)) found |= bit;
  }
  return static_cast<std::uint8_t>(found);
}

std::shared_ptr<const StringMatches> match_strings(const trace::Trace& trace,
                                                   const std::vector<TextTerm>& terms,
                                                   const KnownStrings& known, unsigned threads,
                                                   const Cancel& cancel, Progress* progress) {
  Search search{trace, terms, known, cancel, progress, {}, {}, {}, {}};
  search.matches.resize(std::size_t{trace.index->strings.size()} + 1);
  for (const TextTerm& term : terms) {
    search.needles.emplace_back(term.pattern ? std::string_view() : term.needle);
    search.known_terms.push_back(known_term(term, known));
  }
  // Neighbouring portions are bytes of their own: 16 × 2048 strings.
  const bool done =
      terms.empty() || run_on_threads(
                           threads, [&search](unsigned) { StringSearch(search).run(); }, progress);
  if (!done || cancel.requested()) return nullptr;
  return std::make_shared<const StringMatches>(std::move(search.matches));
}

}  // namespace bytescope::query
