#include "core/generate/generate.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/bytepack/writer.h"
#include "core/generate/catalog.h"
#include "core/generate/device_tracks.h"
#include "core/generate/host_tracks.h"
#include "core/generate/memory_track.h"
#include "core/generate/plan.h"
#include "core/generate/receiver.h"
#include "core/io/output_file.h"
#include "core/trace/lane_fit.h"

// The head of a bytepack file tells its duration, its peak and the length of its index, and the
// index comes before the events. So every track is made three times: measured; for its infos; and
// written. Tracks are functions of the plan alone and cost 20 ns an event to make.

namespace bytescope::generate {
namespace {

/// What the heads of a track and of the file must know about a track.
struct Measures {
  std::uint64_t count = 0;
  std::uint32_t lanes = 0;
  double end_us = 0;
  std::uint64_t peak_bytes = 0;
};

class Measure final : public Receiver {
public:
  Measure(bool with_lanes, const Cancel& cancel) : with_lanes_(with_lanes), cancel_(cancel) {}

  void span(const bytepack::SpanRecord& span) override {
    ++measures_.count;
    measures_.end_us = std::max(measures_.end_us, span.end());
    if (with_lanes_) {
      lanes_.place(span.start,
                   std::uint64_t{span.start} + static_cast<std::uint64_t>(span.duration));
    }
  }
  void allocation(const Allocation& allocation) override {
    memory_event(allocation.time_us);
    live_bytes_ += allocation.bytes;
    measures_.peak_bytes = std::max(measures_.peak_bytes, live_bytes_);
  }
  void release(const Release& release) override {
    memory_event(release.time_us);
    live_bytes_ -= release.bytes;
  }
  bool goes_on() override { return !cancel_.requested(); }

  Measures measures() const {
    Measures result = measures_;
    result.lanes = lanes_.lane_count();
    return result;
  }

private:
  void memory_event(std::uint32_t time_us) {
    ++measures_.count;
    measures_.end_us = std::max(measures_.end_us, static_cast<double>(time_us));
  }

  bool with_lanes_;
  const Cancel& cancel_;
  Measures measures_;
  std::uint64_t live_bytes_ = 0;
  trace::LaneFit lanes_;
};

/// Adds the infos that kernels have for themselves to the index.
class InfoWriter final : public Receiver {
public:
  InfoWriter(const Catalog& catalog, bytepack::TraceWriter& writer, const Cancel& cancel)
      : catalog_(catalog), writer_(writer), cancel_(cancel) {}

  void span(const bytepack::SpanRecord& span) override {
    if (span.info < catalog_.first_own_info()) return;
    writer_.string(catalog_.own_info(catalog_.kernel_named(span.name),
                                     span.info - catalog_.first_own_info(), span.duration));
  }
  void allocation(const Allocation&) override {}
  void release(const Release&) override {}
  bool goes_on() override { return !cancel_.requested(); }

private:
  const Catalog& catalog_;
  bytepack::TraceWriter& writer_;
  const Cancel& cancel_;
};

class EventWriter final : public Receiver {
public:
  EventWriter(bytepack::TraceWriter& writer, bool with_lanes, const Cancel& cancel,
              Progress* progress)
      : writer_(writer), with_lanes_(with_lanes), cancel_(cancel), progress_(progress) {}

  void span(const bytepack::SpanRecord& span) override {
    ++count_;
    if (!with_lanes_) {
      writer_.span(span);
      return;
    }
    bytepack::SpanRecord placed = span;
    placed.depth = static_cast<std::uint8_t>(lanes_.place(
        span.start, std::uint64_t{span.start} + static_cast<std::uint64_t>(span.duration)));
    writer_.span(placed);
  }
  void allocation(const Allocation& allocation) override {
    ++count_;
    writer_.allocation(allocation.time_us, allocation.key, allocation.dtype, allocation.length);
  }
  void release(const Release& release) override {
    ++count_;
    writer_.free(release.time_us, release.key, release.users);
  }
  bool goes_on() override {
    if (progress_ != nullptr) progress_->events_done += std::exchange(count_, 0);
    return !cancel_.requested();
  }

private:
  bytepack::TraceWriter& writer_;
  bool with_lanes_;
  const Cancel& cancel_;
  Progress* progress_;
  std::uint64_t count_ = 0;
  trace::LaneFit lanes_;
};

/// Collects a memory track of A or B, which is written as a whole.
class PolygonReceiver final : public Receiver {
public:
  explicit PolygonReceiver(const Cancel& cancel) : cancel_(cancel) {}

  void span(const bytepack::SpanRecord&) override {}
  void allocation(const Allocation& allocation) override {
    builder_.allocate(allocation.time_us, allocation.key, allocation.dtype, allocation.length,
                      allocation.bytes);
  }
  void release(const Release& release) override { builder_.free(release.time_us, release.key); }
  bool goes_on() override { return !cancel_.requested(); }

  bytepack::Polygons finish(std::uint32_t duration_us) { return builder_.finish(duration_us); }

private:
  const Cancel& cancel_;
  bytepack::PolygonBuilder builder_;
};

/// A track of the trace: its name and what makes its events.
struct Track {
  std::string name;
  bytepack::TrackKind kind = bytepack::TrackKind::spans;
  bool has_infos = false;  ///< Kernels: may have infos of their own.
  std::function<void(std::uint32_t duration_us, Receiver&)> make;
  std::uint64_t buffers = 0;  ///< Memory.
  Measures measures;
};

std::vector<Track> tracks_of(const Plan& plan, const Catalog& catalog) {
  using bytepack::TrackKind;
  std::vector<Track> tracks;
  const auto add = [&tracks](std::string name, auto make) -> Track& {
    tracks.push_back({std::move(name), TrackKind::spans, false, std::move(make), 0, {}});
    return tracks.back();
  };
  add("USER", [&](std::uint32_t, Receiver& to) { make_user(plan, catalog, to); });
  add("TINY", [&](std::uint32_t, Receiver& to) { make_compiler(plan, catalog, to); });
  add("AMD Graph", [&](std::uint32_t, Receiver& to) { make_batches(plan, catalog, to); });
  const std::uint32_t devices = plan.options().devices;
  for (std::uint32_t i = 0; i < devices; ++i) {
    add(device_name(i), [&plan, &catalog, i](std::uint32_t, Receiver& to) {
      make_kernels(plan, catalog, i, to);
    }).has_infos = true;
    add(device_name(i) + ":SDMA:0",
        [&plan, &catalog, i](std::uint32_t, Receiver& to) { make_copies(plan, catalog, i, to); });
  }
  for (std::uint32_t i = 0; i < devices; ++i) {
    Track& memory = add(device_name(i) + " Memory",
                        [&plan, &catalog, i](std::uint32_t duration_us, Receiver& to) {
                          make_memory(plan, catalog, i, duration_us, to);
                        });
    memory.kind = TrackKind::memory;
    memory.buffers = plan.devices()[i].weights + plan.devices()[i].transients;
  }
  return tracks;
}

class Generator {
public:
  Generator(const Plan& plan, const Catalog& catalog, const Cancel& cancel, Progress* progress)
      : plan_(plan),
        catalog_(catalog),
        cancel_(cancel),
        progress_(progress),
        tracks_(tracks_of(plan, catalog)) {}

  Expected<void> write(const std::string& path) {
    if (progress_ != nullptr) progress_->events_total = plan_.options().events;
    measure();
    bytepack::CountingSink counted;
    write_index(counted);
    if (cancel_.requested()) return stopped(path);
    if (counted.size_bytes() > std::numeric_limits<std::uint32_t>::max()) {
      return failure(ErrorKind::usage,
                     "So many distinct infos do not fit an index, which has at most 4 GB", {},
                     path);
    }
    frame_.index_bytes = static_cast<std::uint32_t>(counted.size_bytes());
    Expected<io::OutputFile> file = io::OutputFile::create(path);
    if (!file) return tl::make_unexpected(file.error());
    bytepack::FileSink sink(*file);
    write_frame(sink);
    write_index(sink);
    for (const Track& track : tracks_) {
      if (file->ok() && !cancel_.requested()) write_track(sink, track);
      if (progress_ != nullptr) progress_->bytes_done = file->size_bytes();
    }
    if (cancel_.requested()) return stopped(path);
    return file->commit();
  }

private:
  static tl::unexpected<Error> stopped(const std::string& path) {
    return failure(ErrorKind::cancelled, "Cancelled", {}, path);
  }
  bool with_lanes() const { return plan_.dialect().lane_count_in_head; }

  void measure() {
    double end_us = 0;
    for (Track& track : tracks_) {
      Measure measure(with_lanes(), cancel_);
      track.make(0, measure);
      track.measures = measure.measures();
      end_us = std::max(end_us, track.measures.end_us);
      frame_.peak_bytes = std::max(frame_.peak_bytes, track.measures.peak_bytes);
    }
    frame_.duration_us = static_cast<std::uint32_t>(end_us);
    const auto is_empty = [](const Track& track) { return track.measures.count == 0; };
    tracks_.erase(std::remove_if(tracks_.begin(), tracks_.end(), is_empty), tracks_.end());
    frame_.track_count = static_cast<std::uint32_t>(tracks_.size());
  }

  void write_frame(bytepack::Sink& sink) const {
    bytepack::TraceWriter writer(sink, plan_.dialect());
    writer.frame(frame_);
    writer.flush();
  }

  void write_index(bytepack::Sink& sink) const {
    bytepack::TraceWriter writer(sink, plan_.dialect());
    writer.begin_index();
    for (const std::string& text : catalog_.strings()) writer.string(text);
    if (plan_.own_infos() != 0) {
      InfoWriter infos(catalog_, writer, cancel_);
      for (const Track& track : tracks_) {
        if (track.has_infos) track.make(0, infos);
      }
    }
    writer.end_index({catalog_.dtype_bytes(), markers(), {}});
    writer.flush();
  }

  std::vector<bytepack::FileMarker> markers() const {
    std::vector<bytepack::FileMarker> markers;
    // A trace of a few events has nothing worth marking.
    for (std::uint32_t step = 0; plan_.graph_spans() != 0 && step < plan_.steps(); ++step) {
      const std::int64_t begin_us = plan_.step(step).begin_ns / 1000;
      markers.push_back({static_cast<double>(begin_us), fmt::format("train @ {}", step),
                         step % 10 == 0 ? "#e0a040" : "gray"});
    }
    return markers;
  }

  void write_track(bytepack::Sink& sink, const Track& track) {
    bytepack::TraceWriter writer(sink, plan_.dialect());
    const auto count = static_cast<std::uint32_t>(track.measures.count);
    if (track.kind == bytepack::TrackKind::spans) {
      writer.begin_spans(track.name, count, track.measures.lanes);
    } else if (plan_.dialect().memory == bytepack::MemoryForm::polygons) {
      PolygonReceiver polygons(cancel_);
      track.make(frame_.duration_us, polygons);
      writer.polygons(track.name, polygons.finish(frame_.duration_us));
      writer.flush();
      if (progress_ != nullptr) progress_->events_done += track.buffers;
      return;
    } else {
      writer.begin_memory(track.name, count, track.measures.peak_bytes);
    }
    EventWriter events(writer, with_lanes(), cancel_, progress_);
    track.make(frame_.duration_us, events);
    events.goes_on();
    writer.flush();
  }

  const Plan& plan_;
  const Catalog& catalog_;
  const Cancel& cancel_;
  Progress* progress_;
  std::vector<Track> tracks_;
  bytepack::Frame frame_;
};

}  // namespace

Expected<void> write_trace(const std::string& path, const Options& options, const Cancel& cancel,
                           Progress* progress) {
  Expected<Plan> plan = Plan::make(options);
  if (!plan) return tl::make_unexpected(plan.error());
  const Catalog catalog(*plan);
  plan->set_times(
      [&catalog](std::uint64_t first, std::uint64_t last) { return catalog.work_ns(first, last); });
  return Generator(*plan, catalog, cancel, progress).write(path);
}

}  // namespace bytescope::generate
