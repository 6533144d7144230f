#include "core/query/search_columns.h"

#include <algorithm>
#include <cmath>

namespace bytescope::query {
namespace {

/// Marks columns for times in ascending order.
class Marker {
public:
  Marker(const Columns& columns, std::vector<std::uint8_t>& marks)
      : columns_(columns), marks_(marks) {}

  /// The column of a time: −1 before the first, their number behind the last.
  std::int64_t column(std::int64_t time_ns) const {
    const double at = std::floor(columns_.at(time_ns));
    return static_cast<std::int64_t>(std::clamp(at, -1.0, static_cast<double>(columns_.count)));
  }
  bool is_behind(std::int64_t column) const { return column >= columns_.count; }
  void mark(std::int64_t column) {
    if (column >= 0 && column < columns_.count) marks_[static_cast<std::size_t>(column)] = 1;
  }

private:
  const Columns& columns_;
  std::vector<std::uint8_t>& marks_;
};

/// Marks the hits of one group one by one.
void mark_records(const SearchResult& result, io::PageReader& reader, std::uint32_t track,
                  std::uint32_t begin, std::uint32_t end, Marker& marker) {
  const TrackHits& hits = result.tracks[track];
  for (auto record = hits.at_or_after(begin); record && *record < end;
       record = hits.at_or_after(*record + 1)) {
    const bytepack::SpanRecord span = result.trace->span(reader, track, *record);
    marker.mark(marker.column(trace::ns_from_unit(span.start)));
  }
}

/// Marks the hits of one group, whose records begin there: one by one only where more of them may
/// lie between the first and the last. False when it begins behind the last column.
bool mark_group(const SearchResult& result, io::PageReader& reader, std::uint32_t track,
                const SearchPiece::Group& group, std::uint32_t begin, Marker& marker) {
  const std::int64_t first = marker.column(trace::ns_from_unit(group.first_start));
  const std::int64_t last = marker.column(trace::ns_from_unit(group.last_start));
  if (last < 0 || first > last) return true;
  if (marker.is_behind(first)) return false;
  marker.mark(first);
  marker.mark(last);
  if (last - first > 1)
    mark_records(result, reader, track, begin, begin + SearchPiece::records_per_group, marker);
  return true;
}

}  // namespace

std::vector<std::uint8_t> hit_columns(const SearchResult& result, io::PageReader& reader,
                                      std::uint32_t track, const Columns& columns) {
  std::vector<std::uint8_t> marks(columns.count);
  if (track >= result.tracks.size() || columns.count == 0) return marks;
  Marker marker(columns, marks);
  const auto& pieces = result.tracks[track].pieces();
  std::uint32_t first_record = 0;
  for (const auto& piece : pieces) {
    for (std::size_t g = 0; piece && g < piece->groups.size(); ++g) {
      const SearchPiece::Group& group = piece->groups[g];
      const std::uint32_t behind =
          g + 1 < piece->groups.size() ? piece->groups[g + 1].hits_before : piece->hits;
      if (behind == group.hits_before) continue;
      const auto begin =
          first_record + static_cast<std::uint32_t>(g) * SearchPiece::records_per_group;
      if (!mark_group(result, reader, track, group, begin, marker)) return marks;
    }
    first_record += SearchPiece::records;
  }
  return marks;
}

std::vector<std::uint8_t> marker_columns(const SearchResult& result, const Columns& columns) {
  std::vector<std::uint8_t> marks(columns.count);
  Marker marker(columns, marks);
  for (const SearchHit& hit : result.markers) marker.mark(marker.column(hit.start_ns));
  return marks;
}

}  // namespace bytescope::query
