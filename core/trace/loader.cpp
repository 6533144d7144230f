#include "core/trace/loader.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/bytepack/detect.h"
#include "core/io/packed_file.h"
#include "core/trace/index_pass.h"
#include "core/trace/info_sample.h"

namespace bytescope::trace {
namespace {

using bytepack::Dialect;
using bytepack::Reading;
using bytepack::TrackKind;

/// Stages follow one another no faster: each is summed up, laid out and drawn, on processors that
/// the rest of the load could use.
constexpr std::chrono::milliseconds stage_pace(250);

bool has(const Reading& reading, bool spans) {
  return std::any_of(
      reading.heads.begin(), reading.heads.end(),
      [&](const bytepack::TrackHead& head) { return (head.kind == TrackKind::spans) == spans; });
}

bool reads_spans_alike(const Dialect& a, const Dialect& b) {
  return a.span == b.span && a.lane_count_in_head == b.lane_count_in_head;
}

bool reads_memory_alike(const Dialect& a, const Dialect& b) {
  return a.memory == b.memory && a.user == b.user;
}

/// Whether two dialects read the records of such a file the same way.
bool reads_alike(const Reading& reading, const Dialect& a, const Dialect& b) {
  return (!has(reading, true) || reads_spans_alike(a, b)) &&
         (!has(reading, false) || reads_memory_alike(a, b));
}

/// Why a file is refused: the dialect that came closest, and what was wrong under it.
Error refusal(const Dialect& dialect, Error fault) {
  std::string& message = fault.message;
  if (!message.empty() && message[0] >= 'A' && message[0] <= 'Z')
    message[0] = static_cast<char>(message[0] + ('a' - 'A'));
  message = fmt::format("Not a bytepack trace. It comes closest to dialect {}, but {}",
                        dialect.letter, message);
  return fault;
}

/// What became part of a merged trace. Tells its tracks whose they are; what is told wrongly counts
/// as no merged trace.
std::vector<TracePart> parts_from(const std::vector<bytepack::MergedFile>& files,
                                  std::vector<Track>& tracks) {
  std::vector<TracePart> parts;
  std::uint64_t first = 0;
  for (const bytepack::MergedFile& file : files) {
    // Of a damaged file there may be fewer tracks.
    const std::uint64_t end = std::min<std::uint64_t>(first + file.track_count, tracks.size());
    if (first < end) {
      parts.push_back({file, static_cast<std::uint32_t>(first)});
      parts.back().file.track_count = static_cast<std::uint32_t>(end - first);
    }
    for (std::uint64_t i = first; i < end; ++i) {
      Track& track = tracks[i];
      const std::string prefix = file.name + "/";
      if (track.head.name.starts_with(prefix))
        track.prefix_bytes = static_cast<std::uint32_t>(prefix.size());
      track.file_begin = file.begin_us;
      track.file_end = file.end_us;
    }
    first = std::max(first, end);
  }
  return parts;
}

/// Loads one file, step by step.
class Load {
public:
  Load(const LoadOptions& options, const Cancel& cancel, Progress* progress)
      : options_(options), cancel_(cancel), progress_(progress) {
    trace_.warnings = options.known.value_or(Warnings());
  }

  Expected<std::shared_ptr<const Trace>> run(const std::string& path) {
    auto opened = io::InputFile::open(path);
    if (!opened) return tl::make_unexpected(opened.error());
    return run(std::move(*opened));
  }

  Expected<std::shared_ptr<const Trace>> run(std::shared_ptr<const io::InputFile> file) {
    auto unpacked = io::unpacked(std::move(file), cancel_, progress_);
    if (!unpacked) return tl::make_unexpected(unpacked.error());
    trace_.file = std::move(*unpacked);
    auto frame = bytepack::read_frame(*trace_.file);
    if (!frame) return tl::make_unexpected(frame.error());
    trace_.frame = *frame;
    if (progress_ != nullptr) {
      progress_->bytes_done = 0;
      progress_->bytes_total = trace_.file->size_bytes();
    }
    auto index = bytepack::read_json_index(*trace_.file, bytepack::Frame::head_bytes,
                                           frame->index_bytes, trace_.warnings, cancel_, progress_);
    if (!index) return with_path(std::move(index.error()));
    trace_.index = std::make_shared<const bytepack::JsonIndex>(std::move(*index));
    if (progress_ != nullptr) progress_->bytes_done = trace_.frame.tracks_begin();
    auto detection = bytepack::detect(*trace_.file, trace_.frame, *trace_.index, cancel_);
    if (!detection) return tl::make_unexpected(detection.error());
    return open(std::move(*detection));
  }

private:
  tl::unexpected<Error> with_path(Error error) const {
    if (error.path.empty()) error.path = trace_.file->path();
    return tl::make_unexpected(std::move(error));
  }

  /// A reading of which not all is sound: its sound tracks, and what is wrong behind them.
  struct Attempt {
    Reading reading;
    Error fault;
  };

  Expected<std::shared_ptr<const Trace>> open(bytepack::Detection detection) {
    io::PageReader reader(trace_.file, 16);
    std::optional<Attempt> furthest;
    std::vector<const Dialect*> failed;
    for (std::size_t i = 0; i < detection.fitting.size(); ++i) {
      const Reading& reading = detection.fitting[i];
      const auto reads_so = [&](const Dialect* other) {
        return reads_alike(reading, *other, *reading.dialect);
      };
      if (std::any_of(failed.begin(), failed.end(), reads_so)) continue;
      if (const InfoSample infos = sample(reader, reading); !infos.allows(reading.dialect->info)) {
        if (!furthest) furthest = Attempt{{reading.dialect, {}, false}, wrong_infos(infos)};
        continue;
      }
      take(reading);
      const Expected<void> done = index_tracks();
      if (done) {
        trace_.fitting_dialects = proven(detection, i, reader);
        return finish(reading);
      }
      if (done.error().kind != ErrorKind::bad_input) return with_path(done.error());
      failed.push_back(reading.dialect);
      if (!furthest || done.error().where.byte > furthest->fault.where.byte) {
        furthest = Attempt{reading, done.error()};
        furthest->reading.heads.resize(*done.error().where.track);
      }
    }
    if (!furthest) furthest = Attempt{std::move(detection.furthest), *detection.fault};
    return open_partly(std::move(*furthest));
  }

  /// Opens the sound tracks before the fault, if there are any.
  Expected<std::shared_ptr<const Trace>> open_partly(Attempt attempt) {
    Reading& reading = attempt.reading;
    while (!reading.heads.empty()) {
      take(reading);
      const Expected<void> done = index_tracks();
      if (done) {
        trace_.warnings.add(
            fmt::format("Damaged: {} of {} tracks can be shown. {}", reading.heads.size(),
                        trace_.frame.track_count, attempt.fault.message),
            attempt.fault.where);
        name_partly_fitting(reading);
        return finish(reading);
      }
      if (done.error().kind != ErrorKind::bad_input) return with_path(done.error());
      attempt.fault = done.error();
      reading.heads.resize(*attempt.fault.where.track);
    }
    return with_path(refusal(*reading.dialect, std::move(attempt.fault)));
  }

  /// Of the dialects that read the sound tracks alike, those that their infos allow.
  void name_partly_fitting(const Reading& reading) {
    io::PageReader reader(trace_.file, 16);
    const InfoSample infos = sample(reader, reading);
    std::vector<const Dialect*> fitting;
    for (const Dialect& dialect : bytepack::dialects) {
      if (reads_alike(reading, *reading.dialect, dialect) && infos.allows(dialect.info))
        fitting.push_back(&dialect);
    }
    if (fitting.empty()) fitting.push_back(reading.dialect);
    trace_.dialect = fitting.front();
    trace_.fitting_dialects.clear();
    for (const Dialect* dialect : fitting) trace_.fitting_dialects.push_back(dialect->letter);
  }

  InfoSample sample(io::PageReader& reader, const Reading& reading) const {
    return sample_infos(reader, reading, trace_.index->strings);
  }

  static Error wrong_infos(const InfoSample& infos) {
    return {ErrorKind::bad_input, "Its infos are not of that dialect's form", infos.first, {}};
  }

  /// Sets the trace up for a reading, without indexes.
  void take(const Reading& reading) {
    trace_.dialect = reading.dialect;
    trace_.tracks.clear();
    trace_.event_count = 0;
    for (const bytepack::TrackHead& head : reading.heads) {
      Track track;
      track.head = head;
      trace_.event_count += head.count;
      trace_.tracks.push_back(std::move(track));
    }
    trace_.parts = parts_from(trace_.index->merged, trace_.tracks);
    trace_.unit = unit_of(trace_.tracks);
    for (Track& track : trace_.tracks) {
      const TrackKind kind = track.head.kind;
      track.role = kind == TrackKind::line ? TrackRole::line
                   : kind == TrackKind::memory
                       ? TrackRole::memory
                       : role_of(track.own_name(), trace_.unit == Unit::cycles);
    }
    if (progress_ != nullptr) {
      progress_->events_total = trace_.event_count;
      progress_->events_done = 0;
      progress_->bytes_done = trace_.frame.tracks_begin();
    }
  }

  Unit unit_of(const std::vector<Track>& tracks) const {
    const bytepack::JsonIndex& index = *trace_.index;
    if (index.has_pc_map || index.has_wave_colors) return Unit::cycles;
    static constexpr std::array<std::string_view, 5> shader_rows = {
        "WAVE:", "SIMD:", "ALUEXEC:", "SE:", "GPC:"};
    const auto is_shader_row = [](const Track& track) {
      return std::any_of(shader_rows.begin(), shader_rows.end(), [&](std::string_view prefix) {
        return track.own_name().starts_with(prefix);
      });
    };
    return std::any_of(tracks.begin(), tracks.end(), is_shader_row) ? Unit::cycles
                                                                    : Unit::microseconds;
  }

  Expected<void> index_tracks() {
    IndexPass pass(*trace_.file, trace_.frame, *trace_.index, *trace_.dialect, trace_.tracks,
                   cancel_, progress_);
    if (options_.previews && options_.on_stage) {
      Expected<void> sampled = pass.preview(options_.threads);
      if (!sampled) return sampled;
      if (cancel_.requested()) return failure(ErrorKind::cancelled, "Cancelled");
      publish();
      pass.set_on_track([this] {
        if (std::chrono::steady_clock::now() - published_ > stage_pace) publish();
      });
    }
    Warnings found;
    Expected<void> done = pass.run(options_.threads, found);
    if (done) trace_.warnings.append(found);
    return done;
  }

  void publish() {
    options_.on_stage(std::make_shared<const Trace>(trace_));
    published_ = std::chrono::steady_clock::now();
  }

  /// The letters of all dialects that read the whole file without a fault, given that reading
  /// `winner` does.
  std::vector<char> proven(const bytepack::Detection& detection, std::size_t winner,
                           io::PageReader& reader) {
    std::vector<char> letters;
    std::vector<std::pair<const Dialect*, bool>> verdicts = {
        {detection.fitting[winner].dialect, true}};
    for (std::size_t i = winner; i < detection.fitting.size(); ++i) {
      const Reading& reading = detection.fitting[i];
      if (!sample(reader, reading).allows(reading.dialect->info)) continue;
      const auto known = std::find_if(verdicts.begin(), verdicts.end(), [&](const auto& verdict) {
        return reads_alike(reading, *verdict.first, *reading.dialect);
      });
      const bool reads =
          known != verdicts.end() ? known->second : reads_well(reading, detection.fitting[winner]);
      if (known == verdicts.end()) verdicts.emplace_back(reading.dialect, reads);
      if (reads) letters.push_back(reading.dialect->letter);
    }
    return letters;
  }

  /// Whether `reading` stands the index pass, given that `proof` does: tracks that both read alike
  /// are not read again.
  bool reads_well(const Reading& reading, const Reading& proof) const {
    std::vector<Track> tracks;
    for (std::size_t i = 0; i < reading.heads.size(); ++i) {
      const bytepack::TrackHead& head = reading.heads[i];
      const bool alike = head.kind == TrackKind::spans
                             ? reads_spans_alike(*reading.dialect, *proof.dialect)
                             : reads_memory_alike(*reading.dialect, *proof.dialect);
      if (alike && head.records_byte == proof.heads[i].records_byte) continue;
      tracks.emplace_back().head = head;
    }
    Warnings ignored;
    IndexPass pass(*trace_.file, trace_.frame, *trace_.index, *reading.dialect, tracks, cancel_,
                   nullptr);
    return pass.run(options_.threads, ignored).has_value();
  }

  Expected<std::shared_ptr<const Trace>> finish(const Reading& reading) {
    if (cancel_.requested())
      return failure(ErrorKind::cancelled, "Cancelled", {}, trace_.file->path());
    if (reading.code_point_names)
      trace_.warnings.add("Track names are counted in characters instead of bytes");
    if (trace_.file->changed()) trace_.warnings.add("The file changed while it was read");
    check_peak();
    if (options_.known) trace_.warnings = *options_.known;
    if (progress_ != nullptr) progress_->bytes_done = trace_.file->size_bytes();
    trace_.complete = true;
    return std::make_shared<const Trace>(std::move(trace_));
  }

  void check_peak() {
    if (trace_.tracks.size() < trace_.frame.track_count) return;
    std::uint64_t peak = 0;
    for (const Track& track : trace_.tracks) peak = std::max(peak, track.head.peak);
    if (peak == trace_.frame.peak_bytes) return;
    trace_.warnings.add(fmt::format("The head of the file tells a peak of {}, its tracks one of {}",
                                    trace_.frame.peak_bytes, peak),
                        {4, {}, {}, {}});
  }

  const LoadOptions& options_;
  const Cancel& cancel_;
  Progress* progress_;
  Trace trace_;
  std::chrono::steady_clock::time_point published_;
};

}  // namespace

Expected<std::shared_ptr<const Trace>> load_trace(const std::string& path,
                                                  const LoadOptions& options, const Cancel& cancel,
                                                  Progress* progress) {
  return Load(options, cancel, progress).run(path);
}

Expected<std::shared_ptr<const Trace>> load_trace(std::shared_ptr<const io::InputFile> file,
                                                  const LoadOptions& options, const Cancel& cancel,
                                                  Progress* progress) {
  return Load(options, cancel, progress).run(std::move(file));
}

}  // namespace bytescope::trace
