#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/query/memory_curve.h"
#include "core/query/memory_stack.h"
#include "core/trace/memory_load.h"
#include "tests/bench/bench_support.h"
#include "tests/support/random_memory.h"

namespace bytescope {
namespace {

constexpr std::uint32_t event_count = 1'000'000;
constexpr std::uint32_t columns_on_screen = 1900;

const std::vector<tests::MemoryEvent>& events(double reuse) {
  static const auto make = [](double share) {
    tests::RandomMemory wish;
    wish.events = event_count;
    wish.live = 10'000;
    wish.duration = 60'000'000;
    wish.most_bytes = 1U << 30U;
    wish.reuse = share;
    std::vector<tests::MemoryEvent> made = tests::random_events(wish);
    // A few hundred large buffers among thousands of small ones, as in a training run.
    for (tests::MemoryEvent& event : made)
      event.bytes = event.key % 32 == 0 ? 1U << 30U : event.bytes >> 10U;
    return made;
  };
  static const std::vector<tests::MemoryEvent> fresh = make(0);
  static const std::vector<tests::MemoryEvent> reused = make(0.5);
  return reuse > 0 ? reused : fresh;
}

const trace::MemoryIndex& index(double reuse) {
  static const trace::MemoryIndex fresh = tests::index_of(events(0), 60'000'000, true);
  static const trace::MemoryIndex reused = tests::index_of(events(0.5), 60'000'000, true);
  return reuse > 0 ? reused : fresh;
}

/// The events as records of dialect L, two users a free, in a file that goes with it.
class RecordFile {
public:
  explicit RecordFile(const std::vector<tests::MemoryEvent>& all)
      : path_(std::filesystem::temp_directory_path() / "bytescope_memory_bench.bin") {
    std::string bytes;
    const auto number = [&bytes](std::uint64_t value, unsigned size) {
      for (unsigned i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFFU);
    };
    for (const tests::MemoryEvent& event : all) {
      number(event.is_alloc ? 1 : 0, 1);
      number(event.time, 4);
      number(event.key, 4);
      number(event.is_alloc ? 0 : 2, 4);
      number(event.is_alloc ? event.bytes : 0, event.is_alloc ? 8 : 26);
    }
    std::ofstream(path_, std::ios::binary) << bytes;
    head.count = static_cast<std::uint32_t>(all.size());
    head.end_byte = bytes.size();
  }
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;
  RecordFile(RecordFile&&) = delete;
  RecordFile& operator=(RecordFile&&) = delete;
  ~RecordFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

  bytepack::TrackHead head;

private:
  std::filesystem::path path_;
};

double reuse_of(const benchmark::State& state) { return state.range(0) == 0 ? 0 : 0.5; }

/// The part of the trace in the window: 1 / `zoom` of it from its middle on.
query::Columns window(std::int64_t zoom) {
  constexpr std::int64_t whole_ns = 60'000'000'000;
  return {zoom == 1 ? 0 : whole_ns / 2,
          static_cast<double>(whole_ns) / static_cast<double>(zoom) / columns_on_screen,
          columns_on_screen};
}

void load(benchmark::State& state) {
  const RecordFile records(events(reuse_of(state)));
  const auto file = *io::InputFile::open(records.path());
  trace::MemoryLoadContext context;
  context.duration = 60'000'000;
  context.string_count = 1;
  context.dtype_bytes = [](std::uint32_t) { return std::uint64_t{1}; };
  for ([[maybe_unused]] const auto iteration : state) {
    Warnings warnings;
    auto memory = trace::load_memory(*file, bytepack::dialects.front(), records.head, context,
                                     warnings, Cancel());
    if (!memory) state.SkipWithError(memory.error().message.c_str());
    benchmark::DoNotOptimize(memory);
  }
  bench::tell_events(state, event_count);
}

void curve(benchmark::State& state) {
  const trace::MemoryIndex& memory = index(0);
  const query::Columns columns = window(state.range(0));
  for ([[maybe_unused]] const auto iteration : state)
    benchmark::DoNotOptimize(query::memory_curve(memory, columns));
  bench::tell_events(state, event_count / static_cast<double>(state.range(0)));
}

void stack(benchmark::State& state) {
  const trace::MemoryIndex& memory = index(reuse_of(state));
  const query::Columns columns = window(state.range(1));
  const auto height = static_cast<std::uint64_t>(state.range(2));
  const Cancel cancel;
  std::size_t cells = 0;
  for ([[maybe_unused]] const auto iteration : state) {
    const query::StackColumns result =
        query::memory_stack(memory, columns, memory.peak_bytes / height, cancel);
    cells = result.cells.size();
    benchmark::DoNotOptimize(result);
  }
  state.counters["cells"] = static_cast<double>(cells);
  bench::tell_events(state, event_count / static_cast<double>(state.range(1)));
}

BENCHMARK(load)->ArgName("reuse")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(curve)->ArgName("zoom")->Arg(1)->Arg(10)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(stack)
    ->ArgNames({"reuse", "zoom", "height"})
    ->Args({0, 1, 400})
    ->Args({1, 1, 400})
    ->Args({0, 10, 400})
    ->Args({0, 1, 100})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bytescope
