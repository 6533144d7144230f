#include <algorithm>
#include <iterator>

#include "core/query/links.h"
#include "core/query/plain_names.h"
#include "core/trace/memory_records.h"

// Who wrote what a span reads, and who reads what it writes: the users of a buffer are recorded in
// the order in which they ran.

namespace bytescope::query {
namespace {

using bytepack::UserRecord;

constexpr std::uint32_t most_users = 4096;
constexpr std::size_t most_buffers = 256;

bool reads(const UserRecord& user) { return user.mode && *user.mode != 1; }
bool writes(const UserRecord& user) { return user.mode && *user.mode != 0; }

std::vector<UserRecord> users_of(const trace::Trace& trace, io::PageReader& reader,
                                 std::uint32_t memory_track, std::uint32_t ordinal) {
  const trace::Track& owner = trace.tracks[memory_track];
  return trace::users_of(reader, *trace.dialect, owner.head, *owner.memory, ordinal, most_users)
      .users;
}

/// Users of several buffers of one memory track, to be looked up together.
struct Candidates {
  std::uint32_t memory_track = 0;
  std::vector<UserRecord> users;
  std::vector<std::size_t> ends;  ///< Of each buffer's users.
};

/// Appends the users that write and come before one, the last first (`step` −1), or those that read
/// and come behind it.
void append_around(const std::vector<UserRecord>& users, const UserRecord& itself, int step,
                   std::vector<UserRecord>& out) {
  const auto is_itself = [&itself](const UserRecord& user) {
    return user.run == itself.run && user.name == itself.name;
  };
  if (step < 0) {
    const auto own = std::find_if(users.begin(), users.end(), is_itself);
    std::copy_if(std::make_reverse_iterator(own), users.rend(), std::back_inserter(out), writes);
  } else {
    const auto own = std::find_if(users.rbegin(), users.rend(), is_itself).base();
    std::copy_if(own, users.end(), std::back_inserter(out), reads);
  }
}

/// The users of each buffer that `span` uses which come before it (`step` −1, last first) or behind
/// it and do what is wanted.
std::vector<Candidates> candidates_of(const trace::Trace& trace, io::PageReader& reader,
                                      const UsedBuffers& used, int step) {
  std::vector<Candidates> all;
  for (const UsedBuffer& buffer : used.buffers) {
    const bool is_wanted = step < 0 ? reads(buffer.user) : writes(buffer.user);
    if (buffer.by_batch || !is_wanted) continue;
    if (all.empty() || all.back().memory_track != buffer.track)
      all.push_back({buffer.track, {}, {}});
    const std::vector<UserRecord> users = users_of(trace, reader, buffer.track, buffer.ordinal);
    append_around(users, buffer.user, step, all.back().users);
    all.back().ends.push_back(all.back().users.size());
  }
  return all;
}

/// The chosen one of the nearest user with a span of each buffer.
std::optional<TrackRecord> neighbour_of_span(const trace::Trace& trace, io::PageReader& reader,
                                             std::uint32_t track, std::uint32_t record, int step,
                                             const Cancel& cancel) {
  LinkLimits limits;
  limits.most_buffers = most_buffers;
  const UsedBuffers used = buffers_of_span(trace, reader, track, record, limits, cancel);
  const bytepack::SpanRecord span = trace.span(reader, track, record);
  const std::int64_t start_ns = trace::ns_from_unit(span.start);
  const SpanChoice choice{step < 0 ? SpanChoice::Rule::last_before : SpanChoice::Rule::first_from,
                          start_ns};
  std::optional<UserSpan> best;
  for (const Candidates& candidates : candidates_of(trace, reader, used, step)) {
    const UserSpans spans = spans_of_users(
        trace, reader, {candidates.memory_track, candidates.users, choice}, {}, cancel);
    std::size_t begin = 0;
    for (const std::size_t end : candidates.ends) {
      const auto nearest = std::find_if(
          spans.spans.begin() + static_cast<std::ptrdiff_t>(begin),
          spans.spans.begin() + static_cast<std::ptrdiff_t>(end), [&](const UserSpan& user) {
            return user.span && *user.span != TrackRecord{track, record};
          });
      const bool found = nearest != spans.spans.begin() + static_cast<std::ptrdiff_t>(end);
      begin = end;
      if (!found) continue;
      const bool is_better =
          !best || (step < 0 ? nearest->start > best->start : nearest->start < best->start);
      if (is_better) best = *nearest;
    }
  }
  return best ? best->span : std::nullopt;
}

}  // namespace

std::optional<TrackRecord> producer_of_buffer(const trace::Trace& trace, io::PageReader& reader,
                                              std::uint32_t memory_track, std::uint32_t ordinal,
                                              const Cancel& cancel, std::int64_t before_ns) {
  std::vector<UserRecord> users = users_of(trace, reader, memory_track, ordinal);
  std::erase_if(users, [](const UserRecord& user) { return !writes(user); });
  const UserSpans before = spans_of_users(
      trace, reader, {memory_track, users, {SpanChoice::Rule::last_before, before_ns}}, {}, cancel);
  const auto has_span = [](const UserSpan& user) { return user.span.has_value(); };
  const auto last = std::find_if(before.spans.rbegin(), before.spans.rend(), has_span);
  if (last != before.spans.rend()) return last->span;
  const UserSpans any = spans_of_users(trace, reader, {memory_track, users}, {}, cancel);
  const auto first = std::find_if(any.spans.begin(), any.spans.end(), has_span);
  return first == any.spans.end() ? std::nullopt : first->span;
}

std::optional<TrackRecord> consumer_of_buffer(const trace::Trace& trace, io::PageReader& reader,
                                              std::uint32_t memory_track, std::uint32_t ordinal,
                                              const Cancel& cancel, std::int64_t from_ns) {
  std::vector<UserRecord> users = users_of(trace, reader, memory_track, ordinal);
  std::erase_if(users, [](const UserRecord& user) { return !reads(user); });
  const UserSpans from = spans_of_users(
      trace, reader, {memory_track, users, {SpanChoice::Rule::first_from, from_ns}}, {}, cancel);
  const auto first = std::find_if(from.spans.begin(), from.spans.end(),
                                  [](const UserSpan& user) { return user.span.has_value(); });
  return first == from.spans.end() ? std::nullopt : first->span;
}

std::optional<TrackRecord> producer_of_span(const trace::Trace& trace, io::PageReader& reader,
                                            std::uint32_t track, std::uint32_t record,
                                            const Cancel& cancel) {
  return neighbour_of_span(trace, reader, track, record, -1, cancel);
}

std::optional<TrackRecord> consumer_of_span(const trace::Trace& trace, io::PageReader& reader,
                                            std::uint32_t track, std::uint32_t record,
                                            const Cancel& cancel) {
  return neighbour_of_span(trace, reader, track, record, 1, cancel);
}

}  // namespace bytescope::query
