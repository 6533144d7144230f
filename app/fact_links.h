#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/view_state.h"
#include "core/bytepack/records.h"
#include "core/io/page_reader.h"
#include "core/trace/trace.h"

// Who used which buffer, by FORMAT.md's honest rule ("What the data means, and what it does not"):
// a span and a buffer's user belong together only when the run key and the plain name agree. A user
// named `batched N` stands for a whole batch. Copies never join.

namespace bytescope::app {

/// When a search gives up, so that it costs milliseconds.
struct SearchLimits {
  std::uint32_t most_records = 200'000;  ///< Records and users looked at.
  std::size_t most_buffers = 200;        ///< Kept; the others are only counted.
};

/// A buffer that a span used.
struct UsedBuffer {
  std::uint32_t track = 0;
  std::uint32_t ordinal = 0;
  bytepack::UserRecord user;
  bool by_batch = false;  ///< What used it is the batch that the span ran in.
};

/// Buffers that a span used, by argument.
struct UsedBuffers {
  std::vector<UsedBuffer> buffers;
  std::uint32_t more = 0;     ///< How many were not kept.
  bool can_be_known = false;  ///< The span has a key and its device a memory track with users.
  bool complete = true;       ///< Whether all records were looked at.
};

/// Looks through the frees of the device's memory track (of all devices of the family for a span of
/// its Graph track). Costs O(records) up to the limit.
UsedBuffers buffers_of_span(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                            std::uint32_t record, const SearchLimits& limits = {});

/// The span that a user of a buffer stands for.
struct UserSpan {
  std::optional<Selection> span;  ///< The first that agrees.
  std::uint32_t count = 0;        ///< How many agree: replays share a key.
};

/// What stands for the users of a buffer, one each.
struct UserSpans {
  std::vector<UserSpan> spans;
  bool complete = true;  ///< Whether all records were looked at.
};

/// Looks through the spans of the memory track's device, and of its family's Graph track. Costs
/// O(records) up to the limit.
UserSpans spans_of_users(const trace::Trace& trace, io::PageReader& reader,
                         std::uint32_t memory_track, std::span<const bytepack::UserRecord> users,
                         const SearchLimits& limits = {});

/// A span as something that can be selected.
Selection selection_of_span(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                            std::uint32_t record);
/// A buffer of a memory track with an index.
Selection selection_of_buffer(const trace::Trace& trace, std::uint32_t track,
                              std::uint32_t ordinal);

/// Whether a plain name is that of a batch of kernels.
bool names_batch(std::string_view plain_name);

}  // namespace bytescope::app
