#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "app/fact_sheet.h"
#include "app/fact_sheet_parts.h"
#include "core/query/links.h"
#include "core/trace/ansi.h"
#include "core/trace/info_facts.h"
#include "core/trace/kernel_name.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

using trace::count_text;

// What is read of an info, however long it is in the file.
constexpr std::size_t most_info_bytes = 1 << 20;
const query::LinkLimits limits = {UINT64_MAX, most_fact_rows};

/// Labels here begin small.
std::string small_first(std::string label) {
  if (!label.empty())
    label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
  return label;
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
  for (const auto& [kind, sizes] : kinds) add_fact(section, std::string(text(kind)), sizes);
}

/// Measured rates, program counter and cause.
void add_measurements(const trace::Trace& trace, io::PageReader& reader, query::TrackRecord span,
                      const trace::InfoFacts& facts, FactSection& section) {
  trace::InfoFacts short_facts;
  short_facts.rates = facts.rates;
  short_facts.program_counter = facts.program_counter;
  short_facts.link = facts.link;
  for (trace::Fact& fact : trace::facts_for_display(short_facts))
    add_fact(section, small_first(std::move(fact.label)), std::move(fact.value));
  if (facts.link) {
    if (const auto cause = query::cause_of_span(trace, reader, span.track, span.record))
      set_link(section, span_selection(trace, reader, cause->track, cause->record), Tie::causes);
  }
  if (!facts.program_counter) return;
  const auto instruction = trace.index->pc_map.find(*facts.program_counter);
  if (instruction != trace.index->pc_map.end())
    add_text_fact(section, "instruction", instruction->second);
}

/// Where it comes from: operations, notes, call stack.
void append_origin(const trace::InfoFacts& facts, FactSheet& sheet) {
  FactSection origin{"From", {}};
  for (const std::string& line : facts.metadata) add_text_fact(origin, "", line);
  append_section(sheet, std::move(origin));
  FactSection info{"Info", {}};
  for (const std::string& line : facts.other) add_text_fact(info, "", line);
  append_section(sheet, std::move(info));
  FactSection stack{"Call stack", {}};
  for (const trace::CallFrame& frame : facts.call_stack) {
    const std::string place = fmt::format("{}:{}", frame.file, frame.line);
    std::string line = place;
    if (!frame.function.empty()) line += " in " + frame.function;
    if (!frame.code.empty()) line += "\n  " + frame.code;
    add_text_fact(stack, "", std::move(line));
    stack.rows.back().copied = place;
  }
  append_section(sheet, std::move(stack));
}

void append_buffers(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                    std::uint32_t record, const Cancel& cancel, FactSheet& sheet) {
  const query::UsedBuffers used =
      query::buffers_of_span(trace, reader, track, record, limits, cancel);
  if (!used.can_be_known) return;
  FactSection own{"Buffers", {}};
  FactSection of_batch{"Buffers of its batch", {}};
  for (const query::UsedBuffer& buffer : used.buffers) {
    FactSection& section = buffer.by_batch ? of_batch : own;
    add_fact(section, argument_text(buffer.user),
             trace::bytes_text(trace.tracks[buffer.track].memory->buffers[buffer.ordinal].bytes));
    set_link(section, buffer_selection(trace, buffer.track, buffer.ordinal), Tie::belongs);
  }
  if (used.buffers.empty()) add_fact(own, "none under this name and key", "");
  FactSection& last = of_batch.rows.empty() ? own : of_batch;
  if (used.more > 0) add_fact(last, fmt::format("and {} more", count_text(used.more)), "");
  append_section(sheet, std::move(own));
  append_section(sheet, std::move(of_batch));
}

/// Where the program was compiled and how often it ran: all spans of one `ref`.
void append_program(const trace::Trace& trace, io::PageReader& reader, const query::TrackRecord& of,
                    std::uint32_t ref, const Cancel& cancel, FactSheet& sheet) {
  const query::ProgramLinks program = query::program_links(trace, ref, cancel);
  FactSection section{"Program", {}};
  const auto link_to = [&](const query::TrackRecord& place) {
    if (!(place == of))
      section.rows.back().link = span_selection(trace, reader, place.track, place.record);
  };
  if (program.compiled) {
    add_fact(
        section, "compiled in",
        render::duration_text(static_cast<double>(program.compile_duration) * 1000, trace.unit));
    link_to(*program.compiled);
    add_fact(section, "compiled at",
             render::time_text(trace::ns_from_unit(program.compile_start), trace.unit));
  }
  if (program.runs > 0)
    add_fact(section, "ran", program.runs == 1 ? "once" : count_text(program.runs) + " times");
  if (program.first_run) {
    add_fact(section, "first run",
             trace::single_line(trace.tracks[program.first_run->track].head.name));
    link_to(*program.first_run);
  }
  append_section(sheet, std::move(section));
}

/// What a shader's span caused: each with the time between the two beginnings.
void append_effects(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                    std::uint32_t record, const Cancel& cancel, FactSheet& sheet) {
  FactSection section{"Caused", {}};
  const Selection cause = span_selection(trace, reader, track, record);
  for (const query::TrackRecord& effect :
       query::effects_of_span(trace, track, record, cancel, most_fact_rows)) {
    const Selection span = span_selection(trace, reader, effect.track, effect.record);
    add_fact(
        section,
        trace::plain_text(trace.text(reader, trace.span(reader, effect.track, effect.record).name)),
        "+" +
            render::duration_text(static_cast<double>(span.begin_ns - cause.begin_ns), trace.unit));
    set_link(section, span, Tie::causes);
  }
  append_section(sheet, std::move(section));
}

std::string place_text(const trace::Track& track, std::uint32_t record) {
  std::string text = trace::single_line(track.head.name);
  if (track.spans && !track.spans->sampled && track.spans->lane_count > 1)
    text += fmt::format("{}lane {}", fact_dot, track.spans->lane(record));
  return text;
}

trace::InfoFacts parsed_info(const trace::Trace& trace, io::PageReader& reader,
                             const bytepack::SpanRecord& span) {
  return trace::parse_info(trace.index->strings.text(reader, span.info, most_info_bytes));
}

constexpr const char* span_number_label = "span";

std::string span_number_text(std::uint32_t record,
                             const std::optional<query::Occurrence>& occurrence) {
  if (!occurrence) return fmt::format("#{}", count_text(record));
  return fmt::format("#{}{}{} of {}", count_text(record), fact_dot, count_text(occurrence->rank),
                     count_text(occurrence->total));
}

}  // namespace

FactSheet span_sheet(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                     std::uint32_t record, const std::optional<query::Occurrence>& occurrence) {
  FactSheet sheet;
  if (track >= trace.tracks.size() || record >= trace.tracks[track].head.count) return sheet;
  const bytepack::SpanRecord span = trace.span(reader, track, record);
  sheet.raw_title = shown_text(trace.text(reader, span.name));
  const trace::InfoFacts facts = parsed_info(trace, reader, span);
  FactSection first;
  add_fact(first, "start", render::time_text(trace::ns_from_unit(span.start), trace.unit));
  add_fact(first, "duration",
           render::duration_text(static_cast<double>(span.duration) * 1000, trace.unit));
  add_real_time(first, trace, trace::ns_from_unit(span.start), static_cast<double>(span.duration));
  add_fact(first, "track", place_text(trace.tracks[track], record));
  add_fact(first, span_number_label, span_number_text(record, occurrence));
  add_dimensions(first, sheet.raw_title);
  add_measurements(trace, reader, {track, record}, facts, first);
  if (span.key) add_fact(first, "key", fmt::format("{}", trace.own_key(track, *span.key)));
  if (span.ref) add_fact(first, "ref", fmt::format("{}", trace.own_ref(track, *span.ref)));
  if (span.category) add_fact(first, "category", fmt::format("{}", *span.category));
  append_section(sheet, std::move(first));
  return sheet;
}

FactSheet full_span_sheet(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                          std::uint32_t record, const Cancel& cancel) {
  FactSheet sheet = span_sheet(trace, reader, track, record, std::nullopt);
  if (sheet.sections.empty()) return sheet;
  append_buffers(trace, reader, track, record, cancel, sheet);
  append_origin(parsed_info(trace, reader, trace.span(reader, track, record)), sheet);
  return sheet;
}

void add_trace_facts(FactSheet& sheet, const trace::Trace& trace, io::PageReader& reader,
                     std::uint32_t track, std::uint32_t record, const Cancel& cancel) {
  if (sheet.sections.empty()) return;
  const bytepack::SpanRecord span = trace.span(reader, track, record);
  if (span.ref) append_program(trace, reader, {track, record}, *span.ref, cancel, sheet);
  if (trace.tracks[track].role == trace::TrackRole::shader)
    append_effects(trace, reader, track, record, cancel, sheet);
  const auto rank = query::namesake_rank(trace, track, record, cancel);
  if (!rank || rank->total < 2) return;
  FactSection& first = sheet.sections.front();
  add_fact(first, "rank",
           fmt::format("{} of {} by duration, all tracks", count_text(rank->longer + 1),
                       count_text(rank->total)));
  if (!(rank->longest == query::TrackRecord{track, record}))
    first.rows.back().link =
        span_selection(trace, reader, rank->longest.track, rank->longest.record);
}

void tell_occurrence(FactSheet& sheet, std::uint32_t record, const query::Occurrence& occurrence) {
  if (sheet.sections.empty()) return;
  for (FactRow& row : sheet.sections.front().rows)
    if (row.label == span_number_label) row.value = span_number_text(record, occurrence);
}

}  // namespace bytescope::app
