#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/bytepack/records.h"
#include "core/bytepack/writer.h"
#include "core/trace/trace.h"

namespace bytescope::bench {

/// Seconds a span that a walk over already-mapped records costs: the machine's own limit.
double walk_seconds();
/// The same for a byte.
double walk_seconds_per_byte();

/// Tells events a second, and how many times longer than a walk over as many records it took.
void tell_events(benchmark::State& state, double events_per_round);
/// Tells bytes a second, and how many times longer than a walk over as many bytes it took.
void tell_bytes(benchmark::State& state, double bytes_per_round);

/// What a trace to be measured consists of.
struct TraceWish {
  std::uint32_t duration_us = 0;
  std::uint32_t name_count = 300;  ///< Strings 1 and up are names, string 0 is `{}`.
  /// Writes the tracks, `track_count` of them.
  std::function<void(bytepack::TraceWriter&)> write_tracks;
  std::uint32_t track_count = 1;
  std::size_t string_bytes = 0;  ///< Names are made at least that long.
};

/// A file of dialect L in the folder for temporary files, gone with the object.
class TraceFile {
public:
  explicit TraceFile(const TraceWish& wish);
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  TraceFile(TraceFile&&) = delete;
  TraceFile& operator=(TraceFile&&) = delete;
  ~TraceFile() { std::filesystem::remove(path_); }

  std::string path() const { return path_.string(); }
  /// Opens it on two threads.
  std::shared_ptr<const trace::Trace> load() const;
  /// Drops it from the page cache, as far as the system lets us.
  void drop_from_cache() const;

private:
  std::filesystem::path path_;
};

}  // namespace bytescope::bench
