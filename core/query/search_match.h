#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/query/search_terms.h"

namespace bytescope::query {

/// A stretch of bytes of a text.
struct TextPlace {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const TextPlace&) const = default;
};

/// Where a term is found first in a plain text; none where it is not. Costs O(text).
std::optional<TextPlace> place_of(const TextTerm& term, std::string_view plain_text);

/// The line of an info in which the first term is found that the name does not fulfil, with the
/// place in yellow (a terminal's code); long ones are cut to what stands around it, with an
/// ellipsis. Empty where the name alone fulfils all terms. Both texts are raw. Costs O(texts).
std::string matched_info(const SearchTerms& terms, std::string_view raw_name,
                         std::string_view raw_info);

}  // namespace bytescope::query
