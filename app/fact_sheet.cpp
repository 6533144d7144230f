#include "app/fact_sheet.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "app/fact_links.h"
#include "core/query/memory_curve.h"
#include "core/trace/ansi.h"
#include "core/trace/info_facts.h"
#include "core/trace/kernel_name.h"
#include "core/trace/memory_records.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

using trace::Buffer;
using trace::count_text;

// What is shown of a text, however long it is in the file.
constexpr std::size_t most_info_bytes = 1 << 20;
constexpr std::size_t most_value_bytes = 4000;
constexpr std::size_t most_rows = 200;

constexpr const char* dot = " \u00B7 ";

std::string shown(std::string text) {
  if (text.size() > most_value_bytes) text.resize(most_value_bytes);
  return text;
}

void add(FactSection& section, std::string label, std::string value) {
  section.rows.push_back({std::move(label), shown(std::move(value)), false, std::nullopt});
}

void add_text(FactSection& section, std::string label, std::string value) {
  section.rows.push_back({std::move(label), shown(std::move(value)), true, std::nullopt});
}

/// Labels here begin small.
std::string small_first(std::string label) {
  if (!label.empty())
    label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
  return label;
}

/// Appends a section that has rows.
void append(FactSheet& sheet, FactSection section) {
  // Buffers and users are cut before, with notes behind them.
  constexpr std::size_t most_with_notes = most_rows + 2;
  if (section.rows.size() > most_with_notes) {
    const std::size_t more = section.rows.size() - most_rows;
    section.rows.resize(most_rows);
    add(section, fmt::format("and {} more", count_text(more)), "");
  }
  if (!section.rows.empty()) sheet.sections.push_back(std::move(section));
}

/// `global 64 × 16`: the sizes of one kind in a row, in the order of the name.
void add_dimensions(FactSection& section, const std::string& raw_name) {
  std::vector<std::pair<trace::DimensionKind, std::string>> kinds;
  for (const trace::Dimension& dimension : trace::dimensions(raw_name)) {
    const auto known = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const auto& kind) { return kind.first == dimension.kind; });
    if (known == kinds.end())
      kinds.emplace_back(dimension.kind, dimension.size);
    else
      known->second.append(" \u00D7 ").append(dimension.size);
  }
  for (const auto& [kind, sizes] : kinds) add(section, std::string(text(kind)), sizes);
}

/// The span that caused this one, if there is such a span.
std::optional<Selection> cause_of(const trace::Trace& trace, io::PageReader& reader,
                                  const trace::SpanLink& link) {
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
    const bytepack::TrackHead& head = trace.tracks[i].head;
    if (head.kind != bytepack::TrackKind::spans || head.name != link.row) continue;
    if (link.index >= head.count) return std::nullopt;
    return selection_of_span(trace, reader, i, static_cast<std::uint32_t>(link.index));
  }
  return std::nullopt;
}

/// Measured rates, program counter and cause.
void add_measurements(const trace::Trace& trace, io::PageReader& reader,
                      const trace::InfoFacts& facts, FactSection& section) {
  trace::InfoFacts short_facts;
  short_facts.rates = facts.rates;
  short_facts.program_counter = facts.program_counter;
  short_facts.link = facts.link;
  for (trace::Fact& fact : trace::facts_for_display(short_facts))
    add(section, small_first(std::move(fact.label)), std::move(fact.value));
  if (facts.link) section.rows.back().link = cause_of(trace, reader, *facts.link);
  if (!facts.program_counter) return;
  const auto instruction = trace.index->pc_map.find(*facts.program_counter);
  if (instruction != trace.index->pc_map.end())
    add_text(section, "instruction", instruction->second);
}

/// Where it comes from: operations, notes, call stack.
void append_origin(const trace::InfoFacts& facts, FactSheet& sheet) {
  FactSection origin{"From", {}};
  for (const std::string& line : facts.metadata) add_text(origin, "", line);
  append(sheet, std::move(origin));
  FactSection info{"Info", {}};
  for (const std::string& line : facts.other) add_text(info, "", line);
  append(sheet, std::move(info));
  FactSection stack{"Call stack", {}};
  for (const trace::CallFrame& frame : facts.call_stack) {
    std::string place = fmt::format("{}:{}", frame.file, frame.line);
    if (!frame.function.empty()) place += " in " + frame.function;
    if (!frame.code.empty()) place += "\n  " + frame.code;
    add_text(stack, "", std::move(place));
  }
  append(sheet, std::move(stack));
}

/// `write data0`; what the dialect lacks is left out.
std::string argument_text(const bytepack::UserRecord& user) {
  static constexpr const char* modes[] = {"read", "write", "read, write"};
  std::string text = user.mode && *user.mode < 3 ? modes[*user.mode] : "used";
  if (user.arg) text += fmt::format(" data{}", *user.arg);
  return text;
}

void append_buffers(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                    std::uint32_t record, FactSheet& sheet) {
  const UsedBuffers used = buffers_of_span(trace, reader, track, record);
  if (!used.can_be_known) return;
  FactSection own{"Buffers", {}};
  FactSection of_batch{"Buffers of its batch", {}};
  for (const UsedBuffer& buffer : used.buffers) {
    FactSection& section = buffer.by_batch ? of_batch : own;
    add(section, argument_text(buffer.user),
        trace::bytes_text(trace.tracks[buffer.track].memory->buffers[buffer.ordinal].bytes));
    section.rows.back().link = selection_of_buffer(trace, buffer.track, buffer.ordinal);
  }
  if (used.buffers.empty()) add(own, "none under this name and key", "");
  FactSection& last = of_batch.rows.empty() ? own : of_batch;
  if (used.more > 0) add(last, fmt::format("and {} more", count_text(used.more)), "");
  if (!used.complete)
    add(last, fmt::format("looked at {} records only", count_text(SearchLimits().most_records)),
        "");
  append(sheet, std::move(own));
  append(sheet, std::move(of_batch));
}

/// Where the program was compiled and how often it ran: all spans of one `ref`.
void append_program(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                    std::uint32_t record, std::uint32_t ref, FactSheet& sheet) {
  const query::ProgramLinks program = query::program_links(trace, ref, Cancel());
  FactSection section{"Program", {}};
  const auto link_to = [&](const query::SpanPlace& place) {
    if (place.track != track || place.record != record)
      section.rows.back().link = selection_of_span(trace, reader, place.track, place.record);
  };
  if (program.compiled) {
    add(section, "compiled in",
        render::duration_text(static_cast<double>(program.compile_duration) * 1000, trace.unit));
    link_to(*program.compiled);
    add(section, "compiled at",
        render::time_text(trace::ns_from_unit(program.compile_start), trace.unit));
  }
  if (program.runs > 0) add(section, "ran", count_text(program.runs) + " times");
  if (program.first_run) {
    add(section, "first run", trace::single_line(trace.tracks[program.first_run->track].head.name));
    link_to(*program.first_run);
  }
  append(sheet, std::move(section));
}

std::string place_text(const trace::Track& track, std::uint32_t record) {
  std::string text = trace::single_line(track.head.name);
  if (track.spans && !track.spans->sampled && track.spans->lane_count > 1)
    text += fmt::format("{}lane {}", dot, track.spans->lane(record));
  return text;
}

const char* lifetime_text(trace::Lifetime lifetime) {
  switch (lifetime) {
    case trace::Lifetime::never_freed: return "never freed";
    case trace::Lifetime::long_lived: return "long-lived";
    case trace::Lifetime::transient: return "transient";
  }
  return "";
}

std::string size_text(std::uint64_t bytes) {
  const std::string rounded = trace::bytes_text(bytes);
  return bytes < 1000 ? rounded : rounded + dot + trace::exact_bytes_text(bytes);
}

/// One user of a buffer: its name, linked to its span or marked "no span".
FactRow user_row(const trace::Trace& trace, io::PageReader& reader,
                 const bytepack::UserRecord& user, const UserSpan& span) {
  FactRow row;
  row.label = argument_text(user);
  if (user.name)
    row.value = trace::single_line(trace::plain_text(trace.text(reader, *user.name)));
  else if (user.run)
    row.value = fmt::format("run {}", *user.run);
  if (span.count > 1) row.value += fmt::format("{}{} spans", dot, count_text(span.count));
  if (span.count == 0) row.value += fmt::format("{}no span", dot);
  row.value = shown(std::move(row.value));
  row.link = span.span;
  return row;
}

void append_users(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                  const trace::BufferUsers& users, FactSheet& sheet) {
  FactSection section{"Users", {}};
  const UserSpans spans = spans_of_users(trace, reader, track, users.users);
  for (std::size_t i = 0; i < users.users.size(); ++i)
    section.rows.push_back(user_row(trace, reader, users.users[i], spans.spans[i]));
  if (users.total > users.users.size())
    add(section, fmt::format("and {} more", count_text(users.total - users.users.size())), "");
  if (!spans.complete)
    add(section, fmt::format("looked at {} spans only", count_text(SearchLimits().most_records)),
        "");
  append(sheet, std::move(section));
}

std::string user_count_text(const trace::Trace& trace, const trace::BufferUsers& users) {
  if (trace.dialect->user.stride == 0) return "not in this file";
  if (users.total == 0) return "no recorded user";
  return count_text(users.total);
}

FactSection buffer_facts(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                         const Buffer& buffer) {
  const trace::MemoryIndex& memory = *trace.tracks[track].memory;
  const bool polygons = trace.dialect->memory == bytepack::MemoryForm::polygons;
  const std::int64_t allocated_ns = trace::ns_from_unit(buffer.allocated);
  const std::uint32_t end = std::max(std::min(buffer.freed, memory.end_time), buffer.allocated);
  const std::uint64_t element_bytes = trace.dtype_bytes(reader, buffer.dtype);
  FactSection section;
  add(section, "size", size_text(buffer.bytes));
  add(section, "type", trace::single_line(trace.text(reader, buffer.dtype)));
  if (element_bytes > 0) add(section, "elements", count_text(buffer.bytes / element_bytes));
  add(section, polygons ? "number" : "key", fmt::format("{}", buffer.key));
  add(section, "allocated", render::time_text(allocated_ns, trace.unit));
  add(section, "freed",
      memory.alive_at_end(buffer)
          ? "alive at the end"
          : render::time_text(trace::ns_from_unit(buffer.freed), trace.unit));
  const double lived_ns = static_cast<double>(end - buffer.allocated) * 1000;
  add(section, "lived",
      render::duration_text(lived_ns, trace.unit) + dot + lifetime_text(memory.lifetime(buffer)));
  return section;
}

constexpr const char* span_number_label = "span";

std::string span_number_text(std::uint32_t record,
                             const std::optional<query::Occurrence>& occurrence) {
  if (!occurrence) return fmt::format("#{}", count_text(record));
  return fmt::format("#{}{}{} of {}", count_text(record), dot, count_text(occurrence->rank),
                     count_text(occurrence->total));
}

/// The value of a line at a time: that of its last point until then.
FactSheet line_sheet(const trace::Trace& trace, std::uint32_t track, std::int64_t time_ns) {
  const trace::Track& owner = trace.tracks[track];
  FactSheet sheet{owner.head.name, {{}}};
  FactSection& section = sheet.sections[0];
  add(section, "time", render::time_text(time_ns, trace.unit));
  const auto after = std::upper_bound(
      owner.line->times.begin(), owner.line->times.end(), time_ns,
      [](std::int64_t time, std::uint32_t point) { return time < trace::ns_from_unit(point); });
  if (after == owner.line->times.begin()) return sheet;
  const auto point = static_cast<std::size_t>(after - owner.line->times.begin()) - 1;
  const bool is_clock = owner.head.name.find("Clock") != std::string::npos;
  const auto value_text = [is_clock](std::uint64_t value) {
    return is_clock ? trace::si_text(static_cast<double>(value), "Hz") : count_text(value);
  };
  add(section, "value", value_text(owner.line->values[point]));
  add(section, "peak", value_text(owner.line->peak));
  return sheet;
}

}  // namespace

FactSheet span_sheet(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                     std::uint32_t record, const std::optional<query::Occurrence>& occurrence,
                     bool full) {
  FactSheet sheet;
  if (track >= trace.tracks.size() || record >= trace.tracks[track].head.count) return sheet;
  const bytepack::SpanRecord span = trace.span(reader, track, record);
  sheet.raw_title = shown(trace.text(reader, span.name));
  const trace::InfoFacts facts =
      trace::parse_info(trace.index->strings.text(reader, span.info, most_info_bytes));
  FactSection first;
  add(first, "start", render::time_text(trace::ns_from_unit(span.start), trace.unit));
  add(first, "duration",
      render::duration_text(static_cast<double>(span.duration) * 1000, trace.unit));
  add(first, "track", place_text(trace.tracks[track], record));
  add(first, span_number_label, span_number_text(record, occurrence));
  add_dimensions(first, sheet.raw_title);
  add_measurements(trace, reader, facts, first);
  if (span.key) add(first, "key", fmt::format("{}", *span.key));
  if (span.ref) add(first, "ref", fmt::format("{}", *span.ref));
  if (span.category) add(first, "category", fmt::format("{}", *span.category));
  append(sheet, std::move(first));
  if (!full) return sheet;
  append_buffers(trace, reader, track, record, sheet);
  if (span.ref) append_program(trace, reader, track, record, *span.ref, sheet);
  append_origin(facts, sheet);
  return sheet;
}

void tell_occurrence(FactSheet& sheet, std::uint32_t record, const query::Occurrence& occurrence) {
  if (sheet.sections.empty()) return;
  for (FactRow& row : sheet.sections.front().rows)
    if (row.label == span_number_label) row.value = span_number_text(record, occurrence);
}

FactSheet buffer_sheet(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                       std::uint32_t ordinal, bool full) {
  FactSheet sheet;
  if (track >= trace.tracks.size() || !trace.tracks[track].memory) return sheet;
  const trace::Track& owner = trace.tracks[track];
  if (ordinal >= owner.memory->buffers.size()) return sheet;
  const Buffer& buffer = owner.memory->buffers[ordinal];
  const trace::BufferUsers users =
      trace::users_of(reader, *trace.dialect, owner.head, *owner.memory, ordinal,
                      full ? static_cast<std::uint32_t>(most_rows) : 0);
  sheet.raw_title = shown(trace.text(reader, buffer.dtype)) + dot +
                    trace::bytes_text(buffer.bytes) + dot + owner.head.name;
  FactSection section = buffer_facts(trace, reader, track, buffer);
  add(section, "users", user_count_text(trace, users));
  append(sheet, std::move(section));
  if (full) append_users(trace, reader, track, users, sheet);
  return sheet;
}

std::optional<LiveMemory> live_memory(const trace::Trace& trace, std::uint32_t track,
                                      std::int64_t time_ns) {
  if (track >= trace.tracks.size() || !trace.tracks[track].memory) return std::nullopt;
  const trace::MemoryIndex& memory = *trace.tracks[track].memory;
  LiveMemory live;
  if (time_ns < 0) return live;
  const auto time =
      static_cast<std::uint32_t>(std::min<std::int64_t>(time_ns / 1000, trace::Buffer::never - 1));
  live.by_lifetime = query::live_bytes_at(memory, time);
  for (const std::uint64_t bytes : live.by_lifetime) live.bytes += bytes;
  // About a millisecond.
  constexpr std::uint32_t most_events_counted = 4'000'000;
  const std::uint32_t events = query::events_until(memory, time);
  if (events > most_events_counted) return live;
  std::uint32_t frees = 0;
  for (std::uint32_t i = 0; i < events; ++i) frees += memory.events[i] & 1U;
  live.buffers = events - 2 * frees;
  return live;
}

FactSheet memory_sheet(const trace::Trace& trace, std::uint32_t track, std::int64_t time_ns) {
  if (track < trace.tracks.size() && trace.tracks[track].line)
    return line_sheet(trace, track, time_ns);
  FactSheet sheet;
  const std::optional<LiveMemory> live = live_memory(trace, track, time_ns);
  if (!live) return sheet;
  const trace::Track& owner = trace.tracks[track];
  sheet.raw_title = owner.head.name;
  FactSection section;
  add(section, "time", render::time_text(time_ns, trace.unit));
  add(section, "live", trace::bytes_text(live->bytes));
  if (live->buffers) add(section, "buffers", count_text(*live->buffers));
  for (std::size_t i = 0; i < trace::lifetime_count; ++i)
    if (live->by_lifetime[i] > 0)
      add(section, lifetime_text(static_cast<trace::Lifetime>(i)),
          trace::bytes_text(live->by_lifetime[i]));
  const std::uint64_t peak = owner.memory->peak_bytes;
  if (peak > 0)
    add(section, "of the peak",
        fmt::format(
            "{} of {}",
            trace::percent_text(static_cast<double>(live->bytes) / static_cast<double>(peak)),
            trace::bytes_text(peak)));
  append(sheet, std::move(section));
  return sheet;
}

}  // namespace bytescope::app
