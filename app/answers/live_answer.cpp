#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "core/query/live_buffers.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

using query::BufferGroup;
using query::LiveSet;
using trace::Buffer;

enum Instant : std::uint8_t { at_peak, at_time, allocated_in_range };
enum LiveGrouping : std::uint8_t { by_buffer, by_type, by_writer, by_lifetime };

std::uint32_t units_of(std::int64_t ns) {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(ns / 1000, 0, UINT32_MAX - 1));
}

/// The memory track that the third choice means.
std::optional<std::uint32_t> track_of(const AnswerRequest& request) {
  std::uint32_t left = request.choices[2];
  std::optional<std::uint32_t> last;
  for (std::uint32_t i = 0; i < request.trace->tracks.size(); ++i) {
    if (!request.trace->tracks[i].memory) continue;
    last = i;
    if (left-- == 0) break;
  }
  return last;
}

/// What lives, and the words for when.
struct Asked {
  LiveSet live;
  std::string when;
};

Asked live_of(const AnswerRequest& request, const trace::MemoryIndex& memory) {
  const trace::Unit unit = request.trace->unit;
  if (request.choices[0] == allocated_in_range && !request.whole) {
    const std::uint32_t begin = units_of(request.range.begin_ns);
    const std::uint32_t end = std::max(units_of(request.range.end_ns), begin);
    return {query::allocated_between(memory, begin, end),
            "allocated in the range and alive after it"};
  }
  if (request.choices[0] == at_time && request.time_ns) {
    const std::uint32_t time = units_of(*request.time_ns);
    return {query::live_set_at(memory, time), "live at " + moment_text(time, unit)};
  }
  LiveSet live = query::live_set_at_peak(memory);
  std::string when = "live at the peak, " + moment_text(live.time, unit);
  return {std::move(live), std::move(when)};
}

/// The rows of single buffers with all that their cells need.
struct BufferRows {
  std::shared_ptr<const trace::Trace> trace;
  std::uint32_t track = 0;
  LiveSet live;
  std::vector<std::optional<std::uint32_t>> writers;
  std::unordered_map<std::uint32_t, std::string> texts;  ///< Of the strings that rows show.

  const trace::MemoryIndex& memory() const { return *trace->tracks[track].memory; }
  Buffer buffer(std::size_t row) const { return memory().buffers[live.buffers[row].ordinal]; }
  void need(std::uint32_t string, io::PageReader& reader) {
    if (!texts.contains(string)) texts.emplace(string, trace->text(reader, string));
  }
  std::string text(std::size_t row, std::size_t column) const;
  double number(std::size_t row, std::size_t column) const;
};

double BufferRows::number(std::size_t row, std::size_t column) const {
  const Buffer& of = buffer(row);
  switch (column) {
    case 1: return static_cast<double>(of.bytes);
    case 2:
      return live.bytes > 0 ? static_cast<double>(of.bytes) / static_cast<double>(live.bytes) : 0;
    case 4: return of.allocated;
    case 5:
      return number_or_nan(memory().alive_at_end(of) ? std::nullopt
                                                     : std::optional<double>(of.freed));
    default: return of.key;
  }
}

std::string BufferRows::text(std::size_t row, std::size_t column) const {
  const Buffer& of = buffer(row);
  switch (column) {
    case 0: return texts.at(of.dtype);
    case 1: return trace::bytes_text(of.bytes);
    case 2: return trace::percent_text(number(row, 2));
    case 3: return trace::lifetime_text(memory().lifetime(of));
    case 4: return moment_text(of.allocated, trace->unit);
    case 5: return memory().alive_at_end(of) ? "never" : moment_text(of.freed, trace->unit);
    case 6: return writers[row] ? texts.at(*writers[row]) : "no recorded writer";
    default: return fmt::format("{}", of.key);
  }
}

void show_buffers(Answer& answer, const std::shared_ptr<const BufferRows>& rows) {
  const std::string u = "_" + unit_suffix(rows->trace->unit);
  answer.table.columns = {text_column("Type", "dtype", 0),
                          number_column("Bytes", "bytes", 84),
                          number_column("Share", "share", 64),
                          text_column("Lifetime", "lifetime", 96),
                          number_column("Allocated", "allocated" + u, 130),
                          number_column("Freed", "freed" + u, 130),
                          text_column("First writer", "first_writer", 260),
                          number_column("Key", "key", 80)};
  answer.table.row_count = std::min(rows->live.buffers.size(), most_table_rows);
  answer.table.text = [rows](std::size_t row, std::size_t column) {
    return rows->text(row, column);
  };
  answer.table.number = [rows](std::size_t row, std::size_t column) {
    return rows->number(row, column);
  };
  answer.table.share = [rows](std::size_t row) {
    const double most = rows->number(0, 1);
    return most > 0 ? rows->number(row, 1) / most : 0;
  };
  answer.target = [rows](std::size_t row, io::PageReader&) {
    return buffer_target(*rows->trace, rows->track, rows->live.buffers[row].ordinal);
  };
}

void show_groups(Answer& answer, std::vector<BufferGroup> found, std::uint32_t track) {
  const auto groups = std::make_shared<const std::vector<BufferGroup>>(std::move(found));
  answer.table.columns = {text_column("Group", "group", 0), number_column("Buffers", "count", 84),
                          number_column("Bytes", "bytes", 92), number_column("Share", "share", 72)};
  answer.table.row_count = std::min(groups->size(), most_table_rows);
  answer.table.text = [groups](std::size_t row, std::size_t column) {
    const BufferGroup& group = (*groups)[row];
    if (column == 0) return group.name;
    if (column == 1) return trace::count_text(group.count);
    return column == 2 ? trace::bytes_text(group.bytes) : trace::percent_text(group.share);
  };
  answer.table.number = [groups](std::size_t row, std::size_t column) {
    const BufferGroup& group = (*groups)[row];
    if (column == 1) return static_cast<double>(group.count);
    return column == 2 ? static_cast<double>(group.bytes) : group.share;
  };
  answer.table.share = [groups](std::size_t row) { return (*groups)[row].share; };
  answer.target = [groups, trace = answer.request.trace, track](std::size_t row, io::PageReader&) {
    return buffer_target(*trace, track, (*groups)[row].largest);
  };
}

void make_buffers(Answer& answer, std::uint32_t track, LiveSet live, const Cancel& cancel) {
  const auto rows = std::make_shared<BufferRows>();
  rows->trace = answer.request.trace;
  rows->track = track;
  rows->writers = query::first_writers(*rows->trace, track, live, cancel);
  rows->live = std::move(live);
  rows->writers.resize(rows->live.buffers.size());
  io::PageReader reader(rows->trace->file);
  for (std::size_t i = 0; i < std::min(rows->live.buffers.size(), most_table_rows); ++i) {
    if (cancel.requested()) return;
    rows->need(rows->buffer(i).dtype, reader);
    if (rows->writers[i]) rows->need(*rows->writers[i], reader);
  }
  show_buffers(answer, rows);
}

std::string notice_of(const AnswerRequest& request, const LiveSet& live) {
  std::string notice;
  if (request.choices[0] == at_time && !request.time_ns)
    notice = "Point at an instant and press L to pin it; shown is the peak.  ";
  if (request.choices[0] == allocated_in_range && request.whole)
    notice = "Measure a range to see what was allocated in it and not freed; shown is the peak.  ";
  if (live.buffers.size() > most_table_rows)
    notice += fmt::format("The {} largest are listed.", trace::count_text(most_table_rows));
  return notice;
}

}  // namespace

void make_live_answer(const AnswerRequest& request, const Cancel& cancel,
                      const PublishAnswer& publish) {
  const std::shared_ptr<Answer> answer = new_answer(request);
  const std::optional<std::uint32_t> track = track_of(request);
  if (!track) return publish(answer);
  const trace::Trace& trace = *request.trace;
  Asked asked = live_of(request, *trace.tracks[*track].memory);
  answer->headline = fmt::format("{} in {} buffers {}", trace::bytes_text(asked.live.bytes),
                                 trace::count_text(asked.live.buffers.size()), asked.when);
  answer->notice = notice_of(request, asked.live);
  if (request.choices[1] == by_type) {
    show_groups(*answer, query::group_by_type(trace, *track, asked.live), *track);
  } else if (request.choices[1] == by_writer) {
    show_groups(*answer, query::group_by_writer(trace, *track, asked.live, cancel), *track);
  } else if (request.choices[1] == by_lifetime) {
    show_groups(*answer, query::group_by_lifetime(trace, *track, asked.live), *track);
  } else {
    make_buffers(*answer, *track, std::move(asked.live), cancel);
  }
  if (!cancel.requested()) publish(answer);
}

}  // namespace bytescope::app
