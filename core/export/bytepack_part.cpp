#include "core/export/bytepack_part.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/export/info_json.h"
#include "core/export/memory_copy.h"
#include "core/io/utf8.h"
#include "core/trace/lane_fit.h"

namespace bytescope::exporting {
namespace {

using bytepack::SpanRecord;
using bytepack::TrackKind;

/// A name that the head of a track has room for: its begin tells the device, its end what kind of
/// track it is.
std::string fitting_name(const std::string& name) {
  constexpr std::size_t most_bytes = 255;
  constexpr std::size_t end_bytes = 24;
  constexpr std::string_view dots = "\u2026";
  if (name.size() <= most_bytes) return name;
  std::size_t end = name.size() - end_bytes;
  while (end < name.size() && !io::begins_code_point(name[end])) ++end;
  const std::size_t room = most_bytes - dots.size() - (name.size() - end);
  std::size_t size = 0;
  while (size < room) {
    const std::size_t step = io::first_code_point(std::string_view(name).substr(size)).size_bytes;
    if (size + step > room) break;
    size += step;
  }
  return name.substr(0, size) + std::string(dots) + name.substr(end);
}

/// Whether an info may hold a link: parsing tens of millions of them takes long.
bool may_link(std::string_view info) {
  return info.find("link") != std::string_view::npos || info.find("\\u") != std::string_view::npos;
}

}  // namespace

BytepackPart::BytepackPart(Job& job)
    : job_(job),
      trace_(job.trace),
      reader_(trace_.file),
      plan_(trace_.index->strings.size()),
      heads_(trace_.tracks.size()) {}

void BytepackPart::measure() {
  for (std::uint32_t i = 0; i < trace_.tracks.size() && job_.goes_on(); ++i) {
    const trace::Track& track = trace_.tracks[i];
    Head& head = heads_[i];
    head.peak = track.head.peak;
    if (track.head.kind == TrackKind::spans) {
      measure_spans(i, head);
    } else if (track.head.kind == TrackKind::memory) {
      head.count = kept_event_count(*track.memory, job_.request.range);
      MemoryCopy copy(job_, i, plan_, placement_);
      copy.measure(head.peak);
      needs_.keys = std::max(needs_.keys, copy.end_of_keys());
      note_time(copy.last_time());
    } else {
      measure_line(i, head);
    }
    if (!is_written(i)) continue;
    ++needs_.tracks;
    needs_.peak = std::max(needs_.peak, head.peak);
  }
  plan_.finish();
  needs_.strings = plan_.empty() + 1;
}

void BytepackPart::note_time(std::uint32_t time) {
  needs_.last_time = std::max(needs_.last_time, time);
}

void BytepackPart::measure_spans(std::uint32_t track, Head& head) {
  head.spans = kept_spans(trace_, reader_, track, job_.request.range);
  head.count = head.spans.count();
  for_each_kept(trace_, track, head.spans, [this](std::uint32_t, const SpanRecord& span) {
    plan_.use_name(span.name);
    plan_.use_info(span.info);
    has_categories_ = has_categories_ || span.category.has_value();
    if (span.ref) needs_.refs = std::max(needs_.refs, std::uint64_t{*span.ref} + 1);
    if (span.key) needs_.keys = std::max(needs_.keys, std::uint64_t{*span.key} + 1);
    note_time(span.start);
    return job_.step();
  });
}

void BytepackPart::measure_line(std::uint32_t track, Head& head) {
  const trace::LineIndex& line = *trace_.tracks[track].line;
  const query::RecordRange kept = kept_values(line, job_.request.range);
  head.count = kept.count();
  if (head.count != 0) note_time(line.times[kept.end - 1]);
  if (job_.request.range) {
    head.peak = head.count == 0 ? 0
                                : *std::max_element(line.values.begin() + kept.begin,
                                                    line.values.begin() + kept.end);
  }
}

bool BytepackPart::is_written(std::uint32_t track) const {
  return heads_[track].count != 0 || !job_.request.range;
}

void BytepackPart::write_strings(bytepack::TraceWriter& writer) {
  const auto all = [this] { return trace_.index->strings.walk_from(reader_, 0); };
  write_each(all(), plan_.names(), [&writer](const std::string& text) { writer.string(text); });
  write_each(all(), plan_.infos(),
             [&](const std::string& text) { writer.string(written_info(text)); });
  writer.string("");
}

template <class Write>
void BytepackPart::write_each(bytepack::StringCursor strings, const RankedBits& wanted,
                              Write write) {
  const std::uint32_t count = trace_.index->strings.size();
  std::string text;
  for (std::uint32_t id = 0; id < count && job_.step(); ++id) {
    if (!wanted.contains(id)) {
      strings.skip();
      continue;
    }
    text.clear();
    strings.next(text);
    write(text);
  }
}

/// Links to spans are written anew where tracks get other names, and where records get other
/// numbers since some are left out.
std::string BytepackPart::written_info(const std::string& text) {
  std::string info = json_info(text);
  if (!job_.request.range && (placement_.prefix.empty() || !may_link(info))) return info;
  const auto link = trace::parse_info(info).link;
  return link ? relinked(info, *link) : info;
}

std::string BytepackPart::relinked(const std::string& info, const trace::SpanLink& link) const {
  if (!job_.request.range)
    return relinked_info(info, trace::SpanLink{placement_.prefix + link.row, link.index});
  const auto row = std::find_if(trace_.tracks.begin(), trace_.tracks.end(), [&](const auto& track) {
    return track.head.kind == TrackKind::spans && track.head.name == link.row;
  });
  if (row == trace_.tracks.end() || link.index >= row->head.count)
    return relinked_info(info, std::nullopt);
  const Head& head = heads_[static_cast<std::size_t>(row - trace_.tracks.begin())];
  const auto place = head.spans.place(static_cast<std::uint32_t>(link.index));
  if (!place) return relinked_info(info, std::nullopt);
  return relinked_info(info, trace::SpanLink{link.row, *place});
}

bool BytepackPart::write_tracks(bytepack::TraceWriter& writer) {
  bool is_as_told = true;
  for (std::uint32_t i = 0; i < heads_.size() && job_.goes_on(); ++i)
    if (is_written(i)) is_as_told = write_track(writer, i) && is_as_told;
  return is_as_told;
}

std::string BytepackPart::written_name(std::uint32_t track) {
  const std::string wanted = placement_.prefix + trace_.tracks[track].head.name;
  std::string name = fitting_name(wanted);
  if (name.size() != wanted.size())
    job_.outcome.warnings.add("A track's name is cut to 255 bytes", {{}, track, wanted, {}});
  return name;
}

bool BytepackPart::write_track(bytepack::TraceWriter& writer, std::uint32_t i) {
  const trace::Track& track = trace_.tracks[i];
  const Head& head = heads_[i];
  const std::string name = written_name(i);
  const std::uint64_t before = job_.outcome.events;
  if (track.head.kind == TrackKind::spans) {
    writer.begin_spans(name, head.count);
    write_spans(writer, i, head);
  } else if (track.head.kind == TrackKind::memory) {
    writer.begin_memory(name, head.count, head.peak);
    MemoryCopy copy(job_, i, plan_, placement_);
    copy.write(writer);
    frees_at_end_ += copy.frees_at_end();
  } else {
    writer.begin_line(name, head.count, head.peak);
    write_line(writer, *track.line);
  }
  return job_.outcome.events - before == head.count;
}

void BytepackPart::write_spans(bytepack::TraceWriter& writer, std::uint32_t track,
                               const Head& head) {
  const trace::SpanIndex& index = *trace_.tracks[track].spans;
  trace::LaneFit lanes;
  for_each_kept(trace_, track, head.spans, [&](std::uint32_t record, const SpanRecord& span) {
    if (trace_.dialect->lane_count_in_head) {
      const std::uint64_t end =
          std::uint64_t{span.start} + static_cast<std::uint64_t>(span.duration);
      if (lanes.place(span.start, end) != index.lane(record)) ++other_lanes_;
    }
    SpanRecord written = span;
    written.name = placement_.first_string + plan_.name(span.name);
    written.info = placement_.first_string + plan_.info(span.info);
    written.start += placement_.later_us;
    if (span.ref) written.ref = *span.ref + placement_.first_ref;
    if (span.key) written.key = *span.key + placement_.first_key;
    writer.span(written);
    return job_.count_event();
  });
}

void BytepackPart::write_line(bytepack::TraceWriter& writer, const trace::LineIndex& line) {
  const query::RecordRange kept = kept_values(line, job_.request.range);
  for (std::uint32_t i = kept.begin; i < kept.end; ++i) {
    writer.value(line.times[i] + placement_.later_us, line.values[i]);
    if (!job_.count_event()) return;
  }
}

void BytepackPart::warn() {
  Warnings& warnings = job_.outcome.warnings;
  const bytepack::UserLayout& user = trace_.dialect->user;
  if (has_categories_) warnings.add("The newest dialect has no categories; they are left out");
  if (other_lanes_ != 0)
    warnings.add(fmt::format("{} spans get another lane: the newest dialect does not tell lanes",
                             other_lanes_));
  if (frees_at_end_ != 0) {
    warnings.add(fmt::format(
        "{} buffers that are freed in the very last microsecond count as alive at the end",
        frees_at_end_));
  }
  if (user.stride == 0) return;
  if (user.run < 0) warnings.add("Users of buffers have no run here; they get run 0");
  if (user.name < 0) warnings.add("Users of buffers have no name here; they get an empty one");
  if (user.mode < 0)
    warnings.add("What users did with buffers is not known here; they count as readers");
}

}  // namespace bytescope::exporting
