#include "core/merge/merge.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/bytepack/writer.h"
#include "core/export/bytepack_part.h"
#include "core/export/export.h"
#include "core/export/job.h"
#include "core/io/output_file.h"
#include "core/io/scratch_file.h"
#include "core/merge/merged_index.h"
#include "core/trace/units.h"

namespace bytescope::merge {
namespace {

/// The largest of a record's numbers that may be missing: it is stored as one more.
constexpr std::uint64_t most_optional = UINT32_MAX;
/// The largest u32 stands for "never" in some places.
constexpr std::int64_t latest_us = std::int64_t{UINT32_MAX} - 1;

/// Writes one merged trace into one file.
class Merging {
public:
  Merging(std::span<const Source> sources, io::OutputFile& out, const Cancel& cancel,
          Progress* progress)
      : sources_(sources), out_(out), cancel_(cancel), progress_(progress) {}

  Expected<Outcome> run() {
    if (const auto fits = sources_fit(sources_); !fits) return tl::make_unexpected(fits.error());
    begin();
    if (auto measured = measure(); !measured) return tl::make_unexpected(measured.error());
    if (auto placed = place(); !placed) return tl::make_unexpected(placed.error());
    const auto members = merged_index_members(sources_, later_us_, files_, warnings_, cancel_);
    if (!members) return tl::make_unexpected(members.error());
    members_ = *members;
    bytepack::CountingSink counted;
    write_index(counted);
    if (counted.size_bytes() > std::numeric_limits<std::uint32_t>::max())
      return failure(ErrorKind::usage, "There is no room for an index of more than 4 GB");
    write(static_cast<std::uint32_t>(counted.size_bytes()));
    if (const auto sound = check(); !sound) return tl::make_unexpected(sound.error());
    return Outcome{exported_.events, out_.size_bytes(), std::move(warnings_)};
  }

private:
  void begin() {
    if (progress_ != nullptr) {
      progress_->events_done = progress_->events_total = 0;
      progress_->bytes_done = progress_->bytes_total = 0;
    }
    jobs_.reserve(sources_.size());
    parts_.reserve(sources_.size());
    for (const Source& source : sources_) {
      jobs_.push_back({*source.trace, everything_, out_, cancel_, progress_, exported_});
      parts_.emplace_back(jobs_.back());
      if (progress_ == nullptr) continue;
      progress_->events_total += source.trace->event_count;
      progress_->bytes_total += source.trace->file->size_bytes();
    }
    std::uint32_t first_track = 0;
    for (const Source& source : sources_) {
      add_warnings(source, first_track, source.trace->warnings);
      first_track += static_cast<std::uint32_t>(source.trace->tracks.size());
    }
  }

  /// Adds what is amiss with one source, with the names and numbers that tracks have here.
  void add_warnings(const Source& source, std::uint32_t first_track, const Warnings& found) {
    for (Warning warning : found.list()) {
      if (warning.where.track) *warning.where.track += first_track;
      if (!warning.where.track_name.empty())
        warning.where.track_name = source.name + "/" + warning.where.track_name;
      warnings_.add(source.name + ": " + warning.message, std::move(warning.where));
    }
    if (found.dropped() != 0)
      warnings_.add(fmt::format("{}: {} more warnings", source.name, found.dropped()));
  }

  Expected<void> measure() {
    for (exporting::BytepackPart& part : parts_) part.measure();
    return check();
  }

  /// Gives each source its place: in time, among strings, refs and keys.
  Expected<void> place() {
    std::vector<std::uint32_t> ends_us;
    for (std::size_t i = 0; i < sources_.size(); ++i)
      ends_us.push_back(
          std::max(sources_[i].trace->frame.duration_us, parts_[i].needs().last_time));
    const auto shifts = shifts_of(sources_, ends_us);
    if (!shifts) return tl::make_unexpected(shifts.error());
    later_us_ = *shifts;
    std::uint64_t strings = 0;
    std::uint64_t refs = 0;
    std::uint64_t keys = 0;
    std::uint64_t tracks = 0;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const exporting::Needs& needs = parts_[i].needs();
      const auto first = [](std::uint64_t sum) { return static_cast<std::uint32_t>(sum); };
      parts_[i].place(
          {sources_[i].name + "/", (*shifts)[i], first(strings), first(refs), first(keys)});
      add_file(sources_[i], (*shifts)[i], first(refs), first(keys));
      const std::uint32_t end_us = sources_[i].trace->frame.duration_us + (*shifts)[i];
      frame_.duration_us = std::max(frame_.duration_us, end_us);
      frame_.peak_bytes = std::max(frame_.peak_bytes, needs.peak);
      strings += needs.strings;
      refs += needs.refs;
      keys += needs.keys;
      tracks += needs.tracks;
      if (strings > UINT32_MAX || tracks > UINT32_MAX || refs > most_optional ||
          keys > most_optional) {
        return failure(ErrorKind::usage,
                       "The strings, tracks, refs or run keys of these files are too many, or too "
                       "large, to stand side by side");
      }
    }
    frame_.track_count = static_cast<std::uint32_t>(tracks);
    return {};
  }

  /// Notes what becomes of a source: itself, or the files that it was merged from.
  void add_file(const Source& source, std::uint32_t later_us, std::uint32_t first_ref,
                std::uint32_t first_key) {
    const trace::Trace& trace = *source.trace;
    std::vector<bytepack::MergedFile> files;
    for (const trace::TracePart& part : trace.parts) files.push_back(part.file);
    const bool is_merged = !files.empty();
    if (!is_merged) {
      files.emplace_back().track_count = static_cast<std::uint32_t>(trace.tracks.size());
      files.back().end_us = trace.frame.duration_us;
    }
    for (bytepack::MergedFile& file : files) {
      file.name = is_merged ? source.name + "/" + file.name : source.name;
      file.offset_us += source.offset_us;
      file.begin_us += later_us;
      file.end_us += later_us;
      file.first_ref += first_ref;
      file.first_key += first_key;
      files_.push_back({std::move(file), is_merged ? nullptr : source.trace.get()});
    }
  }

  void write(std::uint32_t index_bytes) {
    frame_.index_bytes = index_bytes;
    bytepack::FileSink sink(out_);
    bytepack::TraceWriter writer(sink, bytepack::dialects.front());
    writer.frame(frame_);
    writer.flush();
    const std::uint64_t before = out_.size_bytes();
    write_index(sink);
    is_as_told_ = out_.size_bytes() - before == index_bytes;
    std::uint32_t first_track = 0;
    for (std::size_t i = 0; i < parts_.size() && !cancel_.requested(); ++i) {
      is_as_told_ = parts_[i].write_tracks(writer) && is_as_told_;
      parts_[i].warn();
      add_warnings(sources_[i], first_track, std::exchange(exported_.warnings, {}));
      first_track += parts_[i].needs().tracks;
    }
    writer.flush();
  }

  void write_index(bytepack::Sink& sink) {
    bytepack::TraceWriter writer(sink, bytepack::dialects.front());
    writer.begin_index();
    for (exporting::BytepackPart& part : parts_) part.write_strings(writer);
    writer.end_index_with(members_);
    writer.flush();
  }

  /// Whether there is a reason not to go on.
  Expected<void> check() const {
    if (cancel_.requested()) return failure(ErrorKind::cancelled, "Cancelled");
    if (!out_.ok()) return {};  // told when the file is finished
    const auto changed = std::find_if(sources_.begin(), sources_.end(), [](const Source& source) {
      return source.trace->file->changed();
    });
    if (is_as_told_ && changed == sources_.end()) return {};
    const Source& source = changed == sources_.end() ? sources_.front() : *changed;
    return failure(ErrorKind::bad_input, "A file changed while it was merged", {},
                   source.trace->file->path());
  }

  std::span<const Source> sources_;
  io::OutputFile& out_;
  const Cancel& cancel_;
  Progress* progress_;
  exporting::Request everything_;
  exporting::Outcome exported_;
  std::vector<exporting::Job> jobs_;
  std::vector<exporting::BytepackPart> parts_;
  std::vector<IndexFile> files_;
  std::vector<std::uint32_t> later_us_;
  bytepack::Frame frame_;
  std::string members_;
  Warnings warnings_;
  bool is_as_told_ = true;
};

}  // namespace

Expected<std::vector<std::uint32_t>> shifts_of(std::span<const Source> sources,
                                               std::span<const std::uint32_t> ends_us) {
  const auto out_of_range = [](const Source& source) {
    return failure(ErrorKind::usage,
                   fmt::format("With an offset of {} us {} leaves the 71.6 minutes that a trace "
                               "can last",
                               source.offset_us, source.name));
  };
  std::int64_t origin_us = 0;
  for (const Source& source : sources) {
    if (source.offset_us > latest_us || source.offset_us < -latest_us) return out_of_range(source);
    origin_us = std::max(origin_us, -source.offset_us);
  }
  std::vector<std::uint32_t> shifts;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::int64_t later_us = sources[i].offset_us + origin_us;
    const bool has_room = later_us == 0 || later_us + ends_us[i] <= latest_us;
    if (!has_room) return out_of_range(sources[i]);
    shifts.push_back(static_cast<std::uint32_t>(later_us));
  }
  return shifts;
}

Expected<Outcome> merge_into_file(std::span<const Source> sources, const std::string& path,
                                  const Cancel& cancel, Progress* progress) {
  auto out = io::OutputFile::create(path);
  if (!out) return tl::make_unexpected(out.error());
  auto outcome = Merging(sources, *out, cancel, progress).run();
  if (!outcome) {
    if (outcome.error().path.empty()) outcome.error().path = path;
    return outcome;
  }
  if (const auto committed = out->commit(); !committed)
    return tl::make_unexpected(committed.error());
  return outcome;
}

Expected<MergedTrace> merge_into_scratch(std::span<const Source> sources, const std::string& name,
                                         const Cancel& cancel, Progress* progress) {
  auto scratch = io::ScratchFile::create();
  if (!scratch) return tl::make_unexpected(scratch.error());
  std::uint64_t likely_bytes = 0;
  for (const Source& source : sources) likely_bytes += source.trace->file->size_bytes();
  if (scratch->room_bytes() < likely_bytes) {
    return failure(ErrorKind::machine,
                   fmt::format("There is no room for a temporary file of {} in {}",
                               trace::bytes_text(likely_bytes), scratch->folder()));
  }
  io::OutputFile out = io::OutputFile::without_place(std::move(*scratch));
  auto outcome = Merging(sources, out, cancel, progress).run();
  if (!outcome) return tl::make_unexpected(outcome.error());
  const auto descriptor = out.release();
  if (!descriptor) return tl::make_unexpected(descriptor.error());
  std::vector<std::shared_ptr<const io::InputFile>> files;
  for (const Source& source : sources) files.push_back(source.trace->file);
  auto file = io::InputFile::made_of(name, *descriptor, outcome->size_bytes, files);
  return MergedTrace{std::move(file), std::move(*outcome)};
}

}  // namespace bytescope::merge
