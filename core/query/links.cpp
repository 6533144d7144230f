#include "core/query/links.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/query/batches.h"
#include "core/query/plain_names.h"
#include "core/query/span_scan.h"
#include "core/trace/memory_records.h"

namespace bytescope::query {
namespace {

using bytepack::SpanRecord;
using bytepack::TrackKind;
using bytepack::UserRecord;

constexpr std::string_view memory_ending = " Memory";
constexpr std::string_view graph_ending = " Graph";
constexpr std::uint32_t users_at_a_time = 4096;

/// How much may still be looked at.
class Allowance {
public:
  explicit Allowance(std::uint64_t records) : left_(records) {}
  /// Takes as much of `count` as is left.
  std::uint32_t take(std::uint32_t count) {
    const auto taken = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, left_));
    exceeded_ = exceeded_ || taken < count;
    left_ -= taken;
    return taken;
  }
  std::uint64_t left() const { return left_; }
  bool exceeded() const { return exceeded_; }

private:
  std::uint64_t left_;
  bool exceeded_ = false;
};

std::optional<std::uint32_t> span_track_named(const trace::Trace& trace, std::string_view name) {
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i)
    if (trace.tracks[i].head.kind == TrackKind::spans && trace.tracks[i].head.name == name)
      return i;
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
    const bool is_of_family = name.ends_with(graph_ending) &&
                              other.file_and_family() == trace.tracks[track].file_and_family();
    if (is_own || is_of_family) found.push_back(i);
  }
  return found;
}

bool is_copy(const trace::Trace& trace, std::uint32_t track, const std::string& plain_name) {
  return trace::category_of(trace.tracks[track].role, plain_name) == trace::Category::copy;
}

/// The runs that a span belongs to, and what it is.
struct Wanted {
  std::set<std::uint32_t> runs;
  std::string name;
  bool is_batch = false;
};

/// The keys of the kernels of the family under a span of its Graph track.
void add_covered_runs(const trace::Trace& trace, io::PageReader& reader, std::uint32_t graph,
                      const SpanRecord& batch, Allowance& allowance, Wanted& wanted) {
  constexpr std::size_t most_runs = 4096;
  const std::string_view family = trace.tracks[graph].file_and_family();
  for (std::uint32_t track = 0; track < trace.tracks.size(); ++track) {
    const trace::Track& device = trace.tracks[track];
    if (device.role != trace::TrackRole::device || device.head.kind != TrackKind::spans ||
        device.file_and_family() != family)
      continue;
    const std::uint32_t begin = first_starting_from(trace, reader, track, batch.start);
    for (std::uint32_t i = begin; i < device.head.count && wanted.runs.size() < most_runs; ++i) {
      if (allowance.take(1) == 0) return;
      const SpanRecord span = trace.span(reader, track, i);
      if (static_cast<double>(span.start) > batch.end()) break;
      if (span.key) wanted.runs.insert(*span.key);
    }
  }
}

/// Looks for the buffers of one span.
class BufferSearch {
public:
  BufferSearch(const trace::Trace& trace, PlainNames& names, const Batches& batches,
               const SpanRecord& span, Wanted wanted, std::size_t most_buffers, UsedBuffers& found)
      : trace_(trace),
        names_(names),
        batches_(batches),
        span_(span),
        wanted_(std::move(wanted)),
        most_buffers_(most_buffers),
        found_(found) {}

  void look_through(io::PageReader& reader, std::uint32_t track, Allowance& allowance,
                    const Cancel& cancel) {
    const trace::Track& owner = trace_.tracks[track];
    trace::MemoryCursor cursor(reader, *trace_.dialect, owner.head, owner.memory.get());
    while (!allowance.exceeded() && cursor.next()) {
      constexpr std::uint32_t records_between_looks = 1024;
      if (cursor.record() % records_between_looks == 0 && cancel.requested()) {
        found_.complete = false;
        return;
      }
      allowance.take(1);
      if (cursor.event().is_alloc || cursor.event().user_count == 0) continue;
      if (cursor.record() >= owner.memory->events.size()) return;
      const std::uint32_t ordinal =
          trace::MemoryIndex::ordinal(owner.memory->events[cursor.record()]);
      offer_users(cursor, track, ordinal, allowance);
    }
  }

private:
  void offer_users(trace::MemoryCursor& cursor, std::uint32_t track, std::uint32_t ordinal,
                   Allowance& allowance) {
    const std::uint32_t count = allowance.take(cursor.event().user_count);
    for (std::uint32_t first = 0; first < count; first += users_at_a_time) {
      users_.clear();
      cursor.append_users(first, std::min(users_at_a_time, count - first), users_);
      for (const UserRecord& user : users_) offer(track, ordinal, user);
      if (users_.empty() || count - first <= users_at_a_time) return;
    }
  }

  void offer(std::uint32_t track, std::uint32_t ordinal, const UserRecord& user) {
    if (!user.run || !user.name || !wanted_.runs.contains(*user.run)) return;
    const bool is_own = names_.agree(*user.name, span_.name);
    if (!is_own && !is_of_its_batch(*user.name)) return;
    if (found_.buffers.size() < most_buffers_) {
      const std::uint64_t bytes = trace_.tracks[track].memory->buffers[ordinal].bytes;
      found_.buffers.push_back({track, ordinal, user, !is_own, bytes});
    } else {
      ++found_.more;
    }
  }

  bool is_of_its_batch(std::uint32_t user_name) {
    const std::string& name = names_(user_name);
    if (wanted_.is_batch || !names_batch(name)) return false;
    return batches_.named(name).empty() || batches_.covering(name, span_.start) != nullptr;
  }

  const trace::Trace& trace_;
  PlainNames& names_;
  const Batches& batches_;
  const SpanRecord& span_;
  Wanted wanted_;
  std::size_t most_buffers_;
  UsedBuffers& found_;
  std::vector<UserRecord> users_;
};

/// Looks for the spans of the users of one buffer.
class SpanSearch {
public:
  SpanSearch(const trace::Trace& trace, PlainNames& names, const Batches& batches,
             std::span<const UserRecord> users, const SpanChoice& choice, UserSpans& found)
      : trace_(trace),
        names_(names),
        batches_(batches),
        users_(users),
        choice_(choice),
        found_(found) {
    found_.spans.resize(users.size());
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> first_of;
    for (std::size_t i = 0; i < users.size(); ++i) {
      if (!users[i].run || !users[i].name) continue;
      const auto [same, is_new] = first_of.try_emplace({*users[i].run, *users[i].name}, i);
      if (is_new) {
        places_.emplace(*users[i].run, i);
        set_filter(*users[i].run);
      } else {
        repeated_.emplace_back(i, same->second);
      }
    }
  }

  bool is_pointless() const { return places_.empty(); }

  /// Gives users that occur again what was found for the first of them.
  void finish() {
    for (const auto& [place, first] : repeated_) found_.spans[place] = found_.spans[first];
  }

  /// Batches whose span has a key are found by it.
  void look_through_batches() {
    for (const auto& [run, place] : places_) {
      const std::string& name = names_(*users_[place].name);
      if (!names_batch(name)) continue;
      for (const Batches::Batch& batch : batches_.named(name))
        if (batch.key == run) take_batch(place, batch);
    }
  }

  void look_through(std::uint32_t track, Allowance& allowance, const Cancel& cancel) {
    const std::uint32_t count = allowance.take(trace_.tracks[track].head.count);
    const bytepack::SpanLayout& layout = trace_.dialect->span;
    if (layout.key < 0) return;
    const bool done = for_each_span(
        trace_, track, 0, count, cancel, [&](std::uint32_t record, const std::byte* bytes) {
          const auto key = bytepack::load_optional<std::uint32_t>(bytes + layout.key);
          if (!key || !may_be_wanted(*key)) return;
          const auto [first, last] = places_.equal_range(*key);
          for (auto at = first; at != last && !stopped_; ++at) {
            offer(at->second, bytepack::decode_span(layout, bytes), track, record);
            // A hostile file may have very many users and spans of one run.
            stopped_ = ++offers_ % offers_between_looks == 0 && cancel.requested();
          }
        });
    found_.complete = found_.complete && done && !stopped_;
  }

private:
  static constexpr std::size_t filter_bits = 1 << 14;
  static constexpr std::uint64_t offers_between_looks = 1 << 16;
  static std::size_t filter_bit(std::uint32_t run) { return (run * 0x9E3779B1U) >> 18U; }
  void set_filter(std::uint32_t run) {
    filter_[filter_bit(run) / 64] |= std::uint64_t{1} << (filter_bit(run) % 64);
  }
  /// Quick and nearly always right about keys that nobody asks for.
  bool may_be_wanted(std::uint32_t run) const {
    return (filter_[filter_bit(run) / 64] >> (filter_bit(run) % 64) & 1U) != 0;
  }

  void offer(std::size_t place, const SpanRecord& span, std::uint32_t track, std::uint32_t record) {
    const std::uint32_t user_name = *users_[place].name;
    if (is_copy(trace_, track, names_(span.name))) return;
    if (names_.agree(user_name, span.name)) {
      take(place, {track, record}, span.start, span.duration);
      return;
    }
    const std::string name = names_(user_name);
    if (!names_batch(name)) return;
    if (batches_.named(name).empty()) {
      take(place, {track, record}, span.start, span.duration);
      return;
    }
    const Batches::Batch* batch = batches_.covering(name, span.start);
    if (batch == nullptr) return;
    ++found_.spans[place].count;
    if (taken_batches_.insert({place, batch->record}).second && !batch->key)
      take_batch(place, *batch);
  }

  void take_batch(std::size_t place, const Batches::Batch& batch) {
    take(place, {*batches_.track(), batch.record}, batch.start, batch.duration);
  }

  void take(std::size_t place, TrackRecord span, std::uint32_t start, float duration) {
    UserSpan& found = found_.spans[place];
    ++found.count;
    const std::int64_t start_ns = trace::ns_from_unit(start);
    bool is_better =
        !found.span || (choice_.rule == SpanChoice::Rule::first &&
                        ends_before(found.start, found.duration) && !ends_before(start, duration));
    if (choice_.rule == SpanChoice::Rule::last_before) {
      if (start_ns >= choice_.time_ns) return;
      is_better = is_better || start >= found.start;
    }
    if (choice_.rule == SpanChoice::Rule::first_from) {
      if (start_ns < choice_.time_ns) return;
      is_better = is_better || start < found.start;
    }
    if (!is_better) return;
    found.span = span;
    found.start = start;
    found.duration = duration;
  }

  /// Whether a span was over before the time of the choice.
  bool ends_before(std::uint32_t start, float duration) const {
    // Starts are cut to whole units.
    const double end = static_cast<double>(start) + static_cast<double>(duration) + 1;
    return end * 1000 < static_cast<double>(choice_.time_ns);
  }

  const trace::Trace& trace_;
  PlainNames& names_;
  const Batches& batches_;
  std::span<const UserRecord> users_;
  const SpanChoice& choice_;
  UserSpans& found_;
  std::unordered_multimap<std::uint32_t, std::size_t> places_;
  std::array<std::uint64_t, filter_bits / 64> filter_{};
  std::set<std::pair<std::size_t, std::uint32_t>> taken_batches_;
  std::vector<std::pair<std::size_t, std::size_t>> repeated_;  ///< Place, place of the first.
  std::uint64_t offers_ = 0;
  bool stopped_ = false;
};

void sort_by_argument(std::vector<UsedBuffer>& buffers) {
  const auto order = [](const UsedBuffer& used) {
    return std::tuple(used.by_batch, used.track, used.user.arg.value_or(0), used.ordinal);
  };
  std::stable_sort(
      buffers.begin(), buffers.end(),
      [&order](const UsedBuffer& a, const UsedBuffer& b) { return order(a) < order(b); });
}

}  // namespace

bool names_batch(std::string_view plain_name) { return plain_name.starts_with("batched "); }

UsedBuffers buffers_of_span(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                            std::uint32_t record, const LinkLimits& limits, const Cancel& cancel) {
  UsedBuffers found;
  const SpanRecord span = trace.span(reader, track, record);
  const bytepack::UserLayout& user = trace.dialect->user;
  const std::vector<std::uint32_t> memory_tracks = memory_tracks_of(trace, track);
  if (memory_tracks.empty() || user.stride == 0 || user.run < 0 || user.name < 0) return found;
  PlainNames names(trace, reader);
  Wanted wanted;
  wanted.name = names(span.name);
  wanted.is_batch = names_batch(wanted.name);
  if (is_copy(trace, track, wanted.name)) return found;
  Allowance allowance(limits.most_records);
  if (span.key) {
    wanted.runs.insert(*span.key);
  } else if (wanted.is_batch && trace.tracks[track].role == trace::TrackRole::graph) {
    add_covered_runs(trace, reader, track, span, allowance, wanted);
  }
  found.can_be_known = !wanted.runs.empty();
  if (!found.can_be_known) return found;
  const Batches batches(trace, names, track, UINT64_MAX);
  BufferSearch search(trace, names, batches, span, std::move(wanted), limits.most_buffers, found);
  for (const std::uint32_t memory_track : memory_tracks)
    search.look_through(reader, memory_track, allowance, cancel);
  found.complete = found.complete && !allowance.exceeded();
  sort_by_argument(found.buffers);
  return found;
}

UserSpans spans_of_users(const trace::Trace& trace, io::PageReader& reader,
                         const UserQuestion& question, const LinkLimits& limits,
                         const Cancel& cancel) {
  UserSpans found;
  found.spans.resize(question.users.size());
  const std::string& name = trace.tracks[question.memory_track].head.name;
  if (!name.ends_with(memory_ending)) return found;
  PlainNames names(trace, reader);
  Allowance allowance(limits.most_records);
  const Batches batches(trace, names, question.memory_track, allowance.left());
  allowance.take(static_cast<std::uint32_t>(batches.records_read()));
  SpanSearch search(trace, names, batches, question.users, question.choice, found);
  if (search.is_pointless()) return found;
  search.look_through_batches();
  const auto device =
      span_track_named(trace, std::string_view(name).substr(0, name.size() - memory_ending.size()));
  if (device) search.look_through(*device, allowance, cancel);
  search.finish();
  found.complete = found.complete && batches.complete() && !allowance.exceeded();
  return found;
}

BufferLinks links_of_buffer(const trace::Trace& trace, io::PageReader& reader,
                            std::uint32_t memory_track, std::uint32_t ordinal, const Cancel& cancel,
                            std::uint32_t most_users) {
  BufferLinks links;
  const trace::Track& owner = trace.tracks[memory_track];
  trace::BufferUsers users =
      trace::users_of(reader, *trace.dialect, owner.head, *owner.memory, ordinal, most_users);
  links.users = std::move(users.users);
  links.total = users.total;
  const std::int64_t allocated_ns = trace::ns_from_unit(owner.memory->buffers[ordinal].allocated);
  links.spans = spans_of_users(trace, reader,
                               {memory_track, links.users, {SpanChoice::Rule::first, allocated_ns}},
                               {}, cancel);
  return links;
}

}  // namespace bytescope::query
