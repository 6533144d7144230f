#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/bytepack/writer.h"
#include "core/export/job.h"
#include "core/export/kept_events.h"
#include "core/export/placement.h"
#include "core/export/string_plan.h"
#include "core/io/page_reader.h"
#include "core/trace/info_facts.h"

namespace bytescope::exporting {

/// What a trace needs of a file that it is written to.
struct Needs {
  std::uint32_t strings = 0;
  std::uint32_t tracks = 0;
  std::uint64_t refs = 0;       ///< One more than the largest, 0 without any.
  std::uint64_t keys = 0;       ///< The same of run keys.
  std::uint32_t last_time = 0;  ///< The latest at which anything begins or happens.
  std::uint64_t peak = 0;       ///< The largest of its tracks.
};

/// A trace of any dialect, or what touches a range of it, as part of a file of the newest dialect:
/// its strings and its tracks. Records are read once to find what they need, and then once more.
class BytepackPart {
public:
  /// `job` must outlive the part.
  explicit BytepackPart(Job& job);

  /// Reads everything. To be called first.
  void measure();
  const Needs& needs() const { return needs_; }
  /// To be called between measure() and writing, unless the trace has the file for itself.
  void place(Placement placement) { placement_ = std::move(placement); }

  /// Adds its strings to the index, needs().strings of them.
  void write_strings(bytepack::TraceWriter& writer);
  /// Adds its tracks, needs().tracks of them. False where not all that was measured came true: the
  /// file has changed.
  bool write_tracks(bytepack::TraceWriter& writer);
  /// How many records of a track are written; of one that is not written none.
  std::uint32_t kept_count(std::uint32_t track) const { return heads_[track].count; }
  /// Whether a track is written: empty ones only where they are all there was.
  bool is_written(std::uint32_t track) const;
  /// Tells the job's warnings what the newest dialect could not say.
  void warn();

private:
  /// What the head of a written track says.
  struct Head {
    std::uint32_t count = 0;
    std::uint64_t peak = 0;
    KeptSpans spans;
  };

  void measure_spans(std::uint32_t track, Head& head);
  void measure_line(std::uint32_t track, Head& head);
  void note_time(std::uint32_t time);
  template <class Write>
  void write_each(bytepack::StringCursor strings, const RankedBits& wanted, Write write);
  std::string written_info(const std::string& text);
  std::string relinked(const std::string& info, const trace::SpanLink& link) const;
  bool write_track(bytepack::TraceWriter& writer, std::uint32_t track);
  std::string written_name(std::uint32_t track);
  void write_spans(bytepack::TraceWriter& writer, std::uint32_t track, const Head& head);
  void write_line(bytepack::TraceWriter& writer, const trace::LineIndex& line);

  Job& job_;
  const trace::Trace& trace_;
  io::PageReader reader_;
  StringPlan plan_;
  Placement placement_;
  Needs needs_;
  std::vector<Head> heads_;  ///< By track.
  bool has_categories_ = false;
  std::uint64_t other_lanes_ = 0;
  std::uint64_t frees_at_end_ = 0;
};

}  // namespace bytescope::exporting
