#include <cmath>
#include <string>

#include "core/export/job.h"
#include "core/export/kept_events.h"
#include "core/io/csv_writer.h"
#include "core/io/utf8.h"
#include "core/trace/ansi.h"

// A row for each record, with the fields that `dump` tells; what a record does not have is empty.
// Names are without colour codes, and everything is valid UTF-8.

namespace bytescope::exporting {
namespace {

using trace::MemoryIndex;

constexpr std::string_view nothing;

class CsvExport {
public:
  explicit CsvExport(Job& job) : job_(job), trace_(job.trace), reader_(trace_.file), csv_(text_) {}

  void write() {
    text_ = "track,kind,index,event,time_us,duration_us,lane,name,key,bytes,value,info\n";
    for (std::uint32_t i = 0; i < trace_.tracks.size() && job_.goes_on(); ++i) {
      track_name_ = io::printable_utf8(trace_.tracks[i].head.name);
      switch (trace_.tracks[i].head.kind) {
        case bytepack::TrackKind::spans: write_spans(i); break;
        case bytepack::TrackKind::memory: write_memory(i); break;
        case bytepack::TrackKind::line: write_line(i); break;
      }
    }
    job_.out.write(text_);
  }

private:
  bool row_done() {
    constexpr std::size_t portion_bytes = std::size_t{64} * 1024;
    csv_.end_row();
    if (text_.size() >= portion_bytes) {
      job_.out.write(text_);
      text_.clear();
    }
    return job_.count_event();
  }

  const std::string& name(std::uint32_t id) {
    return names_.of(
        id, [&] { return io::printable_utf8(trace::plain_text(trace_.text(reader_, id))); });
  }
  const std::string& info(std::uint32_t id) {
    return infos_.of(id, [&] { return io::printable_utf8(trace_.text(reader_, id)); });
  }

  void write_spans(std::uint32_t track) {
    const trace::SpanIndex& index = *trace_.tracks[track].spans;
    const KeptSpans kept = kept_spans(trace_, reader_, track, job_.request.range);
    for_each_kept(trace_, track, kept, [&](std::uint32_t record, const bytepack::SpanRecord& span) {
      csv_.text(track_name_).text("spans").number(record).text(nothing).number(span.start);
      csv_.duration(static_cast<double>(span.duration)).number(index.lane(record));
      csv_.text(name(span.name));
      if (span.key) {
        csv_.number(*span.key);
      } else {
        csv_.text(nothing);
      }
      csv_.text(nothing).text(nothing).text(info(span.info));
      return row_done();
    });
  }

  void write_memory(std::uint32_t track) {
    const MemoryIndex& memory = *trace_.tracks[track].memory;
    if (trace_.dialect->memory == bytepack::MemoryForm::polygons) {
      write_outlines(memory);
      return;
    }
    for (std::uint32_t i = 0; i < memory.events.size(); ++i) {
      memory.prefetch(i);
      const std::uint32_t event = memory.events[i];
      const trace::Buffer buffer = memory.buffers[MemoryIndex::ordinal(event)];
      if (!keeps(buffer, job_.request.range)) continue;
      const bool is_free = MemoryIndex::is_free(event);
      csv_.text(track_name_).text("memory").number(i).text(is_free ? "free" : "alloc");
      csv_.number(is_free ? buffer.freed : buffer.allocated).text(nothing).text(nothing);
      csv_.text(name(buffer.dtype)).number(buffer.key).number(buffer.bytes);
      csv_.text(nothing).text(nothing);
      if (!row_done()) return;
    }
  }

  /// Dialects A and B have a record a buffer.
  void write_outlines(const MemoryIndex& memory) {
    for (const trace::Buffer buffer : memory.buffers) {
      if (!keeps(buffer, job_.request.range)) continue;
      csv_.text(track_name_).text("memory").number(buffer.key).text("buffer");
      csv_.number(buffer.allocated);
      if (buffer.freed == trace::Buffer::never) {
        csv_.text(nothing);
      } else {
        csv_.number(buffer.freed - buffer.allocated);
      }
      csv_.text(nothing).text(name(buffer.dtype)).text(nothing).number(buffer.bytes);
      csv_.text(nothing).text(nothing);
      if (!row_done()) return;
    }
  }

  void write_line(std::uint32_t track) {
    const trace::LineIndex& line = *trace_.tracks[track].line;
    const query::RecordRange kept = kept_values(line, job_.request.range);
    for (std::uint32_t i = kept.begin; i < kept.end; ++i) {
      csv_.text(track_name_).text("line").number(i).text(nothing).number(line.times[i]);
      csv_.text(nothing).text(nothing).text(nothing).text(nothing).text(nothing);
      csv_.number(line.values[i]).text(nothing);
      if (!row_done()) return;
    }
  }

  Job& job_;
  const trace::Trace& trace_;
  io::PageReader reader_;
  std::string text_;
  io::CsvWriter csv_;
  std::string track_name_;
  PieceCache names_;
  PieceCache infos_;
};

}  // namespace

Expected<void> write_csv(Job& job) {
  CsvExport(job).write();
  return {};
}

}  // namespace bytescope::exporting
