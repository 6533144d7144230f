#include "core/query/search_match.h"

#include <algorithm>
#include <vector>

#include <re2/re2.h>

#include "core/io/utf8.h"
#include "core/query/fold_case.h"
#include "core/trace/ansi.h"

namespace bytescope::query {
namespace {

/// So much is shown in front of the place; a reader has to see it without scrolling.
constexpr std::size_t most_before_bytes = 24;
constexpr std::size_t most_behind_bytes = 240;

std::optional<TextPlace> place_of_pattern(const re2::RE2& pattern, std::string_view text) {
  re2::StringPiece found;
  if (!pattern.Match(text, 0, text.size(), re2::RE2::UNANCHORED, &found, 1)) return std::nullopt;
  const auto begin = static_cast<std::size_t>(found.data() - text.data());
  return TextPlace{begin, begin + found.size()};
}

/// A letter and its small form may take different numbers of bytes.
std::optional<TextPlace> place_of_needle(std::string_view needle, std::string_view text) {
  const std::size_t at = folded(text).find(needle);
  if (at == std::string::npos) return std::nullopt;
  TextPlace place;
  std::string small;
  std::size_t read = 0;
  while (read < text.size() && small.size() < at + needle.size()) {
    if (small.size() <= at) place.begin = read;
    const std::size_t bytes = io::first_code_point(text.substr(read)).size_bytes;
    append_folded(small, text.substr(read, bytes));
    read += bytes;
  }
  place.end = read;
  return place;
}

bool is_inside_letter(std::string_view text, std::size_t byte) {
  return byte < text.size() && (static_cast<unsigned char>(text[byte]) & 0xC0U) == 0x80U;
}

/// The line around a place, cut at both ends.
std::string cut_around(std::string_view text, const TextPlace& place) {
  const std::size_t before = text.substr(0, place.begin).rfind('\n');
  const std::size_t line_begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t line_end = std::min(text.find('\n', place.end), text.size());
  std::size_t begin = line_begin;
  if (place.begin - line_begin > most_before_bytes) begin = place.begin - most_before_bytes;
  while (begin < place.begin && is_inside_letter(text, begin)) ++begin;
  std::size_t end = std::min(line_end, place.end + most_behind_bytes);
  while (end > place.end && is_inside_letter(text, end)) --end;
  std::string cut = begin > line_begin ? "\u2026" : "";
  cut += text.substr(begin, place.begin - begin);
  cut += "\033[33m";
  cut += text.substr(place.begin, place.end - place.begin);
  cut += "\033[0m";
  cut += text.substr(place.end, end - place.end);
  return end < line_end ? cut + "\u2026" : cut;
}

}  // namespace

std::optional<TextPlace> place_of(const TextTerm& term, std::string_view plain_text) {
  return term.pattern ? place_of_pattern(*term.pattern, plain_text)
                      : place_of_needle(term.needle, plain_text);
}

std::string matched_info(const SearchTerms& terms, std::string_view raw_name,
                         std::string_view raw_info) {
  const std::string name = trace::plain_text(raw_name);
  const std::string info = trace::plain_text(raw_info);
  for (const TextTerm& term : terms.texts) {
    if (term.field == SearchField::name) continue;
    if (term.field == SearchField::name_or_info && place_of(term, name)) continue;
    if (const auto place = place_of(term, info)) return cut_around(info, *place);
  }
  return {};
}

}  // namespace bytescope::query
