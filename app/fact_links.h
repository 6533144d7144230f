#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/view_state.h"
#include "core/bytepack/records.h"
#include "core/io/page_reader.h"
#include "core/query/links.h"
#include "core/trace/trace.h"

// The links of core/query/links.h as things that can be selected, found within milliseconds.

namespace bytescope::app {

using query::names_batch;
using query::UsedBuffer;
using query::UsedBuffers;

/// When a search gives up, so that it costs milliseconds.
struct SearchLimits {
  std::uint32_t most_records = 200'000;  ///< Records and users looked at.
  std::size_t most_buffers = 200;        ///< Kept; the others are only counted.
};

/// query::buffers_of_span() up to the limit.
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

/// query::spans_of_users() up to the limit.
UserSpans spans_of_users(const trace::Trace& trace, io::PageReader& reader,
                         std::uint32_t memory_track, std::span<const bytepack::UserRecord> users,
                         const SearchLimits& limits = {});

/// A span as something that can be selected.
Selection selection_of_span(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                            std::uint32_t record);
/// A buffer of a memory track with an index.
Selection selection_of_buffer(const trace::Trace& trace, std::uint32_t track,
                              std::uint32_t ordinal);

}  // namespace bytescope::app
