#include "core/query/search_terms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/query/fold_case.h"
#include "core/query/time_argument.h"
#include "core/trace/ansi.h"

namespace bytescope::query {
namespace {

constexpr std::size_t most_line_bytes = 4096;
/// What a pattern may take for its automata; beyond it RE2 is slower, not wrong.
constexpr std::int64_t pattern_memory_bytes = 4 << 20;

struct Prefix {
  std::string_view text;
  SearchField field;
};
constexpr std::array<Prefix, 3> prefixes = {
    {{"name:", SearchField::name}, {"info:", SearchField::info}, {"track:", SearchField::track}}};

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

using Parsed = tl::expected<void, SearchLineError>;

/// Reads a line from front to back.
class Parser {
public:
  explicit Parser(std::string_view line) : line_(line) {}

  tl::expected<SearchTerms, SearchLineError> run() {
    if (line_.size() > most_line_bytes)
      return wrong(most_line_bytes, "The search is longer than 4096 bytes");
    for (skip_spaces(); at_ < line_.size(); skip_spaces()) {
      begin_ = at_;
      const Parsed read = read_term();
      if (!read) return tl::make_unexpected(read.error());
    }
    return std::move(terms_);
  }

private:
  static tl::unexpected<SearchLineError> wrong(std::size_t byte, std::string message) {
    return tl::make_unexpected(SearchLineError{std::move(message), byte});
  }
  tl::unexpected<SearchLineError> wrong(std::string message) const {
    return wrong(begin_, std::move(message));
  }

  std::string_view rest() const { return line_.substr(at_); }
  void skip_spaces() {
    while (at_ < line_.size() && is_space(line_[at_])) ++at_;
  }
  /// The bytes up to the next space.
  std::string_view take_word() {
    const std::size_t first = at_;
    while (at_ < line_.size() && !is_space(line_[at_])) ++at_;
    return line_.substr(first, at_ - first);
  }

  Parsed read_term() {
    if (rest().starts_with("dur<") || rest().starts_with("dur>")) return read_duration();
    TextTerm term;
    for (const Prefix& prefix : prefixes) {
      if (!rest().starts_with(prefix.text)) continue;
      term.field = prefix.field;
      at_ += prefix.text.size();
      if (at_ == line_.size() || is_space(line_[at_]))
        return wrong(fmt::format("Something to look for must follow \"{}\"", prefix.text));
      break;
    }
    if (line_[at_] == '"') return read_phrase(std::move(term));
    if (line_[at_] == '/') return read_pattern(std::move(term));
    term.needle = folded(take_word());
    return add(std::move(term));
  }

  Parsed add(TextTerm term) {
    std::vector<TextTerm>& list = term.field == SearchField::track ? terms_.tracks : terms_.texts;
    if (list.size() == SearchTerms::most_texts)
      return wrong(fmt::format("There are more than {} words", SearchTerms::most_texts));
    list.push_back(std::move(term));
    return {};
  }

  Parsed read_phrase(TextTerm term) {
    const std::size_t quote = at_++;
    std::string phrase;
    for (; at_ < line_.size() && line_[at_] != '"'; ++at_) {
      const bool escapes = line_[at_] == '\\' && at_ + 1 < line_.size() &&
                           (line_[at_ + 1] == '"' || line_[at_ + 1] == '\\');
      if (escapes) ++at_;
      phrase.push_back(line_[at_]);
    }
    if (at_ == line_.size()) return wrong(quote, "The quote is not closed");
    ++at_;
    if (phrase.empty()) return wrong(quote, "Nothing stands between the quotes");
    term.needle = folded(phrase);
    return add(std::move(term));
  }

  Parsed read_pattern(TextTerm term) {
    const std::size_t slash = at_++;
    const std::size_t first = at_;
    const auto ends_here = [this](std::size_t at) {
      return line_[at] == '/' && (at + 1 == line_.size() || is_space(line_[at + 1]));
    };
    while (at_ < line_.size() && !ends_here(at_)) at_ += line_[at_] == '\\' ? 2 : 1;
    if (at_ >= line_.size())
      return wrong(slash, "The pattern has no slash at its end (quote it to look for a slash)");
    term.needle = std::string(line_.substr(first, at_ - first));
    ++at_;
    if (term.needle.empty()) return wrong(slash, "Nothing stands between the slashes");
    re2::RE2::Options options;
    options.set_case_sensitive(false);
    options.set_log_errors(false);
    options.set_max_mem(pattern_memory_bytes);
    auto pattern = std::make_shared<const re2::RE2>(term.needle, options);
    if (!pattern->ok())
      return wrong(slash, fmt::format("The pattern makes no sense: {}", pattern->error()));
    term.pattern = std::move(pattern);
    return add(std::move(term));
  }

  Parsed read_duration() {
    const std::string_view word = take_word();
    const bool is_least = word[3] == '>';
    const bool with_equal = word.size() > 4 && word[4] == '=';
    const std::string_view number = word.substr(with_equal ? 5 : 4);
    const std::optional<std::int64_t> limit = ns_from_number_text(number);
    if (!limit) {
      return wrong(fmt::format("\"{}\" is not a duration such as 100us, 5ms or 2s", number));
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    auto ns = static_cast<double>(*limit);
    if (!with_equal) ns = std::nextafter(ns, is_least ? infinity : -infinity);
    terms_.limits_duration = true;
    if (is_least) {
      terms_.least_ns = std::max(terms_.least_ns, ns);
    } else {
      terms_.most_ns = std::min(terms_.most_ns, ns);
    }
    return {};
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;  ///< Of the term that is read.
  SearchTerms terms_;
};

/// Whether each of `wider` is narrowed by one of `terms`.
bool all_narrowed(const std::vector<TextTerm>& terms, const std::vector<TextTerm>& wider) {
  return std::all_of(wider.begin(), wider.end(), [&terms](const TextTerm& one) {
    return std::any_of(terms.begin(), terms.end(),
                       [&one](const TextTerm& term) { return term.narrows(one); });
  });
}

}  // namespace

bool TextTerm::matches(std::string_view plain_text, std::string_view folded_text) const {
  if (!pattern) return folded_text.find(needle) != std::string_view::npos;
  return pattern->Match(plain_text, 0, plain_text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

bool TextTerm::narrows(const TextTerm& wider) const {
  const bool looks_there = field == wider.field || (wider.field == SearchField::name_or_info &&
                                                    field != SearchField::track);
  if (!looks_there || (pattern == nullptr) != (wider.pattern == nullptr)) return false;
  return pattern ? needle == wider.needle : needle.find(wider.needle) != std::string::npos;
}

bool SearchTerms::track_fits(std::string_view raw_name) const {
  if (tracks.empty()) return true;
  const std::string plain = trace::plain_text(raw_name);
  const std::string small = folded(plain);
  return std::all_of(tracks.begin(), tracks.end(),
                     [&](const TextTerm& term) { return term.matches(plain, small); });
}

bool SearchTerms::narrows(const SearchTerms& wider) const {
  return least_ns >= wider.least_ns && most_ns <= wider.most_ns &&
         all_narrowed(texts, wider.texts) && all_narrowed(tracks, wider.tracks);
}

std::string SearchLineError::text(std::string_view line) const {
  const std::string_view before = line.substr(0, byte);
  const auto characters = std::count_if(before.begin(), before.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  });
  return fmt::format("Character {}: {}", characters + 1, message);
}

tl::expected<SearchTerms, SearchLineError> parse_search_line(std::string_view line) {
  return Parser(line).run();
}

}  // namespace bytescope::query
