#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/commands/open_trace.h"
#include "app/commands/text_cache.h"
#include "app/commands/text_table.h"
#include "app/commands/time_json.h"
#include "app/commands/user_json.h"
#include "app/messages.h"
#include "app/standard_output.h"
#include "core/io/json_writer.h"
#include "core/query/live_buffers.h"
#include "core/query/time_argument.h"
#include "core/query/track_argument.h"
#include "core/trace/memory_records.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

/// More rows than that are for --json.

struct MemoryArguments {
  std::shared_ptr<std::string> path;
  std::string track;
  std::optional<std::string> at;
  bool at_peak = false;
  bool json = false;
};

/// What lives at the asked instant.
struct Answer {
  std::uint32_t track = 0;
  std::int64_t time_ns = 0;
  query::LiveSet live;
};

Expected<Answer> answer(const trace::Trace& trace, const MemoryArguments& given) {
  Warnings warnings;
  const auto track = query::track_from_argument(trace, given.track, warnings);
  print_warnings(warnings, *given.path);
  if (!track) return tl::make_unexpected(track.error());
  const trace::Track& owner = trace.tracks[*track];
  if (!owner.memory) {
    return failure(ErrorKind::usage, "Not a memory track", {{}, *track, owner.head.name, {}},
                   *given.path);
  }
  Answer answer;
  answer.track = *track;
  if (!given.at) {
    answer.live = query::live_set_at_peak(*owner.memory);
    answer.time_ns = trace::ns_from_unit(answer.live.time);
    return answer;
  }
  const auto time = query::time_from_argument(trace, *given.at);
  if (!time) return tl::make_unexpected(time.error());
  answer.time_ns = *time;
  constexpr std::int64_t latest = std::numeric_limits<std::uint32_t>::max();
  // Before the origin nothing lives.
  if (*time >= 0)
    answer.live = query::live_set_at(*owner.memory,
                                     static_cast<std::uint32_t>(std::min(*time / 1000, latest)));
  return answer;
}

/// Number of the event that frees each live buffer, or the number of events.
std::vector<std::uint32_t> free_events(const trace::MemoryIndex& memory,
                                       const query::LiveSet& live) {
  const auto count = static_cast<std::uint32_t>(memory.events.size());
  std::vector<std::uint32_t> of_buffer(memory.buffers.size(), count);
  for (std::uint32_t i = live.events; i < count; ++i) {
    const std::uint32_t event = memory.events[i];
    if (trace::MemoryIndex::is_free(event)) of_buffer[trace::MemoryIndex::ordinal(event)] = i;
  }
  return of_buffer;
}

/// Elements of a buffer; 0 where its type is not known.
std::uint64_t length_of(const trace::Buffer& buffer, std::uint64_t element_bytes) {
  return element_bytes == 0 ? 0 : buffer.bytes / element_bytes;
}

std::uint64_t element_bytes(const trace::Trace& trace, const std::string& type) {
  const auto known = trace.index->dtype_bytes.find(type);
  return known == trace.index->dtype_bytes.end() ? 0 : known->second;
}

void write_json(const trace::Trace& trace, const Answer& answer, io::JsonWriter& json,
                const StandardOutput& output) {
  const trace::Track& owner = trace.tracks[answer.track];
  const trace::MemoryIndex& memory = *owner.memory;
  const bool has_keys = trace.dialect->memory != bytepack::MemoryForm::polygons;
  constexpr std::size_t pages = 256;
  io::PageReader reader(trace.file, pages);
  TextCache texts(trace, reader);
  trace::MemoryCursor cursor(reader, *trace.dialect, owner.head, &memory);
  UserJson users(json, texts);
  const std::vector<std::uint32_t> freed_by = free_events(memory, answer.live);
  json.begin_object().member("track", owner.head.name).key("time_us");
  write_time_us(json, answer.time_ns);
  json.member("live_bytes", answer.live.bytes).key("buffers").begin_array().end_line();
  for (const query::LiveBuffer& one : answer.live.buffers) {
    if (output.is_closed()) break;
    const trace::Buffer& buffer = memory.buffers[one.ordinal];
    const std::string& type = texts.text(buffer.dtype);
    json.begin_object().key("key");
    if (has_keys) {
      json.value(buffer.key);
    } else {
      json.null();
    }
    json.member("dtype", type).member("length", length_of(buffer, element_bytes(trace, type)));
    json.member("bytes", buffer.bytes).member("y_bytes", one.begin_bytes);
    json.member("allocated_us", buffer.allocated).key("freed_us");
    if (memory.alive_at_end(buffer)) {
      json.null();
    } else {
      json.value(buffer.freed);
    }
    json.key("users");
    const std::uint32_t event = freed_by[one.ordinal];
    const bool has_users = has_keys && trace.dialect->user.stride != 0 &&
                           event < memory.events.size() && cursor.seek(event) && cursor.next() &&
                           !cursor.event().is_alloc;
    if (has_users) {
      users.write(cursor);
    } else {
      json.begin_array().end_array();
    }
    json.end_object().end_line();
  }
  json.end_array().end_object().end_line();
}

std::string to_text(const trace::Trace& trace, const Answer& answer) {
  using Side = TextTable::Side;
  const trace::Track& owner = trace.tracks[answer.track];
  const trace::MemoryIndex& memory = *owner.memory;
  const bool has_keys = trace.dialect->memory != bytepack::MemoryForm::polygons;
  io::PageReader reader(trace.file, 8);
  TextCache texts(trace, reader);
  TextTable table({{"bytes", Side::right},
                   {"type"},
                   {"elements", Side::right},
                   {"key", Side::right},
                   {"at byte", Side::right},
                   {"allocated", Side::right},
                   {"freed", Side::right}});
  const std::size_t rows = std::min(answer.live.buffers.size(), most_text_rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const query::LiveBuffer& one = answer.live.buffers[i];
    const trace::Buffer& buffer = memory.buffers[one.ordinal];
    const std::string& type = texts.text(buffer.dtype);
    const auto time = [&trace](std::uint32_t unit) {
      return render::time_text(trace::ns_from_unit(unit), trace.unit);
    };
    table.add({trace::count_text(buffer.bytes), name_cell(type),
               trace::count_text(length_of(buffer, element_bytes(trace, type))),
               has_keys ? std::to_string(buffer.key) : "", trace::count_text(one.begin_bytes),
               time(buffer.allocated), memory.alive_at_end(buffer) ? "never" : time(buffer.freed)});
  }
  std::string text = fmt::format(
      "{}: {} ({}) in {} buffers at {}\n\n", printable_line(owner.head.name),
      trace::bytes_text(answer.live.bytes), trace::exact_bytes_text(answer.live.bytes),
      trace::count_text(answer.live.buffers.size()), render::time_text(answer.time_ns, trace.unit));
  text += table.text();
  if (rows < answer.live.buffers.size())
    text += fmt::format("and {} smaller ones (--json tells all)\n",
                        trace::count_text(answer.live.buffers.size() - rows));
  return text;
}

Expected<void> print_memory(const MemoryArguments& given, const Cancel& cancel) {
  const auto trace = open_trace(*given.path, cancel);
  if (!trace) return tl::make_unexpected(trace.error());
  const auto found = answer(**trace, given);
  if (!found) return tl::make_unexpected(found.error());
  StandardOutput output(cancel);
  if (given.json) {
    io::JsonWriter json([&output](std::string_view text) { output.write(text); });
    write_json(**trace, *found, json, output);
    json.flush();
  } else {
    output.write(to_text(**trace, *found));
  }
  return output.finish();
}

}  // namespace

Action make_memory(CLI::App& arguments, const Cancel& cancel) {
  const auto given = std::make_shared<MemoryArguments>();
  given->path = add_file(arguments);
  arguments.add_option("--track", given->track, "The memory track: its exact name, or #N (from 0)")
      ->required();
  auto* at = arguments.add_option(
      "--at", given->at,
      "After all events up to this time: a number with ns, us, ms, s or clk, or a marker's name");
  arguments
      .add_flag("--at-peak", given->at_peak,
                "Just after the event that first reaches the largest total (the default)")
      ->excludes(at);
  arguments.add_flag("--json", given->json, "Write one JSON object instead of a table");
  arguments.footer(
      "Buffers come largest first. In JSON: {\"track\",\"time_us\",\"live_bytes\",\"buffers\":[{\n"
      "\"key\",\"dtype\",\"length\",\"bytes\",\"y_bytes\",\"allocated_us\",\"freed_us\",\"users\":["
      "…]}]};\n"
      "y_bytes are the live bytes under it, freed_us is null for what the file does not free "
      "before\n"
      "its end, users are as in dump (none where nothing is recorded), key is null where the file\n"
      "has none.");
  return [given, &cancel] { return print_memory(*given, cancel); };
}

}  // namespace bytescope::app
