#pragma once

#include <cstdint>
#include <string>

#include "core/cancel.h"
#include "core/error.h"

namespace bytescope::generate {

/// What kind of synthetic trace to write.
struct Options {
  std::uint64_t events =
      1'000'000;  ///< Exactly so many records over all tracks (counts in the track heads).
  std::uint32_t devices = 8;
  std::uint64_t seed = 1;
  char dialect = 'L';
  /// Half as many info texts as events belong to one kernel each, as on a real GPU; else kernels
  /// share a few thousand.
  bool distinct_infos = false;
};

/// Writes a realistic trace to `path` (by rename): devices with batches, copies and memory, nested
/// host and compiler spans, coloured names, markers, stale run keys as in FORMAT.md's "What the
/// data means". The same options give the same bytes. Streams: memory stays below 100 MB however
/// many events. A few events make a small but valid trace. Fails with ErrorKind::usage for options
/// that no trace can have (Plan), ErrorKind::cancelled, or ErrorKind::machine. About 0.15 us of
/// CPU an event, with distinct infos 0.5 us.
Expected<void> write_trace(const std::string& path, const Options& options, const Cancel& cancel,
                           Progress* progress = nullptr);

}  // namespace bytescope::generate
