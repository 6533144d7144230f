#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytepack/records.h"
#include "core/cancel.h"
#include "core/io/page_reader.h"
#include "core/query/track_record.h"
#include "core/trace/trace.h"

// What belongs to what, by FORMAT.md's honest rule ("What the data means, and what it does not"): a
// span and a buffer's user belong together only when the run key and the plain name agree. A user
// named `batched N` stands for a whole batch. Copies never join. Nothing is kept between calls: the
// records are read for what is asked, in pieces, so run these in the background. Answers of a
// cancelled call are not complete.

namespace bytescope::query {

/// When a look through records gives up.
struct LinkLimits {
  std::uint64_t most_records = UINT64_MAX;  ///< Records and users looked at.
  std::size_t most_buffers = 1000;          ///< Kept; the others are only counted.
};

/// A buffer that a span used.
struct UsedBuffer {
  std::uint32_t track = 0;
  std::uint32_t ordinal = 0;
  bytepack::UserRecord user;
  bool by_batch = false;    ///< What used it is the batch that the span ran in.
  std::uint64_t bytes = 0;  ///< Its size.
};

/// Buffers that a span used: its own before those of its batch, by track and argument.
struct UsedBuffers {
  std::vector<UsedBuffer> buffers;
  std::uint32_t more = 0;     ///< How many were not kept.
  bool can_be_known = false;  ///< The span has a key and its device a memory track with users.
  bool complete = true;       ///< Whether all records were looked at.
};

/// Looks through the frees of the device's memory track (of all devices of the family for a span of
/// its Graph track, whose runs are those of the kernels under it). A user named `batched N` counts
/// for a span with its key, unless the Graph track tells where the batches of that name ran and the
/// span lies in none of them: then its key is a stale one. Costs O(records and users).
UsedBuffers buffers_of_span(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                            std::uint32_t record, const LinkLimits& limits, const Cancel& cancel);

/// Which of the spans that agree with a user is meant: replays share keys and names.
struct SpanChoice {
  enum class Rule : std::uint8_t {
    first,        ///< The first in the file that is not over before the time, else the first.
    last_before,  ///< The last that starts before the time.
    first_from,   ///< The first that starts at or behind the time.
  };
  Rule rule = Rule::first;
  std::int64_t time_ns = 0;
};

/// Users of buffers of one memory track, whose spans are looked for.
struct UserQuestion {
  std::uint32_t memory_track = 0;
  std::span<const bytepack::UserRecord> users;
  SpanChoice choice{};
};

/// The span that a user of a buffer stands for.
struct UserSpan {
  std::optional<TrackRecord> span;  ///< The chosen one; of a batch the one on the Graph track.
  std::uint32_t count = 0;  ///< How many agree; of a batch: its kernels and itself, all replays.
  std::uint32_t start = 0;  ///< Of `span`, in the trace's unit.
  float duration = 0;
};

/// What stands for the users of a buffer, one each and in their order.
struct UserSpans {
  std::vector<UserSpan> spans;
  bool complete = true;  ///< Whether all records were looked at.
};

/// Looks through the spans of the memory track's device, and of its family's Graph track. A user
/// named `batched N` means all spans with its key that lie in a batch of that name, and that batch
/// itself; where the Graph track has no such batch, all spans with its key. Costs O(records): a few
/// ns each.
UserSpans spans_of_users(const trace::Trace& trace, io::PageReader& reader,
                         const UserQuestion& question, const LinkLimits& limits,
                         const Cancel& cancel);

/// Every recorded user of a buffer in order, each with its span or none. Of several that agree, one
/// that was over before the buffer was allocated stands back.
struct BufferLinks {
  std::vector<bytepack::UserRecord> users;  ///< The first ones, up to the limit.
  std::uint32_t total = 0;                  ///< How many the file has; 0 is "no recorded user".
  UserSpans spans;                          ///< One for each of `users`.
};
BufferLinks links_of_buffer(const trace::Trace& trace, io::PageReader& reader,
                            std::uint32_t memory_track, std::uint32_t ordinal, const Cancel& cancel,
                            std::uint32_t most_users = 1000);

/// Where a program was compiled and how often it ran.
struct ProgramLinks {
  /// The longest span of TINY with the ref that generates code: other phases have refs, too.
  std::optional<TrackRecord> compiled;
  std::uint32_t compile_start = 0;  ///< In the trace's unit.
  float compile_duration = 0;
  std::uint64_t runs = 0;                ///< Spans with the ref on devices, over all of them.
  std::optional<TrackRecord> first_run;  ///< The first of them in time.
  bool complete = false;                 ///< Whether all records were looked at.
};
/// All spans that share a `ref`. Costs O(records of device and TINY tracks).
ProgramLinks program_links(const trace::Trace& trace, std::uint32_t ref, const Cancel& cancel);

/// The positions in `strings` of one plain name in all its colours, and the tracks that have spans
/// of it.
struct Namesakes {
  std::vector<std::uint32_t> ids;     ///< The name asked for first; variants in colour are few.
  std::vector<std::uint32_t> tracks;  ///< Ascending.
  bool complete = false;              ///< Whether all tracks were asked.

  bool has(std::uint32_t id) const { return std::find(ids.begin(), ids.end(), id) != ids.end(); }
  bool has_track(std::uint32_t track) const {
    return std::binary_search(tracks.begin(), tracks.end(), track);
  }
};
/// Of the plain name of string `name`. Costs the distinct names of the trace.
Namesakes namesakes_of(const trace::Trace& trace, std::uint32_t name, const Cancel& cancel);

/// How a span stands among the spans of its plain name.
struct NamesakeRank {
  std::uint64_t longer = 0;  ///< Exactly so many last longer: rank = longer + 1.
  std::uint64_t equal = 0;   ///< So many last as long, itself included.
  std::uint64_t total = 0;   ///< Of that name.
  TrackRecord longest;       ///< The first of equals.
  TrackRecord shortest;      ///< The first of equals.
};
/// Over all span tracks, or one of them. None when cancelled. Costs O(records of tracks that have
/// the name).
std::optional<NamesakeRank> namesake_rank(const trace::Trace& trace, std::uint32_t track,
                                          std::uint32_t record, const Cancel& cancel,
                                          bool only_this_track = false);

/// The next (`step` +1) or previous (−1) span of the same plain name in the order of time (start,
/// track, record) over all tracks; none at the ends or when cancelled. Reads pieces outwards from
/// the span: cheap where namesakes are near.
std::optional<TrackRecord> neighbour_namesake(const trace::Trace& trace, std::uint32_t track,
                                              std::uint32_t record, int step, const Cancel& cancel);

/// The span that caused this one: what its info's link names (FORMAT.md, `link`: ROW-INDEX). None
/// where the row or the record does not exist.
std::optional<TrackRecord> cause_of_span(const trace::Trace& trace, io::PageReader& reader,
                                         std::uint32_t track, std::uint32_t record);
/// The spans that this one caused, in file order, at most `limit`. Costs O(strings + records).
std::vector<TrackRecord> effects_of_span(const trace::Trace& trace, std::uint32_t track,
                                         std::uint32_t record, const Cancel& cancel,
                                         std::size_t limit = 100);

/// The producer of a buffer: the span of its last recorded writer (mode write or both) that begins
/// before `before_ns`, in the order of the record; when all begin later, the first writer's. None
/// without a recorded writer that has a span.
std::optional<TrackRecord> producer_of_buffer(const trace::Trace& trace, io::PageReader& reader,
                                              std::uint32_t memory_track, std::uint32_t ordinal,
                                              const Cancel& cancel,
                                              std::int64_t before_ns = INT64_MAX);
/// The consumer of a buffer: the span of its first recorded reader (mode read or both) that begins
/// at or behind `from_ns`; none when there is none.
std::optional<TrackRecord> consumer_of_buffer(const trace::Trace& trace, io::PageReader& reader,
                                              std::uint32_t memory_track, std::uint32_t ordinal,
                                              const Cancel& cancel,
                                              std::int64_t from_ns = INT64_MIN);

/// The producer of a kernel: of the buffers that it reads (itself, not its batch), the spans that
/// wrote them last before it; the latest of these. None when nothing is recorded.
std::optional<TrackRecord> producer_of_span(const trace::Trace& trace, io::PageReader& reader,
                                            std::uint32_t track, std::uint32_t record,
                                            const Cancel& cancel);
/// The consumer of a kernel: of the buffers that it writes, the spans that read them next behind
/// it; the earliest of these.
std::optional<TrackRecord> consumer_of_span(const trace::Trace& trace, io::PageReader& reader,
                                            std::uint32_t track, std::uint32_t record,
                                            const Cancel& cancel);

/// Whether a plain name is that of a batch of kernels.
bool names_batch(std::string_view plain_name);

}  // namespace bytescope::query
