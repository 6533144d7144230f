#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/cancel.h"
#include "core/io/page_reader.h"
#include "core/query/search.h"
#include "core/query/time_range.h"
#include "core/trace/trace.h"

namespace bytescope::render {

/// What the strip at the top shows of a whole trace. Immutable; shared between the worker and the
/// window.
struct Overview {
  std::shared_ptr<const trace::Trace> trace;
  query::Columns columns;  ///< Device pixel columns from the first to the last moment.
  /// Busy share of each column, 1 to 255 where anything runs, else 0. A row is a device, or several
  /// neighbours where there is no room for each: their mean.
  std::vector<std::vector<std::uint8_t>> rows;
  /// The fullest device of the family that needs most memory, in 1/255 of its peak; empty without
  /// memory tracks.
  std::vector<std::uint8_t> memory;
  std::shared_ptr<const query::SearchResult> search;  ///< As asked; null: none.
  std::vector<std::uint8_t> hits;                     ///< Columns with hits, 1 or 0.
};

/// More rows than that are merged: at a pixel each they fill the strip.
constexpr std::size_t most_overview_rows = 32;

/// Computes the rows and the memory of an overview: of devices, or without any of whatever has
/// spans. For each of at most 256 tracks it costs what query::append_visible and
/// query::memory_curve do: columns, not events. Null when cancelled.
std::shared_ptr<const Overview> overview_of(const std::shared_ptr<const trace::Trace>& trace,
                                            io::PageReader& reader, const query::Columns& columns,
                                            const Cancel& cancel);

/// The same overview with the hits of a search, or without any.
std::shared_ptr<const Overview> with_hits(const Overview& overview, io::PageReader& reader,
                                          std::shared_ptr<const query::SearchResult> search);

}  // namespace bytescope::render
