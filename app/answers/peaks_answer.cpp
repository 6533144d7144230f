#include <algorithm>
#include <memory>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

struct Peak {
  std::uint32_t track = 0;
  std::uint64_t bytes = 0;
  std::uint32_t time = 0;
  std::uint64_t never_freed_bytes = 0;
};

std::vector<Peak> peaks_of(const trace::Trace& trace, const Cancel& cancel) {
  std::vector<Peak> peaks;
  for (std::uint32_t i = 0; i < trace.tracks.size() && !cancel.requested(); ++i) {
    const auto& memory = trace.tracks[i].memory;
    if (!memory || memory->events.empty() || trace::is_file_memory(trace.tracks[i].own_name()))
      continue;
    Peak peak{i, memory->peak_bytes, memory->event_time(memory->peak_event), 0};
    for (const trace::Buffer& buffer : memory->buffers)
      if (memory->alive_at_end(buffer)) peak.never_freed_bytes += buffer.bytes;
    peaks.push_back(peak);
  }
  std::stable_sort(peaks.begin(), peaks.end(),
                   [](const Peak& a, const Peak& b) { return a.bytes > b.bytes; });
  return peaks;
}

}  // namespace

void make_peaks_answer(const AnswerRequest& request, const Cancel& cancel,
                       const PublishAnswer& publish) {
  const std::shared_ptr<const trace::Trace>& trace = request.trace;
  const auto peaks = std::make_shared<const std::vector<Peak>>(peaks_of(*trace, cancel));
  if (cancel.requested()) return;
  const std::shared_ptr<Answer> answer = new_answer(request);
  answer->table.columns = {text_column("Track", "track", 0),
                           number_column("Peak", "peak_bytes", 110),
                           number_column("At", "time_" + unit_suffix(trace->unit), 140),
                           number_column("Never freed", "never_freed_bytes", 110)};
  answer->table.row_count = peaks->size();
  answer->table.text = [trace, peaks](std::size_t row, std::size_t column) {
    const Peak& peak = (*peaks)[row];
    if (column == 0) return track_text(*trace, peak.track);
    if (column == 2) return moment_text(peak.time, trace->unit);
    return trace::bytes_text(column == 1 ? peak.bytes : peak.never_freed_bytes);
  };
  answer->table.number = [peaks](std::size_t row, std::size_t column) {
    const Peak& peak = (*peaks)[row];
    if (column == 2) return static_cast<double>(peak.time);
    return static_cast<double>(column == 1 ? peak.bytes : peak.never_freed_bytes);
  };
  answer->table.share = [peaks](std::size_t row) {
    const auto most = static_cast<double>((*peaks)[0].bytes);
    return most > 0 ? static_cast<double>((*peaks)[row].bytes) / most : 0;
  };
  answer->target = [peaks](std::size_t row, io::PageReader&) -> RowTarget {
    return trace::ns_from_unit((*peaks)[row].time);
  };
  answer->notice = "A click goes there; Live buffers tells what is alive at the peak of a track.";
  publish(answer);
}

}  // namespace bytescope::app
