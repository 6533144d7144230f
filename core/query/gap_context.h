#pragma once

#include <optional>

#include "core/io/page_reader.h"
#include "core/query/gaps.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// A span that was at work during a gap.
struct GapCompany {
  TrackRecord span;
  double share = 0;  ///< Of the gap that it covers, 0 to 1.
  bool operator==(const GapCompany&) const = default;
  /// Whether it covers enough of the gap to be told beside it: a hundredth.
  bool matters() const { return share >= 0.01; }
};

/// What others did during a gap.
struct GapContext {
  std::optional<GapCompany> host;      ///< In host tracks and USER.
  std::optional<GapCompany> compiler;  ///< In TINY.
  double compiler_share = 0;           ///< Of the gap in which TINY had any span, 0 to 1.
  /// TINY was at work for at least half of the gap.
  bool compiling() const { return compiler_share >= 0.5; }
};

/// Looks up what host and compiler did during a gap: of the spans that cover at least half of it
/// the deepest one, else the one that covers most of it, the deepest of equals. Of several host
/// tracks the one whose span covers most, the shorter span of equals. Costs O(lanes × log n) and
/// the records of TINY's blocks in the gap.
GapContext gap_context(const trace::Trace& trace, io::PageReader& reader, const Gap& gap);

}  // namespace bytescope::query
