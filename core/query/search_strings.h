#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/cancel.h"
#include "core/query/needle.h"
#include "core/query/search_terms.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// What is known of each string, a byte each: bit t says that term number t of SearchTerms::texts
/// matches it. One byte more, 0, stands behind the last string for positions out of range.
using StringMatches = std::vector<std::uint8_t>;

/// Tells which terms match a raw text; reuses its memory. For one thread.
class TextMatcher {
public:
  /// `terms` must outlive the matcher.
  explicit TextMatcher(const std::vector<TextTerm>& terms) : terms_(terms) {}
  /// A bit for each of those terms in `asked` that matches `text` without its colour codes.
  std::uint8_t matches(const std::string& text, std::uint8_t asked);

private:
  const std::vector<TextTerm>& terms_;
  std::string plain_;
  std::string folded_;
};

/// What an earlier search knows about the strings.
struct KnownStrings {
  const std::vector<TextTerm>* terms = nullptr;
  const StringMatches* matches = nullptr;
};

/// Matches every string of the trace once, on `threads` threads. What `known` rules out is not
/// looked at. Null when cancelled or out of memory. Costs reading the index and about 0.3 ns a byte
/// of usual strings; patterns and texts with quotes, slashes or letters outside ASCII are dearer,
/// because strings have to be decoded. Memory: the answer and a few MB.
std::shared_ptr<const StringMatches> match_strings(const trace::Trace& trace,
                                                   const std::vector<TextTerm>& terms,
                                                   const KnownStrings& known, unsigned threads,
                                                   const Cancel& cancel, Progress* progress);

}  // namespace bytescope::query
