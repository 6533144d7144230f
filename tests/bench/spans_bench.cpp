#include <memory>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/bytepack/detect.h"
#include "core/query/span_pick.h"
#include "core/query/visible.h"
#include "core/trace/lane_fit.h"
#include "tests/bench/bench_support.h"

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

bench::TraceWish wish_of(std::uint32_t lanes) {
  bench::TraceWish wish;
  const std::vector<bytepack::SpanRecord> all = spans(lanes);
  wish.duration_us = static_cast<std::uint32_t>(all.back().end() + 20.0 * lanes);
  wish.write_tracks = [all](bytepack::TraceWriter& writer) {
    writer.begin_spans("AMD", span_count);
    for (const bytepack::SpanRecord& span : all) writer.span(span);
  };
  return wish;
}

const bench::TraceFile& file() {
  static const bench::TraceFile made(wish_of(3));
  return made;
}

std::shared_ptr<const trace::Trace> load() { return file().load(); }

const trace::Trace& shared_trace() {
  static const std::shared_ptr<const trace::Trace> loaded = load();
  return *loaded;
}

void lanes(benchmark::State& state) {
  const std::vector<bytepack::SpanRecord> all = spans(static_cast<std::uint32_t>(state.range(0)));
  for ([[maybe_unused]] const auto iteration : state) {
    trace::LaneFit fit;
    for (const bytepack::SpanRecord& span : all)
      fit.place(span.start, span.start + static_cast<std::uint64_t>(span.duration));
    benchmark::DoNotOptimize(fit.lane_count());
  }
  bench::tell_events(state, span_count);
}
BENCHMARK(lanes)->Arg(1)->Arg(6)->Arg(2000)->Unit(benchmark::kMillisecond);

void loading(benchmark::State& state) {
  file();  // made before the first round
  for ([[maybe_unused]] const auto iteration : state) benchmark::DoNotOptimize(load());
  bench::tell_events(state, span_count);
}
BENCHMARK(loading)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

void detection(benchmark::State& state) {
  const trace::Trace& trace = shared_trace();
  for ([[maybe_unused]] const auto iteration : state)
    benchmark::DoNotOptimize(bytepack::detect(*trace.file, trace.frame, *trace.index, Cancel()));
  bench::tell_events(state, span_count);
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
  for ([[maybe_unused]] const auto iteration : state) {
    runs.clear();
    for (std::uint32_t lane = 0; lane < trace.tracks[0].spans->lane_count; ++lane)
      query::append_visible(trace, 0, lane, columns, &reader, runs);
    benchmark::DoNotOptimize(runs.data());
  }
  bench::tell_events(state, span_count / static_cast<double>(state.range(0)));
}
BENCHMARK(visible)->Arg(1)->Arg(10)->Arg(100)->Arg(1'000)->Arg(100'000)->Unit(
    benchmark::kMicrosecond);

void picking(benchmark::State& state) {
  const trace::Trace& trace = shared_trace();
  io::PageReader reader(trace.file, 512);
  std::minstd_rand random(2);
  for ([[maybe_unused]] const auto iteration : state) {
    const auto time = static_cast<std::int64_t>(static_cast<double>(random()) / 2147483647.0 *
                                                trace.frame.duration_us * 1000);
    benchmark::DoNotOptimize(query::span_at(trace, reader, 0, 0, time, 3000));
  }
  bench::tell_events(state, 1);
}
BENCHMARK(picking)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace bytescope
