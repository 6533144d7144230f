#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/selection.h"
#include "core/cancel.h"
#include "core/io/page_reader.h"
#include "core/query/span_pick.h"
#include "core/trace/trace.h"

namespace bytescope::app {

/// What a line that leads somewhere has to do with what it tells of.
enum class Tie : std::uint8_t {
  none,     ///< Nothing but that it is told of: the longest of its name, where it was compiled.
  belongs,  ///< Buffer and user: lights up on the timeline.
  causes,   ///< Cause or effect: lights up, with a curve.
};

/// A line of facts: what, and how much.
struct FactRow {
  std::string label;
  std::string value;
  bool is_text = false;  ///< Free text that may need several lines (metadata, call stacks).
  std::optional<Selection> link = {};  ///< Where a click on it goes.
  Tie tie = Tie::none;
  std::string copied = {};  ///< What a click copies, where it leads nowhere; empty: the value.
};

/// Facts under a heading of their own.
struct FactSection {
  std::string title;  ///< Empty for the first.
  std::vector<FactRow> rows;
};

/// What is told of a span, a buffer or a place, in a tooltip or in the right panel.
struct FactSheet {
  std::string raw_title;  ///< With colour codes.
  std::vector<FactSection> sections;
};

/// Facts of a span: start, duration, index in the track, lane, "n of m with this name", dimensions
/// told by the name's colours, every fact of its info with units, ref and key as numbers, call
/// stack. Reads a few records: what a tooltip has room for.
FactSheet span_sheet(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                     std::uint32_t record, const std::optional<query::Occurrence>& occurrence);
/// The same with metadata, call stack and the buffers that the honest rule of FORMAT.md joins.
/// Looks through the device's memory records: for a worker.
FactSheet full_span_sheet(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                          std::uint32_t record, const Cancel& cancel);
/// Adds what takes a look at the spans of the whole trace: where the program was compiled and how
/// often it ran, and the rank among its namesakes by duration. For a worker.
void add_trace_facts(FactSheet& sheet, const trace::Trace& trace, io::PageReader& reader,
                     std::uint32_t track, std::uint32_t record, const Cancel& cancel);

/// Tells in a span's sheet that was made before this was known which of its namesakes it is.
void tell_occurrence(FactSheet& sheet, std::uint32_t record, const query::Occurrence& occurrence);

/// Facts of a buffer: type, length, bytes, key, lifetime, allocated and freed when ("alive at the
/// end"), number of recorded users ("no recorded user").
FactSheet buffer_sheet(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                       std::uint32_t ordinal);
/// The same with the users in order (at most 200): argument, mode and duration, each linked to its
/// span where key and plain name agree, else marked "no span". For a worker.
FactSheet full_buffer_sheet(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                            std::uint32_t ordinal, const Cancel& cancel);

/// What is live on a memory track at a time.
struct LiveMemory {
  std::uint64_t bytes = 0;
  trace::LifetimeBytes by_lifetime{};
  std::uint32_t buffers = 0;
};

/// Live bytes and buffers after all events up to `time_ns`; none for anything but an indexed memory
/// track. Costs some blocks of events.
std::optional<LiveMemory> live_memory(const trace::Trace& trace, std::uint32_t track,
                                      std::int64_t time_ns);

/// Live bytes of a memory track at a time, by lifetime, and how many buffers; or the value of a
/// line track.
FactSheet memory_sheet(const trace::Trace& trace, std::uint32_t track, std::int64_t time_ns);

}  // namespace bytescope::app
