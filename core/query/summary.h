#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// A kernel of the summary: all spans of one plain name on all devices.
struct TopKernel {
  std::string raw_name;  ///< With the colour codes of its longest-running variant.
  trace::Style style;
  double total = 0;  ///< Sum of durations in the trace's unit.
  double share = 0;  ///< Of all kernels on all devices.
  std::uint64_t count = 0;
};

/// A family of markers such as `step 0`, `step 1` …
struct Steps {
  std::string family;  ///< The common beginning of the plain names.
  std::uint32_t count = 0;
  double mean_length = 0;  ///< From one to the next, in the trace's unit; 0 with a single one.
};

/// What a trace tells without a click, and what its rows show beside their names.
struct TraceSummary {
  std::optional<Steps> steps;
  std::optional<double> device_busy;            ///< Mean busy share of the devices, 0 to 1.
  std::optional<std::uint32_t> slowest_device;  ///< Track of the least busy one, of at least two.
  std::optional<std::uint32_t> peak_track;  ///< Memory track with the largest peak among devices.
  std::uint64_t never_freed_bytes = 0;      ///< On devices and host memory, without files (DISK).
  std::vector<TopKernel> top_kernels;       ///< At most 8, costliest first.
  std::vector<double> busy_share;           ///< Of each track; −1 where it makes no sense.
  std::vector<std::uint32_t>
      marker_order;  ///< Markers with a time, by time (numbers in the file's list).
};

/// Costs O(tracks + distinct names + buffers); reads the texts of a few hundred names.
TraceSummary summarize(const trace::Trace& trace, const Cancel& cancel);

}  // namespace bytescope::query
