#pragma once

#include <cstdint>
#include <vector>

#include "core/io/page_reader.h"
#include "core/query/search.h"
#include "core/query/time_range.h"

namespace bytescope::query {

/// In which pixel columns hits of a span track begin: one entry a column, 1 or 0. Exact; what a
/// single span on screen is, TrackHits::contains() tells. Costs O(columns + groups of 256 records
/// in the window); reads records only when zoomed in so far that such a group covers more than two
/// columns, a few MB at most.
std::vector<std::uint8_t> hit_columns(const SearchResult& result, io::PageReader& reader,
                                      std::uint32_t track, const Columns& columns);

/// The same for markers; O(hits among markers).
std::vector<std::uint8_t> marker_columns(const SearchResult& result, const Columns& columns);

}  // namespace bytescope::query
