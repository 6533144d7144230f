#include "core/export/memory_copy.h"

#include <algorithm>

#include "core/export/kept_events.h"

namespace bytescope::exporting {

using bytepack::UserRecord;
using trace::MemoryIndex;

MemoryCopy::MemoryCopy(Job& job, std::uint32_t track, StringPlan& plan, const Placement& placement)
    : job_(job),
      track_(job.trace.tracks[track]),
      memory_(*track_.memory),
      plan_(plan),
      placement_(placement),
      reader_(job.trace.file) {}

bool MemoryCopy::keeps_event(std::uint32_t event) const {
  return keeps(memory_.buffers[MemoryIndex::ordinal(event)], job_.request.range);
}

/// Calls `visit` for each user of the free record that `cursor` has read; there may be millions.
template <class Visit>
void MemoryCopy::for_each_user(trace::MemoryCursor& cursor, Visit visit) {
  constexpr std::uint32_t portion = 4096;
  const std::uint32_t count = cursor.event().user_count;
  for (std::uint32_t first = 0; first < count && job_.step();) {
    users_.clear();
    cursor.append_users(first, portion, users_);
    if (users_.empty()) return;
    for (const UserRecord& user : users_) visit(user);
    first += static_cast<std::uint32_t>(users_.size());
  }
}

void MemoryCopy::measure(std::uint64_t& peak) {
  std::uint64_t live = 0;
  std::uint64_t most = 0;
  const bool has_users = !has_outlines() && job_.trace.dialect->user.stride != 0;
  trace::MemoryCursor cursor(reader_, *job_.trace.dialect, track_.head, &memory_);
  for (std::uint32_t i = 0; i < memory_.events.size() && job_.step(); ++i) {
    const std::uint32_t event = memory_.events[i];
    if (has_users && !cursor.next()) break;
    if (!keeps_event(event)) continue;
    const trace::Buffer buffer = memory_.buffers[MemoryIndex::ordinal(event)];
    plan_.use_name(buffer.dtype);
    const bool is_free = MemoryIndex::is_free(event);
    last_time_ = std::max(last_time_, memory_.event_time(i));
    live += is_free ? std::uint64_t{0} - buffer.bytes : buffer.bytes;
    most = std::max(most, live);
    if (is_free && has_users) {
      for_each_user(cursor, [this](const UserRecord& user) {
        if (user.name) plan_.use_name(*user.name);
        end_of_keys_ = std::max(end_of_keys_, std::uint64_t{user.run.value_or(0)} + 1);
      });
    }
  }
  if (job_.request.range) peak = most;
}

void MemoryCopy::write(bytepack::TraceWriter& writer) {
  if (has_outlines()) {
    write_outlines(writer);
  } else {
    write_events(writer);
  }
}

std::uint32_t MemoryCopy::written_name(std::uint32_t id) const {
  return placement_.first_string + plan_.name(id);
}

void MemoryCopy::note_free(std::uint32_t time) {
  if (!job_.trace.dialect->frees_at_end_mean_alive && time == memory_.end_time) ++frees_at_end_;
}

void MemoryCopy::write_events(bytepack::TraceWriter& writer) {
  trace::MemoryCursor cursor(reader_, *job_.trace.dialect, track_.head, &memory_);
  for (std::uint32_t i = 0; i < memory_.events.size() && cursor.next(); ++i) {
    const bool goes_on = keeps_event(memory_.events[i]) ? copy_event(cursor, writer) : job_.step();
    if (!goes_on) return;
  }
}

bool MemoryCopy::copy_event(trace::MemoryCursor& cursor, bytepack::TraceWriter& writer) {
  const bytepack::MemoryRecord& event = cursor.event();
  if (event.is_alloc) {
    writer.allocation(event.time + placement_.later_us, event.key, written_name(event.dtype),
                      event.length);
    return job_.count_event();
  }
  note_free(event.time);
  writer.begin_free(event.time + placement_.later_us, event.key, event.user_count);
  std::uint32_t written = 0;
  for_each_user(cursor, [&](const UserRecord& user) {
    UserRecord copy = user;
    copy.name = user.name ? written_name(*user.name) : placement_.first_string + plan_.empty();
    copy.run = user.run.value_or(0) + placement_.first_key;
    writer.user(copy);
    ++written;
  });
  return written == event.user_count && job_.count_event();
}

std::vector<std::uint64_t> MemoryCopy::outline_lengths() {
  std::vector<std::uint64_t> lengths;
  lengths.reserve(memory_.buffers.size());
  trace::MemoryCursor cursor(reader_, *job_.trace.dialect, track_.head, &memory_);
  while (lengths.size() < memory_.buffers.size() && cursor.next())
    lengths.push_back(cursor.outline().length);
  return lengths;
}

void MemoryCopy::write_outlines(bytepack::TraceWriter& writer) {
  const std::vector<std::uint64_t> lengths = outline_lengths();
  for (const std::uint32_t event : memory_.events) {
    const trace::Buffer buffer = memory_.buffers[MemoryIndex::ordinal(event)];
    if (!keeps(buffer, job_.request.range)) continue;
    if (buffer.key >= lengths.size()) return;
    if (MemoryIndex::is_free(event)) {
      note_free(buffer.freed);
      writer.begin_free(buffer.freed + placement_.later_us, buffer.key, 0);
    } else {
      writer.allocation(buffer.allocated + placement_.later_us, buffer.key,
                        written_name(buffer.dtype), lengths[buffer.key]);
    }
    if (!job_.count_event()) return;
  }
}

}  // namespace bytescope::exporting
