#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/fact_sheet.h"
#include "app/fact_sheet_parts.h"
#include "core/query/links.h"
#include "core/query/memory_curve.h"
#include "core/trace/ansi.h"
#include "core/trace/memory_records.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

using trace::Buffer;
using trace::count_text;

std::string size_text(std::uint64_t bytes) {
  const std::string rounded = trace::bytes_text(bytes);
  return bytes < 1000 ? rounded : rounded + fact_dot + trace::exact_bytes_text(bytes);
}

/// One user of a buffer: its name, linked to its span or marked "no span".
FactRow user_row(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                 const bytepack::UserRecord& user, const query::UserSpan& span) {
  FactRow row;
  row.label = argument_text(user);
  if (user.name) row.value = trace::single_line(trace::plain_text(trace.text(reader, *user.name)));
  // What dialect G tells, also after it was written as a newer one.
  if (row.value.empty() && user.run)
    row.value = fmt::format("run {}", trace.own_key(track, *user.run));
  if (span.count > 1) row.value += fmt::format("{}{} spans", fact_dot, count_text(span.count));
  if (span.count == 0) row.value += fmt::format("{}no span", fact_dot);
  if (span.span) {
    row.value +=
        fact_dot + render::duration_text(static_cast<double>(span.duration) * 1000, trace.unit);
    row.link = span_selection(trace, reader, span.span->track, span.span->record);
    row.tie = Tie::belongs;
  }
  row.value = shown_text(std::move(row.value));
  return row;
}

void append_users(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                  std::uint32_t ordinal, const Cancel& cancel, FactSheet& sheet) {
  FactSection section{"Users", {}};
  const query::BufferLinks links =
      query::links_of_buffer(trace, reader, track, ordinal, cancel, most_fact_rows);
  for (std::size_t i = 0; i < links.users.size() && !cancel.requested(); ++i)
    section.rows.push_back(user_row(trace, reader, track, links.users[i], links.spans.spans[i]));
  if (links.total > links.users.size())
    add_fact(section, fmt::format("and {} more", count_text(links.total - links.users.size())), "");
  append_section(sheet, std::move(section));
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
  add_fact(section, "size", size_text(buffer.bytes));
  add_fact(section, "type", trace::single_line(trace.text(reader, buffer.dtype)));
  if (element_bytes > 0) add_fact(section, "elements", count_text(buffer.bytes / element_bytes));
  add_fact(section, polygons ? "number" : "key", fmt::format("{}", buffer.key));
  add_fact(section, "allocated", render::time_text(allocated_ns, trace.unit));
  add_fact(section, "freed",
           memory.alive_at_end(buffer)
               ? "alive at the end"
               : render::time_text(trace::ns_from_unit(buffer.freed), trace.unit));
  const double lived_ns = static_cast<double>(end - buffer.allocated) * 1000;
  add_fact(section, "lived",
           render::duration_text(lived_ns, trace.unit) + fact_dot +
               trace::lifetime_text(memory.lifetime(buffer)));
  return section;
}

/// The value of a line at a time: that of its last point until then.
FactSheet line_sheet(const trace::Trace& trace, std::uint32_t track, std::int64_t time_ns) {
  const trace::Track& owner = trace.tracks[track];
  FactSheet sheet{owner.head.name, {{}}};
  FactSection& section = sheet.sections[0];
  add_fact(section, "time", render::time_text(time_ns, trace.unit));
  const auto after = std::upper_bound(
      owner.line->times.begin(), owner.line->times.end(), time_ns,
      [](std::int64_t time, std::uint32_t point) { return time < trace::ns_from_unit(point); });
  if (after == owner.line->times.begin()) return sheet;
  const auto point = static_cast<std::size_t>(after - owner.line->times.begin()) - 1;
  const bool is_clock = trace::is_clock_name(owner.head.name);
  const auto value_text = [is_clock](std::uint64_t value) {
    return is_clock ? trace::si_text(static_cast<double>(value), "Hz") : count_text(value);
  };
  add_fact(section, "value", value_text(owner.line->values[point]));
  add_fact(section, "peak", value_text(owner.line->peak));
  return sheet;
}

}  // namespace

FactSheet buffer_sheet(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                       std::uint32_t ordinal) {
  FactSheet sheet;
  if (track >= trace.tracks.size() || !trace.tracks[track].memory) return sheet;
  const trace::Track& owner = trace.tracks[track];
  if (ordinal >= owner.memory->buffers.size()) return sheet;
  const Buffer& buffer = owner.memory->buffers[ordinal];
  const trace::BufferUsers users =
      trace::users_of(reader, *trace.dialect, owner.head, *owner.memory, ordinal, 0);
  sheet.raw_title = shown_text(trace.text(reader, buffer.dtype)) + fact_dot +
                    trace::bytes_text(buffer.bytes) + fact_dot + owner.head.name;
  FactSection section = buffer_facts(trace, reader, track, buffer);
  add_fact(section, "users", user_count_text(trace, users));
  append_section(sheet, std::move(section));
  return sheet;
}

FactSheet full_buffer_sheet(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                            std::uint32_t ordinal, const Cancel& cancel) {
  FactSheet sheet = buffer_sheet(trace, reader, track, ordinal);
  if (!sheet.sections.empty()) append_users(trace, reader, track, ordinal, cancel, sheet);
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
  live.buffers = query::live_buffer_count(memory, query::events_until(memory, time));
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
  add_fact(section, "time", render::time_text(time_ns, trace.unit));
  add_fact(section, "live", trace::bytes_text(live->bytes));
  add_fact(section, "buffers", count_text(live->buffers));
  for (std::size_t i = 0; i < trace::lifetime_count; ++i) {
    if (live->by_lifetime[i] == 0) continue;
    add_fact(section, trace::lifetime_text(static_cast<trace::Lifetime>(i)),
             trace::bytes_text(live->by_lifetime[i]));
  }
  const std::uint64_t peak = owner.memory->peak_bytes;
  if (peak > 0) {
    add_fact(section, "of the peak",
             fmt::format(
                 "{} of {}",
                 trace::percent_text(static_cast<double>(live->bytes) / static_cast<double>(peak)),
                 trace::bytes_text(peak)));
  }
  append_section(sheet, std::move(section));
  return sheet;
}

}  // namespace bytescope::app
