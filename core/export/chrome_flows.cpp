#include "core/export/chrome_flows.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "core/query/links.h"
#include "core/trace/info_facts.h"
#include "core/trace/memory_records.h"

namespace bytescope::exporting {
namespace {

using bytepack::UserRecord;
using query::TrackRecord;
using query::UserSpan;

/// Users that are looked up together: each lookup reads all spans of the device.
constexpr std::size_t users_at_a_time = std::size_t{1} << 18U;
/// More users of one buffer are not looked at.
constexpr std::uint32_t most_users = 4096;

/// The span of a user, where it is the only one that agrees.
std::optional<TrackRecord> only_span(const UserSpan& user) {
  return user.count == 1 ? user.span : std::nullopt;
}

}  // namespace

ChromeFlows::ChromeFlows(Job& job, ChromeSpans& spans, ChromeText& text)
    : job_(job), trace_(job.trace), spans_(spans), text_(text), reader_(trace_.file) {}

void ChromeFlows::write_buffers(std::uint32_t memory_track) {
  const bytepack::UserLayout& layout = trace_.dialect->user;
  if (layout.run < 0 || layout.name < 0 || layout.mode < 0) return;
  const trace::Track& owner = trace_.tracks[memory_track];
  trace::MemoryCursor cursor(reader_, *trace_.dialect, owner.head, owner.memory.get());
  std::vector<UserRecord> users;
  while (job_.step() && cursor.next() && cursor.record() < owner.memory->events.size()) {
    if (cursor.event().user_count < 2) continue;
    const std::uint32_t event = owner.memory->events[cursor.record()];
    const trace::Buffer buffer = owner.memory->buffers[trace::MemoryIndex::ordinal(event)];
    if (!keeps(buffer, job_.request.range)) continue;
    users.clear();
    cursor.append_users(0, most_users, users);
    add_users(users);
    if (users_.size() >= users_at_a_time) write_pairs(memory_track);
  }
  write_pairs(memory_track);
}

void ChromeFlows::add_users(const std::vector<UserRecord>& users) {
  const auto first = static_cast<std::uint32_t>(users_.size());
  std::optional<std::uint32_t> writer;
  for (std::uint32_t i = 0; i < users.size(); ++i) {
    const std::uint8_t mode = users[i].mode.value_or(0);
    if (mode != 1 && writer) pairs_.push_back({*writer, first + i});
    if (mode != 0) writer = first + i;
  }
  // Users that are part of no pair need not be looked up, but then places would not be numbers.
  if (writer) users_.insert(users_.end(), users.begin(), users.end());
}

void ChromeFlows::write_pairs(std::uint32_t memory_track) {
  if (!pairs_.empty() && job_.goes_on()) {
    const query::UserSpans found =
        query::spans_of_users(trace_, reader_, {memory_track, users_}, {}, job_.cancel);
    std::vector<std::pair<TrackRecord, TrackRecord>> flows;
    for (const Pair& pair : pairs_) {
      const auto from = only_span(found.spans[pair.writer]);
      const auto to = only_span(found.spans[pair.reader]);
      if (from && to && *from != *to) flows.emplace_back(*from, *to);
    }
    const auto order = [](const std::pair<TrackRecord, TrackRecord>& flow) {
      return std::tuple(flow.first.track, flow.first.record, flow.second.track, flow.second.record);
    };
    std::sort(flows.begin(), flows.end(),
              [&order](const auto& a, const auto& b) { return order(a) < order(b); });
    flows.erase(std::unique(flows.begin(), flows.end()), flows.end());
    for (const auto& [from, to] : flows)
      if (job_.step()) write_flow("buffer", from, to);
  }
  users_.clear();
  pairs_.clear();
}

void ChromeFlows::write_causes(std::uint32_t track) {
  std::unordered_map<std::string, std::uint32_t> rows;
  for (std::uint32_t i = 0; i < trace_.tracks.size(); ++i)
    if (trace_.tracks[i].head.kind == bytepack::TrackKind::spans)
      rows.try_emplace(trace_.tracks[i].head.name, i);
  for_each_kept(trace_, track, spans_.kept(track),
                [&](std::uint32_t record, const bytepack::SpanRecord& span) {
                  const auto link = trace::parse_info(trace_.text(reader_, span.info)).link;
                  const auto row = link ? rows.find(link->row) : rows.end();
                  if (row != rows.end() && link->index < trace_.tracks[row->second].head.count) {
                    write_flow("cause", {row->second, static_cast<std::uint32_t>(link->index)},
                               {track, record});
                  }
                  return job_.step();
                });
}

void ChromeFlows::write_flow(const char* kind, TrackRecord from, TrackRecord to) {
  const auto begin = spans_.point(from);
  const auto end = spans_.point(to);
  // A flow cannot go back in time.
  if (!begin || !end || begin->start > end->start) return;
  const auto append = [&](const ChromePoint& point, const char* head) {
    fmt::format_to(std::back_inserter(text_.text()),
                   R"({{{},"name":"{}","cat":"{}","id":{},"pid":{},"tid":{},"ts":{}}},)"
                   "\n",
                   head, kind, kind, next_id_, point.pid, point.tid, point.start);
  };
  append(*begin, R"("ph":"s")");
  append(*end, R"("ph":"f","bp":"e")");
  ++next_id_;
  text_.may_flush();
}

}  // namespace bytescope::exporting
