#include "tests/bench/bench_support.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "core/bytepack/little_endian.h"
#include "core/io/output_file.h"
#include "core/trace/loader.h"

namespace bytescope::bench {
namespace {

constexpr std::size_t walked_records = 3'000'000;

}  // namespace

double walk_seconds() {
  static const double seconds = [] {
    const std::size_t stride = bytepack::dialects.front().span.stride;
    std::vector<std::byte> bytes(walked_records * stride);
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
      const auto begin = std::chrono::steady_clock::now();
      std::uint64_t sum = 0;
      for (std::size_t at = 0; at < bytes.size(); at += stride)
        sum += bytepack::load<std::uint32_t>(&bytes[at]) +
               bytepack::load<std::uint32_t>(&bytes[at + 12]);
      benchmark::DoNotOptimize(sum);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      best = std::min(best, took.count());
    }
    return best / walked_records;
  }();
  return seconds;
}

double walk_seconds_per_byte() {
  return walk_seconds() / static_cast<double>(bytepack::dialects.front().span.stride);
}

void tell_events(benchmark::State& state, double events_per_round) {
  using benchmark::Counter;
  const double events = events_per_round * static_cast<double>(state.iterations());
  state.counters["events/s"] = Counter(events, Counter::kIsRate);
  state.counters["x walk"] =
      Counter(events * walk_seconds(), Counter::Flags(Counter::kIsRate | Counter::kInvert));
}

void tell_bytes(benchmark::State& state, double bytes_per_round) {
  using benchmark::Counter;
  const double bytes = bytes_per_round * static_cast<double>(state.iterations());
  state.counters["bytes/s"] = Counter(bytes, Counter::kIsRate, Counter::kIs1024);
  state.counters["x walk"] =
      Counter(bytes * walk_seconds_per_byte(), Counter::Flags(Counter::kIsRate | Counter::kInvert));
}

TraceFile::TraceFile(const TraceWish& wish)
    : path_(std::filesystem::temp_directory_path() /
            fmt::format("bytescope_bench_{}_{}.bin", ::getpid(), static_cast<const void*>(this))) {
  const auto write_index = [&wish](bytepack::Sink& sink) {
    bytepack::TraceWriter writer(sink, bytepack::dialects.front());
    writer.begin_index();
    writer.string("{}");
    for (std::uint32_t i = 0; i < wish.name_count; ++i)
      writer.string(fmt::format("r_{:0>{}}", i, wish.string_bytes));
    writer.end_index({{{"r_0", 1}}, {}, {}});
    writer.flush();
  };
  bytepack::CountingSink counted;
  write_index(counted);
  auto file = io::OutputFile::create(path_.string()).value();
  bytepack::FileSink sink(file);
  bytepack::TraceWriter writer(sink, bytepack::dialects.front());
  writer.frame(
      {wish.duration_us, 0, static_cast<std::uint32_t>(counted.size_bytes()), wish.track_count});
  writer.flush();
  write_index(sink);
  wish.write_tracks(writer);
  writer.flush();
  if (!file.commit()) std::abort();
}

std::shared_ptr<const trace::Trace> TraceFile::load() const {
  return trace::load_trace(path(), {}, Cancel()).value();
}

void TraceFile::drop_from_cache() const {
  const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  ::fdatasync(file);  // pages that are not written yet stay
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
}

}  // namespace bytescope::bench
