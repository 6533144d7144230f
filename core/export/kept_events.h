#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/io/page_reader.h"
#include "core/query/span_scan.h"
#include "core/query/time_range.h"
#include "core/trace/trace.h"

// Which records of a trace touch a range. Without a range all do.

namespace bytescope::exporting {

/// Spans of a track that run in the range, by record.
struct KeptSpans {
  std::vector<std::uint32_t> open;  ///< Those that began before it, ascending.
  query::RecordRange started;       ///< Those that begin in it.

  std::uint32_t count() const { return static_cast<std::uint32_t>(open.size()) + started.count(); }
  /// The how manyth a record is, or none.
  std::optional<std::uint32_t> place(std::uint32_t record) const;
};

/// Costs what query::open_at and query::starting_in do.
KeptSpans kept_spans(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                     const std::optional<query::TimeRange>& range);

/// Calls `visit(record, span)` for the kept spans in the order of the file; stops when it answers
/// false. False when stopped.
template <class Visit>
bool for_each_kept(const trace::Trace& trace, std::uint32_t track, const KeptSpans& kept,
                   Visit visit) {
  query::SpanReader reader(trace);
  for (const std::uint32_t record : kept.open)
    if (!reader.for_each(track, {record, record + 1}, visit)) return false;
  return reader.for_each(track, kept.started, visit);
}

/// Whether a buffer lives in the range. One that is freed in the microsecond in which it was
/// allocated does where it was allocated in it.
bool keeps(const trace::Buffer& buffer, const std::optional<query::TimeRange>& range);

/// How many events of a memory track belong to kept buffers.
std::uint32_t kept_event_count(const trace::MemoryIndex& memory,
                               const std::optional<query::TimeRange>& range);

/// Values of a line in the range, and the last one before it.
query::RecordRange kept_values(const trace::LineIndex& line,
                               const std::optional<query::TimeRange>& range);

/// Whether a marker stands in the range; one without a time does not.
bool keeps(const bytepack::FileMarker& marker, const std::optional<query::TimeRange>& range);

}  // namespace bytescope::exporting
