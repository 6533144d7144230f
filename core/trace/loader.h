#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/cancel.h"
#include "core/error.h"
#include "core/trace/trace.h"

namespace bytescope::trace {

/// How to load.
struct LoadOptions {
  unsigned threads = 2;  ///< Of the index pass.
  /// Called with what can be shown so far, from the loading threads, one call at a time: first with
  /// previews of all tracks, then as indexes get done (not more often than every 30 ms). May be
  /// empty.
  std::function<void(std::shared_ptr<const Trace>)> on_stage;
  bool previews = false;  ///< Whether to make the first stage at all.
};

/// Opens a trace: finds out its dialect, validates every record, makes all indexes
/// (ARCHITECTURE.md, "The life of a file"). A damaged file opens with the sound tracks before the
/// fault and a warning, if there are any. Costs one read of the file and about ten nanoseconds an
/// event.
Expected<std::shared_ptr<const Trace>> load_trace(const std::string& path,
                                                  const LoadOptions& options, const Cancel& cancel,
                                                  Progress* progress = nullptr);

}  // namespace bytescope::trace
