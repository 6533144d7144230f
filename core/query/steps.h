#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// Markers `step 0`, `step 1`, …: a plain text with a number at its end.
struct MarkerFamily {
  std::string name;                    ///< The text without the number.
  std::vector<std::uint32_t> markers;  ///< By time; numbers in the file's list.
};

/// The beginning of a text such as `step 12` without its number; none when it does not end in one.
std::optional<std::string> family_of(const std::string& plain_name);

/// Numbers of the markers that have a time, in time order (of equal times in the file's).
std::vector<std::uint32_t> marker_order(const trace::Trace& trace);

/// The families of at least `least` markers, the largest first, of equals by name.
std::vector<MarkerFamily> marker_families(const trace::Trace& trace, std::uint32_t least = 3);

/// The stretch from one marker of a family to the next. Times in the trace's unit.
struct Step {
  std::uint32_t marker = 0;  ///< The one that it begins with: number in the file's list.
  std::string name;          ///< That marker's plain name.
  double begin = 0;
  double end = 0;
  double length() const { return end - begin; }
  std::vector<double> busy_share;  ///< Of each device of StepTable, 0 to 1.
  double mean_busy_share = 0;      ///< Of all devices; 0 without any.
  /// The largest total of all live bytes of a memory track (files, DISK, aside) within the step,
  /// and which track it is.
  std::uint64_t memory_peak_bytes = 0;
  std::optional<std::uint32_t> peak_track;
};

/// All steps of a family.
struct StepTable {
  std::string family;
  std::vector<std::uint32_t> devices;  ///< Tracks.
  /// In time order. What follows the last marker is a step when the family's markers stand at
  /// beginnings, which the file does not tell: it goes to the end of the trace and is marked.
  std::vector<Step> steps;
  bool last_is_open = false;  ///< The last step has no marker at its end.
};

/// Makes the table of a family. Costs O(steps × log n) for a device of one lane, else a read of its
/// records, and O(steps × log events) of memory tracks. Fails with ErrorKind::cancelled.
Expected<StepTable> step_table(const trace::Trace& trace, const MarkerFamily& family,
                               const Cancel& cancel);

/// Places in `table.steps`, longest first; of equals the earlier.
std::vector<std::uint32_t> slowest_first(const StepTable& table);

}  // namespace bytescope::query
