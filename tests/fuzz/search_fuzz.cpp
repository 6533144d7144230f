#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/query/fold_case.h"
#include "core/query/search_terms.h"

// Reads lines of any bytes as search terms and matches them with the line behind them: a term that
// narrows another must not match what that does not.
namespace {
using namespace bytescope;

void expect(bool holds) {
  if (!holds) std::abort();
}

std::string_view next_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  return line;
}

bool all_match(const query::SearchTerms& terms, std::string_view text, std::string_view folded) {
  for (const query::TextTerm& term : terms.texts) {
    if (!term.matches(text, folded)) return false;
  }
  return terms.track_fits(text);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view first = next_line(rest);
  const std::string_view second = next_line(rest);
  const auto terms = query::parse_search_line(first);
  if (!terms) {
    expect(terms.error().byte <= first.size());
    expect(!terms.error().text(first).empty());
    return 0;
  }
  expect(terms->texts.size() <= query::SearchTerms::most_texts);
  expect(terms->narrows(*terms));
  const std::string folded = query::folded(rest);
  const bool matches = all_match(*terms, rest, folded);
  const auto wider = query::parse_search_line(second);
  if (!wider || !terms->narrows(*wider)) return 0;
  const bool same_fields = std::none_of(
      terms->texts.begin(), terms->texts.end(),
      [](const query::TextTerm& term) { return term.field != query::SearchField::name_or_info; });
  if (same_fields && matches) expect(all_match(*wider, rest, folded));
  return 0;
}
