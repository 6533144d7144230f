#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/bytepack/detect.h"
#include "core/bytepack/writer.h"
#include "core/query/span_pick.h"
#include "core/query/visible.h"
#include "core/trace/lane_fit.h"
#include "core/trace/loader.h"

namespace bytescope {
namespace {

constexpr std::uint32_t span_count = 3'000'000;
constexpr std::uint32_t columns_on_screen = 1900;

/// Kernels of 5 to 20 us in bursts with idle stretches, `lanes` of them at once.
std::vector<bytepack::SpanRecord> spans(std::uint32_t lanes) {
  std::minstd_rand random(1);
  std::vector<bytepack::SpanRecord> made(span_count);
  std::uint32_t now = 0;
  for (std::uint32_t i = 0; i < span_count; ++i) {
    made[i].name = static_cast<std::uint32_t>(random() % 300);
    made[i].start = now;
    const auto length = static_cast<float>(5 + random() % 15);
    made[i].duration = (length + 0.25F) * static_cast<float>(lanes);
    now += static_cast<std::uint32_t>(12 + random() % 16);
    if (i % 5000 == 4999) now += 100'000;
  }
  return made;
}

/// A file of one such track that goes with the object.
class SpanFile {
public:
  explicit SpanFile(std::uint32_t lanes)
      : path_(std::filesystem::temp_directory_path() / "bytescope_spans_bench.bin") {
    const std::vector<bytepack::SpanRecord> all = spans(lanes);
    const bytepack::Dialect& dialect = bytepack::dialects.front();
    bytepack::CountingSink counted;
    write_index(counted);
    bytepack::MemorySink sink;
    bytepack::TraceWriter writer(sink, dialect);
    const auto end = static_cast<std::uint32_t>(all.back().end() + 20.0 * lanes);
    writer.frame({end, 0, static_cast<std::uint32_t>(counted.size_bytes()), 1});
    writer.flush();
    write_index(sink);
    writer.begin_spans("AMD", span_count);
    for (const bytepack::SpanRecord& span : all) writer.span(span);
    writer.flush();
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(sink.bytes().data()),
               static_cast<std::streamsize>(sink.bytes().size()));
  }
  SpanFile(const SpanFile&) = delete;
  SpanFile& operator=(const SpanFile&) = delete;
  SpanFile(SpanFile&&) = delete;
  SpanFile& operator=(SpanFile&&) = delete;
  ~SpanFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

private:
  static void write_index(bytepack::Sink& sink) {
    bytepack::TraceWriter writer(sink, bytepack::dialects.front());
    writer.begin_index();
    // String 0 is also the info of every span.
    for (int i = 0; i < 300; ++i) writer.string(i == 0 ? "{}" : "r_" + std::to_string(i));
    writer.end_index({});
    writer.flush();
  }

  std::filesystem::path path_;
};

const SpanFile& file() {
  static const SpanFile made(3);
  return made;
}

std::shared_ptr<const trace::Trace> load() {
  return trace::load_trace(file().path(), {}, Cancel()).value();
}

const trace::Trace& shared_trace() {
  static const std::shared_ptr<const trace::Trace> loaded = load();
  return *loaded;
}

/// Seconds a span that a walk over the track's records in memory costs: the machine's own limit.
double walk_seconds() {
  static const double seconds = [] {
    const trace::Trace& trace = shared_trace();
    const bytepack::TrackHead& head = trace.tracks[0].head;
    std::vector<std::byte> bytes(head.end_byte - head.records_byte);
    trace.file->read_at(head.records_byte, bytes);
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
      const auto begin = std::chrono::steady_clock::now();
      std::uint64_t sum = 0;
      for (std::size_t at = 0; at < bytes.size(); at += trace.dialect->span.stride)
        sum += bytepack::load<std::uint32_t>(&bytes[at]) +
               bytepack::load<std::uint32_t>(&bytes[at + 12]);
      benchmark::DoNotOptimize(sum);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      best = std::min(best, took.count());
    }
    return best / span_count;
  }();
  return seconds;
}

/// Tells events a second, and how many times longer than a walk over as many records it took.
void tell(benchmark::State& state, double events_per_round) {
  using benchmark::Counter;
  const double events = events_per_round * static_cast<double>(state.iterations());
  state.counters["events/s"] = Counter(events, Counter::kIsRate);
  state.counters["x walk"] =
      Counter(events * walk_seconds(), Counter::Flags(Counter::kIsRate | Counter::kInvert));
}

void lanes(benchmark::State& state) {
  const std::vector<bytepack::SpanRecord> all = spans(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) {
    trace::LaneFit fit;
    for (const bytepack::SpanRecord& span : all)
      fit.place(span.start, span.start + static_cast<std::uint64_t>(span.duration));
    benchmark::DoNotOptimize(fit.lane_count());
  }
  tell(state, span_count);
}
BENCHMARK(lanes)->Arg(1)->Arg(6)->Arg(2000)->Unit(benchmark::kMillisecond);

void loading(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(load());
  tell(state, span_count);
}
BENCHMARK(loading)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

void detection(benchmark::State& state) {
  const trace::Trace& trace = shared_trace();
  for (auto _ : state)
    benchmark::DoNotOptimize(bytepack::detect(*trace.file, trace.frame, *trace.index, Cancel()));
  tell(state, span_count);
}
BENCHMARK(detection)->Unit(benchmark::kMicrosecond);

/// One frame's query of all lanes; the argument is the number of columns the whole trace would have
/// in screens: 1 shows all of it, 1000 a thousandth.
void visible(benchmark::State& state) {
  const trace::Trace& trace = shared_trace();
  const double whole_ns = static_cast<double>(trace.frame.duration_us) * 1000;
  const double window_ns = whole_ns / static_cast<double>(state.range(0));
  const query::Columns columns{static_cast<std::int64_t>((whole_ns - window_ns) / 2),
                               window_ns / columns_on_screen, columns_on_screen};
  io::PageReader reader(trace.file, 512);
  std::vector<query::VisibleRun> runs;
  for (auto _ : state) {
    runs.clear();
    for (std::uint32_t lane = 0; lane < trace.tracks[0].spans->lane_count; ++lane)
      query::append_visible(trace, 0, lane, columns, &reader, runs);
    benchmark::DoNotOptimize(runs.data());
  }
  tell(state, span_count / static_cast<double>(state.range(0)));
}
BENCHMARK(visible)->Arg(1)->Arg(10)->Arg(100)->Arg(1'000)->Arg(100'000)->Unit(
    benchmark::kMicrosecond);

void picking(benchmark::State& state) {
  const trace::Trace& trace = shared_trace();
  io::PageReader reader(trace.file, 512);
  std::minstd_rand random(2);
  for (auto _ : state) {
    const auto time = static_cast<std::int64_t>(static_cast<double>(random()) / 2147483647.0 *
                                                trace.frame.duration_us * 1000);
    benchmark::DoNotOptimize(query::span_at(trace, reader, 0, 0, time, 3000));
  }
  tell(state, 1);
}
BENCHMARK(picking)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace bytescope
