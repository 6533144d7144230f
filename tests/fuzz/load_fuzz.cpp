#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/io/page_reader.h"
#include "core/query/links.h"
#include "core/query/live_buffers.h"
#include "core/query/memory_curve.h"
#include "core/query/memory_outline.h"
#include "core/query/memory_stack.h"
#include "core/query/search.h"
#include "core/query/search_columns.h"
#include "core/query/span_pick.h"
#include "core/query/summary.h"
#include "core/query/visible.h"
#include "core/trace/loader.h"
#include "tests/fuzz/memory_file.h"

// Opens any bytes as a trace and asks all queries about what opens.
namespace {
using namespace bytescope;

constexpr std::uint32_t column_count = 32;
constexpr std::uint32_t most_lanes = 8;

void ask_spans(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
               const query::Columns& columns) {
  const std::uint32_t lanes = std::min(trace.tracks[track].spans->lane_count, most_lanes);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    std::vector<query::VisibleRun> runs;
    query::append_visible(trace, track, lane, columns, &reader, runs);
    query::append_visible(trace, track, lane, columns, nullptr, runs);
    const auto found = query::span_at(trace, reader, track, lane, columns.begin_ns + 1, 5000);
    if (!found) continue;
    const bytepack::SpanRecord span = trace.span(reader, track, *found);
    trace.text(reader, span.name);
    trace.text(reader, span.info);
    query::neighbour_in_lane(trace, track, *found, -1);
    query::occurrence(trace, track, *found, Cancel());
  }
}

void ask_memory(const trace::MemoryIndex& memory, const query::Columns& columns) {
  query::memory_curve(memory, columns);
  query::memory_outline(memory, columns);
  query::memory_stack(memory, columns, std::max<std::uint64_t>(memory.peak_bytes / 64, 1),
                      Cancel());
  query::live_buffers(memory, memory.peak_event);
}

void ask_live(const trace::Trace& trace, std::uint32_t track) {
  const trace::MemoryIndex& memory = *trace.tracks[track].memory;
  const query::LiveSet live = query::live_set_at(memory, trace.frame.duration_us / 2);
  query::live_set_at_peak(memory);
  query::allocated_between(memory, 1, trace.frame.duration_us);
  query::group_by_type(trace, track, live);
  query::group_by_lifetime(trace, track, live);
  query::group_by_writer(trace, track, live, Cancel());
}

void ask_links(const trace::Trace& trace, io::PageReader& reader) {
  for (std::uint32_t i = 0; i < trace.tracks.size() && i < most_lanes; ++i) {
    const bytepack::TrackHead& head = trace.tracks[i].head;
    if (trace.tracks[i].memory && !trace.tracks[i].memory->buffers.empty()) {
      query::producer_of_buffer(trace, reader, i, 0, Cancel());
      query::consumer_of_buffer(trace, reader, i, 0, Cancel());
    }
    if (head.kind != bytepack::TrackKind::spans || head.count == 0) continue;
    const std::uint32_t record = head.count / 2;
    query::producer_of_span(trace, reader, i, record, Cancel());
    query::namesake_rank(trace, i, record, Cancel());
    query::neighbour_namesake(trace, i, record, -1, Cancel());
    query::cause_of_span(trace, reader, i, record);
    query::effects_of_span(trace, i, record, Cancel());
    query::program_links(trace, 1, Cancel());
  }
}

void ask_search(const std::shared_ptr<const trace::Trace>& trace, io::PageReader& reader,
                const query::Columns& columns) {
  std::shared_ptr<const query::SearchResult> known;
  for (const char* line : {"e", "e dur>=0", "/[a-z]\\d/"}) {
    known =
        query::run_search({trace, *query::parse_search_line(line), known, 4, 1}, Cancel(), nullptr);
    query::next_hit(*known, reader, {columns.begin_ns, 0, 0, 0});
    query::previous_hit(*known, reader, {columns.begin_ns, 0, 0, 0});
    for (std::uint32_t i = 0; i < trace->tracks.size() && i < most_lanes; ++i)
      query::hit_columns(*known, reader, i, columns);
  }
}

void ask(const std::shared_ptr<const trace::Trace>& opened) {
  const trace::Trace& trace = *opened;
  io::PageReader reader(trace.file, 4);
  query::summarize(trace, Cancel());
  const double whole_ns = 1000.0 * (static_cast<double>(trace.frame.duration_us) + 1);
  for (const double share : {1.0, 1e-3}) {
    const query::Columns columns = {static_cast<std::int64_t>(whole_ns * (1 - share) / 2),
                                    whole_ns * share / column_count, column_count};
    for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
      if (trace.tracks[i].spans) ask_spans(trace, reader, i, columns);
      if (trace.tracks[i].memory) ask_memory(*trace.tracks[i].memory, columns);
      if (trace.tracks[i].memory) ask_live(trace, i);
    }
    ask_search(opened, reader, columns);
  }
  ask_links(trace, reader);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const fuzz::MemoryFile file(bytes, size);
  trace::LoadOptions options;
  options.threads = 1;
  options.previews = true;
  options.on_stage = [](const std::shared_ptr<const trace::Trace>& stage) { ask(stage); };
  const auto loaded = trace::load_trace(file.path(), options, Cancel());
  if (loaded) ask(*loaded);
  return 0;
}
