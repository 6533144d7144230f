#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/io/thread_clock.h"
#include "core/query/visible.h"
#include "core/session/session.h"
#include "tests/bench/bench_support.h"

// Files that nobody has but that must not hurt. Each has a bound in its comment, as a multiple of
// the walk over as many mapped records ("x walk"; it takes about a nanosecond a record): opening is
// measured in CPU of all threads, a frame in CPU of one.

namespace bytescope {
namespace {

using bench::TraceFile;
using bench::TraceWish;
using bytepack::SpanRecord;
using bytepack::TraceWriter;

constexpr std::uint32_t million = 1'000'000;
constexpr std::uint32_t columns_on_screen = 1900;
constexpr std::uint32_t lanes_on_screen = 60;

SpanRecord span(std::uint32_t name, std::uint32_t start, float duration) {
  SpanRecord record;
  record.name = name;
  record.start = start;
  record.duration = duration;
  return record;
}

/// A track of `count` spans, each made by its number.
template <class Make>
void write_track(TraceWriter& writer, const std::string& name, std::uint32_t count, Make make) {
  writer.begin_spans(name, count);
  for (std::uint32_t i = 0; i < count; ++i) writer.span(make(i));
}

/// One track of `count` spans.
template <class Make>
TraceWish one_track(std::uint32_t count, std::uint32_t duration_us, Make make) {
  TraceWish wish;
  wish.duration_us = duration_us;
  wish.write_tracks = [count, make](TraceWriter& writer) {
    write_track(writer, "AMD", count, make);
  };
  return wish;
}

TraceWish all_in_one_track() {
  return one_track(3 * million, 30 * million,
                   [](std::uint32_t i) { return span(1 + i % 300, i * 10, 7.5F); });
}

TraceWish ten_thousand_tracks() {
  TraceWish wish;
  wish.duration_us = 3000;
  wish.track_count = 10'000;
  wish.write_tracks = [](TraceWriter& writer) {
    for (int t = 0; t < 10'000; ++t)
      write_track(writer, fmt::format("AMD:{}", t), 300,
                  [](std::uint32_t i) { return span(1 + i, i * 10, 7.5F); });
  };
  return wish;
}

/// Two thousand spans one in another, again and again.
TraceWish deep_nesting() {
  constexpr std::uint32_t depth = 2000;
  return one_track(million, 1000 * depth * 2, [](std::uint32_t i) {
    const std::uint32_t level = i % depth;
    const std::uint32_t begin = i / depth * depth * 2;
    return span(1 + level % 300, begin + level, static_cast<float>(2 * (depth - level)));
  });
}

TraceWish million_names() {
  TraceWish wish = one_track(2 * million, 20 * million, [](std::uint32_t i) {
    return span(1 + i * 7919U % million, i * 10, 7.5F);
  });
  wish.name_count = million;
  return wish;
}

TraceWish same_microsecond() {
  return one_track(million, 10, [](std::uint32_t i) { return span(1 + i % 300, 5, 1); });
}

TraceWish giant_over_tiny() {
  return one_track(3 * million, 30 * million, [](std::uint32_t i) {
    return i == 0 ? span(1, 0, 3e7F) : span(2 + i % 298, i * 10, 2.5F);
  });
}

/// Twenty buffers with 100,000 users each.
TraceWish many_users() {
  TraceWish wish;
  wish.duration_us = 1000;
  wish.write_tracks = [](TraceWriter& writer) {
    writer.begin_memory("AMD Memory", 40, 1);
    const std::vector<bytepack::UserRecord> users(100'000, {1U, 2U, 0U, std::uint8_t{0}});
    for (std::uint32_t i = 0; i < 20; ++i) {
      writer.allocation(i * 2, i, 1, 1);
      writer.free(i * 2 + 1, i, users);
    }
  };
  return wish;
}

/// What a frame asks of a trace while no detail is there: as many lanes as a screen shows.
void ask_like_a_frame(const trace::Trace& trace) {
  std::vector<query::VisibleRun> runs;
  const query::Columns columns{
      0, static_cast<double>(trace.frame.duration_us) * 1000 / columns_on_screen,
      columns_on_screen};
  std::uint32_t shown = 0;
  for (std::uint32_t track = 0; track < trace.tracks.size(); ++track) {
    const auto& spans = trace.tracks[track].spans;
    for (std::uint32_t lane = 0; spans && lane < spans->lane_count; ++lane) {
      if (++shown > lanes_on_screen) return;
      runs.clear();
      query::append_visible(trace, track, lane, columns, nullptr, runs);
      benchmark::DoNotOptimize(runs.data());
    }
  }
}

void opening(benchmark::State& state, TraceWish (*make)(), double events) {
  const TraceFile file(make());
  for ([[maybe_unused]] const auto iteration : state) benchmark::DoNotOptimize(file.load());
  bench::tell_events(state, events);
}

void frame(benchmark::State& state, TraceWish (*make)()) {
  const TraceFile file(make());
  const auto trace = file.load();
  for ([[maybe_unused]] const auto iteration : state) ask_like_a_frame(*trace);
}

#define BYTESCOPE_OPENING(name, events)                  \
  BENCHMARK_CAPTURE(opening, name, name, double{events}) \
      ->Unit(benchmark::kMillisecond)                    \
      ->MeasureProcessCPUTime()
#define BYTESCOPE_FRAME(name) BENCHMARK_CAPTURE(frame, name, name)->Unit(benchmark::kMicrosecond)

// One thread has all the work: at most 40 x walk, 1 ms a frame.
BYTESCOPE_OPENING(all_in_one_track, 3e6);
BYTESCOPE_FRAME(all_in_one_track);
// Each track has totals for each of its 300 names, which are as many as its spans: at most 200 us a
// track, most of it for fresh memory; 2 ms a frame.
BYTESCOPE_OPENING(ten_thousand_tracks, 3e6);
BYTESCOPE_FRAME(ten_thousand_tracks);
// A tree finds lanes: at most 200 x walk however deep, 2 ms a frame.
BYTESCOPE_OPENING(deep_nesting, 1e6);
BYTESCOPE_FRAME(deep_nesting);
// A million strings to be read and coloured, in no order, and as many totals: at most 5 us each
// name, 1 ms a frame.
BYTESCOPE_OPENING(million_names, 2e6);
BYTESCOPE_FRAME(million_names);
// Every span wants a lane of its own, there are 65,535: at most 200 x walk, 2 ms a frame.
BYTESCOPE_OPENING(same_microsecond, 1e6);
BYTESCOPE_FRAME(same_microsecond);
// The giant is in lane 0 and all others in lane 1: at most 60 x walk, 1 ms a frame.
BYTESCOPE_OPENING(giant_over_tiny, 3e6);
BYTESCOPE_FRAME(giant_over_tiny);
// Two million users, checked when the dialect is looked for and when they are read: at most 10 x
// walk.
BYTESCOPE_OPENING(many_users, 2e6);

/// An index of BYTESCOPE_BENCH_INDEX_MB (16 unless told; 1024 for the whole case) megabytes of
/// strings: at most 15 x the walk over as many bytes, as nothing but an offset every 16 strings is
/// kept.
void large_index(benchmark::State& state) {
  constexpr std::size_t string_bytes = 100;
  const char* told = std::getenv("BYTESCOPE_BENCH_INDEX_MB");
  const double bytes = (told != nullptr ? std::atof(told) : 16) * 1e6;
  TraceWish wish = all_in_one_track();
  wish.name_count = static_cast<std::uint32_t>(bytes / (string_bytes + 6));
  wish.string_bytes = string_bytes;
  wish.write_tracks = [](TraceWriter& writer) {
    write_track(writer, "AMD", 1000, [](std::uint32_t i) { return span(1 + i, i * 10, 7.5F); });
  };
  const TraceFile file(wish);
  for ([[maybe_unused]] const auto iteration : state) benchmark::DoNotOptimize(file.load());
  bench::tell_bytes(state, bytes);
}
BENCHMARK(large_index)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

/// A file that must come from the disk: however long that takes, the window's thread asks the
/// session every five milliseconds, and no answer may cost it more than two ("slowest poll ms").
void cold_cache(benchmark::State& state) {
  const TraceFile file(all_in_one_track());
  double slowest_s = 0;
  for ([[maybe_unused]] const auto iteration : state) {
    state.PauseTiming();
    file.drop_from_cache();
    state.ResumeTiming();
    session::Session session([] {});
    const std::uint64_t id = session.open(file.path());
    while (session.find(id)->loading) {
      const double begin = io::thread_cpu_s();
      session.poll();
      slowest_s = std::max(slowest_s, io::thread_cpu_s() - begin);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  state.counters["slowest poll ms"] = slowest_s * 1000;
  bench::tell_events(state, 3e6);
}
BENCHMARK(cold_cache)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace bytescope
