#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/export/chrome_flows.h"
#include "core/export/chrome_spans.h"
#include "core/export/chrome_threads.h"
#include "core/export/job.h"
#include "core/export/kept_events.h"
#include "core/io/json_writer.h"
#include "core/trace/ansi.h"

// Chrome's trace events (catapult's "Trace Event Format"), as Perfetto reads them: it sorts by time
// and keeps the order of the file among equals, binds a flow to the span of its thread that began
// last, and knows no overlapping spans in a thread.

namespace bytescope::exporting {
namespace {

using trace::MemoryIndex;

class ChromeExport {
public:
  explicit ChromeExport(Job& job)
      : job_(job),
        trace_(job.trace),
        text_(job),
        threads_(trace_, job.request.processes),
        spans_(job, threads_, text_) {}

  void write() {
    append_head();
    threads_.append_processes(text_.text());
    append_markers();
    for (const TrackProcess& process : threads_.processes())
      for (const PlacedTrack& track : process.tracks)
        if (job_.goes_on()) write_track(track.track);
    write_flows();
    text_.finish("\n]}\n");
  }

private:
  void append_head() {
    std::string& out = text_.text();
    out += R"({"displayTimeUnit":"ns","otherData":{"writer":"bytescope","file":)";
    io::append_json_string(out, trace_.file->path());
    out += fmt::format(R"(,"dialect":"{}","unit":"{}")", trace_.dialect->letter,
                       trace_.unit == trace::Unit::cycles ? "cycles" : "us");
    if (trace_.unit == trace::Unit::cycles)
      out += R"(,"note":"ts and dur are clock cycles, not microseconds")";
    if (const auto& range = job_.request.range) {
      out += R"(,"range_us":[)";
      io::append_json_number(out, static_cast<double>(range->begin_ns) / 1000);
      out += ',';
      io::append_json_number(out, static_cast<double>(range->end_ns) / 1000);
      out += ']';
    }
    out += "},\"traceEvents\":[\n";
  }

  void append_markers() {
    for (const bytepack::FileMarker& marker : trace_.index->markers) {
      if (!marker.time_us || !std::isfinite(*marker.time_us) || !keeps(marker, job_.request.range))
        continue;
      std::string& out = text_.text();
      out += R"({"ph":"i","s":"g","cat":"marker","pid":1,"tid":1,"ts":)";
      io::append_json_number(out, *marker.time_us);
      out += R"(,"name":)";
      io::append_json_string(out, trace::plain_text(marker.name.value_or("")));
      out += R"(,"args":{)";
      if (marker.color) {
        out += R"("color":)";
        io::append_json_string(out, *marker.color);
      }
      out += "}},\n";
      text_.may_flush();
    }
  }

  void write_track(std::uint32_t track) {
    switch (trace_.tracks[track].head.kind) {
      case bytepack::TrackKind::spans: spans_.write(track); break;
      case bytepack::TrackKind::memory: write_memory(track); break;
      case bytepack::TrackKind::line: write_line(track); break;
    }
  }

  /// `head` and `tail` of all counts of a track.
  void begin_counter(std::uint32_t track) {
    counter_head_ = R"({"ph":"C","name":)";
    io::append_json_string(counter_head_, threads_.label(track));
    counter_head_ += fmt::format(R"(,"pid":{},"ts":)", threads_.pid(track));
  }
  void append_count(std::uint64_t time_ns, const char* name, std::uint64_t value) {
    std::string& out = text_.text();
    out += counter_head_;
    fmt::format_to(std::back_inserter(out), "{}", time_ns / 1000);
    if (time_ns % 1000 != 0) fmt::format_to(std::back_inserter(out), ".{:03}", time_ns % 1000);
    fmt::format_to(std::back_inserter(out), R"(,"args":{{"{}":{}}}}},)", name, value);
    out += '\n';
    text_.may_flush();
  }

  void write_memory(std::uint32_t track) {
    begin_counter(track);
    const MemoryIndex& memory = *trace_.tracks[track].memory;
    const auto& range = job_.request.range;
    std::uint64_t live_bytes = 0;
    bool is_begun = !range;
    for (std::uint32_t i = 0; i < memory.events.size(); ++i) {
      memory.prefetch(i);
      const std::uint32_t event = memory.events[i];
      const bool is_free = MemoryIndex::is_free(event);
      const trace::Buffer buffer = memory.buffers[MemoryIndex::ordinal(event)];
      const std::int64_t time_ns = trace::ns_from_unit(is_free ? buffer.freed : buffer.allocated);
      if (range && time_ns >= range->end_ns) break;
      if (!is_begun && time_ns >= range->begin_ns) {
        append_count(begin_ns(), "bytes", live_bytes);
        is_begun = true;
      }
      live_bytes += is_free ? std::uint64_t{0} - buffer.bytes : buffer.bytes;
      if (!is_begun) continue;
      append_count(static_cast<std::uint64_t>(time_ns), "bytes", live_bytes);
      if (!job_.count_event()) return;
    }
    if (!is_begun) append_count(begin_ns(), "bytes", live_bytes);
  }
  /// Where the range begins; not before the origin, where nothing is.
  std::uint64_t begin_ns() const {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(job_.request.range->begin_ns, 0));
  }

  void write_line(std::uint32_t track) {
    begin_counter(track);
    const trace::LineIndex& line = *trace_.tracks[track].line;
    const query::RecordRange kept = kept_values(line, job_.request.range);
    for (std::uint32_t i = kept.begin; i < kept.end; ++i) {
      append_count(static_cast<std::uint64_t>(trace::ns_from_unit(line.times[i])), "value",
                   line.values[i]);
      if (!job_.count_event()) return;
    }
  }

  void write_flows() {
    ChromeFlows flows(job_, spans_, text_);
    for (std::uint32_t i = 0; i < trace_.tracks.size() && job_.goes_on(); ++i) {
      const bytepack::TrackKind kind = trace_.tracks[i].head.kind;
      if (kind == bytepack::TrackKind::memory) flows.write_buffers(i);
      if (kind == bytepack::TrackKind::spans && spans_.has_links()) flows.write_causes(i);
    }
  }

  Job& job_;
  const trace::Trace& trace_;
  ChromeText text_;
  ChromeThreads threads_;
  ChromeSpans spans_;
  std::string counter_head_;
};

}  // namespace

Expected<void> write_chrome_json(Job& job) {
  ChromeExport(job).write();
  return {};
}

}  // namespace bytescope::exporting
