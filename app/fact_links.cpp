#include "app/fact_links.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/trace/ansi.h"
#include "core/trace/memory_records.h"
#include "render/timeline_model.h"

namespace bytescope::app {
namespace {

using bytepack::TrackKind;
using bytepack::UserRecord;

constexpr std::string_view memory_ending = " Memory";
constexpr std::string_view graph_ending = " Graph";

/// Plain names by position in `strings`, each decoded once.
class PlainNames {
public:
  PlainNames(const trace::Trace& trace, io::PageReader& reader) : trace_(trace), reader_(reader) {}

  const std::string& operator()(std::uint32_t id) {
    const auto [at, is_new] = names_.try_emplace(id);
    if (is_new) at->second = trace::plain_text(trace_.text(reader_, id));
    return at->second;
  }

  bool agree(std::uint32_t a, std::uint32_t b) { return a == b || (*this)(a) == (*this)(b); }

private:
  const trace::Trace& trace_;
  io::PageReader& reader_;
  std::unordered_map<std::uint32_t, std::string> names_;
};

/// How much may still be looked at.
class Allowance {
public:
  explicit Allowance(std::uint32_t records) : left_(records) {}
  /// Takes as much of `count` as is left.
  std::uint32_t take(std::uint32_t count) {
    const std::uint32_t taken = std::min(count, left_);
    exceeded_ = exceeded_ || taken < count;
    left_ -= taken;
    return taken;
  }
  bool exceeded() const { return exceeded_; }

private:
  std::uint32_t left_;
  bool exceeded_ = false;
};

std::optional<std::uint32_t> track_named(const trace::Trace& trace, std::string_view name,
                                         TrackKind kind) {
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i)
    if (trace.tracks[i].head.kind == kind && trace.tracks[i].head.name == name) return i;
  return std::nullopt;
}

/// The memory tracks on which a span of that track can have left users.
std::vector<std::uint32_t> memory_tracks_of(const trace::Trace& trace, std::uint32_t track) {
  const std::string& name = trace.tracks[track].head.name;
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const trace::Track& other = trace.tracks[i];
    if (!other.memory || !other.head.name.ends_with(memory_ending)) continue;
    const bool is_own = other.head.name == name + std::string(memory_ending);
    const bool is_of_family =
        name.ends_with(graph_ending) && render::family_of_track(other.head.name) ==
                                            name.substr(0, name.size() - graph_ending.size());
    if (is_own || is_of_family) found.push_back(i);
  }
  return found;
}

/// Looks for the buffers of one run.
class BufferSearch {
public:
  BufferSearch(const trace::Trace& trace, io::PageReader& reader, const bytepack::SpanRecord& span,
               const SearchLimits& limits, UsedBuffers& found)
      : trace_(trace),
        reader_(reader),
        names_(trace, reader),
        span_(span),
        most_buffers_(limits.most_buffers),
        found_(found),
        allowance_(limits.most_records) {}

  void look_through(std::uint32_t track) {
    const trace::Track& owner = trace_.tracks[track];
    trace::MemoryCursor cursor(reader_, *trace_.dialect, owner.head, owner.memory.get());
    while (!allowance_.exceeded() && cursor.next()) {
      allowance_.take(1);
      if (cursor.event().is_alloc || cursor.event().user_count == 0) continue;
      users_.clear();
      cursor.append_users(0, allowance_.take(cursor.event().user_count), users_);
      if (cursor.record() >= owner.memory->events.size()) return;
      const std::uint32_t ordinal =
          trace::MemoryIndex::ordinal(owner.memory->events[cursor.record()]);
      for (const UserRecord& user : users_) offer(track, ordinal, user);
    }
    found_.complete = found_.complete && !allowance_.exceeded();
  }

private:
  void offer(std::uint32_t track, std::uint32_t ordinal, const UserRecord& user) {
    if (user.run != span_.key || !user.name) return;
    const bool is_own = names_.agree(*user.name, span_.name);
    if (!is_own && !names_batch(names_(*user.name))) return;
    if (found_.buffers.size() < most_buffers_)
      found_.buffers.push_back({track, ordinal, user, !is_own});
    else
      ++found_.more;
  }

  const trace::Trace& trace_;
  io::PageReader& reader_;
  PlainNames names_;
  const bytepack::SpanRecord& span_;
  std::size_t most_buffers_;
  UsedBuffers& found_;
  Allowance allowance_;
  std::vector<UserRecord> users_;
};

/// Looks for the spans of the users of one buffer.
class SpanSearch {
public:
  SpanSearch(const trace::Trace& trace, io::PageReader& reader, std::span<const UserRecord> users,
             const SearchLimits& limits, UserSpans& found)
      : trace_(trace),
        reader_(reader),
        names_(trace, reader),
        users_(users),
        found_(found),
        allowance_(limits.most_records) {
    found_.spans.resize(users.size());
    for (std::size_t i = 0; i < users.size(); ++i)
      if (users[i].run && users[i].name) places_.emplace(*users[i].run, i);
  }

  bool is_pointless() const { return places_.empty(); }

  void look_through(std::uint32_t track) {
    const std::uint32_t count = trace_.tracks[track].head.count;
    const std::uint32_t looked_at = allowance_.take(count);
    for (std::uint32_t record = 0; record < looked_at; ++record) {
      const bytepack::SpanRecord span = trace_.span(reader_, track, record);
      if (!span.key) continue;
      const auto [first, last] = places_.equal_range(*span.key);
      for (auto at = first; at != last; ++at) offer(at->second, span, track, record);
    }
    found_.complete = found_.complete && looked_at == count;
  }

private:
  void offer(std::size_t place, const bytepack::SpanRecord& span, std::uint32_t track,
             std::uint32_t record) {
    const std::uint32_t name = *users_[place].name;
    if (!names_batch(names_(name)) && !names_.agree(name, span.name)) return;
    UserSpan& found = found_.spans[place];
    if (found.count++ == 0) found.span = selection_of_span(trace_, reader_, track, record);
  }

  const trace::Trace& trace_;
  io::PageReader& reader_;
  PlainNames names_;
  std::span<const UserRecord> users_;
  UserSpans& found_;
  Allowance allowance_;
  std::unordered_multimap<std::uint32_t, std::size_t> places_;
};

}  // namespace

bool names_batch(std::string_view plain_name) { return plain_name.starts_with("batched "); }

Selection selection_of_span(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                            std::uint32_t record) {
  const bytepack::SpanRecord span = trace.span(reader, track, record);
  Selection selection;
  selection.track = track;
  selection.number = record;
  const auto& index = trace.tracks[track].spans;
  selection.lane = index && !index->sampled ? index->lane(record) : 0;
  selection.begin_ns = trace::ns_from_unit(span.start);
  selection.length_ns = static_cast<double>(span.duration) * 1000;
  return selection;
}

Selection selection_of_buffer(const trace::Trace& trace, std::uint32_t track,
                              std::uint32_t ordinal) {
  const trace::MemoryIndex& memory = *trace.tracks[track].memory;
  const trace::Buffer& buffer = memory.buffers[ordinal];
  const std::uint32_t end = std::max(std::min(buffer.freed, memory.end_time), buffer.allocated);
  Selection selection;
  selection.kind = Selection::Kind::buffer;
  selection.track = track;
  selection.number = ordinal;
  selection.begin_ns = trace::ns_from_unit(buffer.allocated);
  selection.length_ns = static_cast<double>(end - buffer.allocated) * 1000;
  return selection;
}

UsedBuffers buffers_of_span(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                            std::uint32_t record, const SearchLimits& limits) {
  UsedBuffers found;
  const bytepack::SpanRecord span = trace.span(reader, track, record);
  const bytepack::UserLayout& user = trace.dialect->user;
  const std::vector<std::uint32_t> memory_tracks = memory_tracks_of(trace, track);
  found.can_be_known =
      span.key && !memory_tracks.empty() && user.stride != 0 && user.run >= 0 && user.name >= 0;
  if (!found.can_be_known) return found;
  BufferSearch search(trace, reader, span, limits, found);
  for (const std::uint32_t memory_track : memory_tracks) search.look_through(memory_track);
  const auto order = [](const UsedBuffer& used) {
    return std::tuple(used.by_batch, used.track, used.user.arg.value_or(0), used.ordinal);
  };
  std::stable_sort(
      found.buffers.begin(), found.buffers.end(),
      [&order](const UsedBuffer& a, const UsedBuffer& b) { return order(a) < order(b); });
  return found;
}

UserSpans spans_of_users(const trace::Trace& trace, io::PageReader& reader,
                         std::uint32_t memory_track, std::span<const UserRecord> users,
                         const SearchLimits& limits) {
  UserSpans found;
  SpanSearch search(trace, reader, users, limits, found);
  const std::string& name = trace.tracks[memory_track].head.name;
  if (search.is_pointless() || !name.ends_with(memory_ending)) return found;
  const std::string graph = render::family_of_track(name) + std::string(graph_ending);
  // The batch as a whole comes before the kernels in it.
  for (const std::string& wanted : {graph, name.substr(0, name.size() - memory_ending.size())})
    if (const auto track = track_named(trace, wanted, TrackKind::spans))
      search.look_through(*track);
  return found;
}

}  // namespace bytescope::app
