#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace re2 {
class RE2;
}

namespace bytescope::query {

/// Which text of a span a term looks at.
enum class SearchField : std::uint8_t {
  name_or_info,  ///< No prefix: the name, or the info.
  name,          ///< `name:`
  info,          ///< `info:`
  track,         ///< `track:`, the name of the span's track.
};

/// A word, a phrase or a regular expression that a text must hold.
struct TextTerm {
  SearchField field = SearchField::name_or_info;
  std::string needle;  ///< Folded (fold_case.h) for words and phrases, else the pattern.
  std::shared_ptr<const re2::RE2> pattern;  ///< Null for words and phrases.

  /// Whether a plain text matches; `folded_text` is the same one folded. O(text), whatever the
  /// pattern. From any thread.
  bool matches(std::string_view plain_text, std::string_view folded_text) const;
  /// Whether every text that this term matches is also matched by `wider`.
  bool narrows(const TextTerm& wider) const;
};

/// What is looked for: a hit fulfils every term.
struct SearchTerms {
  /// So many words, phrases and patterns of names and infos may be asked for at once.
  static constexpr std::size_t most_texts = 8;

  std::vector<TextTerm> texts;   ///< Of names and infos, at most most_texts.
  std::vector<TextTerm> tracks;  ///< Terms with `track:`.
  bool limits_duration = false;  ///< Whether there is a term with `dur`.
  double least_ns = 0;           ///< Durations from here …
  double most_ns = std::numeric_limits<double>::infinity();  ///< … to here count, both included.

  /// Whether nothing is asked for.
  bool empty() const { return texts.empty() && tracks.empty() && !limits_duration; }
  bool duration_fits(double ns) const { return ns >= least_ns && ns <= most_ns; }
  /// Whether a track of that raw name may have hits.
  bool track_fits(std::string_view raw_name) const;
  /// Whether every hit of these terms is a hit of `wider` too.
  bool narrows(const SearchTerms& wider) const;
};

/// What is wrong with a search line, and where.
struct SearchLineError {
  std::string message;   ///< A sentence without a full stop, the place not included.
  std::size_t byte = 0;  ///< Where in the line the term that is wrong begins.
  /// "Character 5: …", counted from 1 as people do.
  std::string text(std::string_view line) const;
};

/// Reads a search line: terms with spaces between them, in any order, all of which must match.
/// - `word`: case does not matter, colour codes do not count; anywhere in the name or the info.
/// - `"two words"`: the same with spaces; `\"` and `\\` inside stand for a quote and a backslash.
/// - `/pattern/`: a regular expression of RE2's syntax, in linear time on any text; case does not
///   matter unless it says `(?-i)`; ends at the first slash before a space or the line's end that
///   no backslash escapes.
/// - `name:…`, `info:…`, `track:…` before any of these: only there.
/// - `dur>100us`, `dur>=…`, `dur<5ms`, `dur<=…`: the duration; numbers as in time_argument.h.
/// An empty line gives no terms. Lines of more than 4096 bytes are refused.
tl::expected<SearchTerms, SearchLineError> parse_search_line(std::string_view line);

}  // namespace bytescope::query
