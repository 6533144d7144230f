#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/cancel.h"
#include "core/error.h"
#include "core/trace/trace.h"

namespace bytescope::trace {

/// How to load.
struct LoadOptions {
  unsigned threads = 2;  ///< Of the index pass.
  /// Called with what can be shown so far, from the loading threads, one call at a time: first with
  /// previews of all tracks, then as indexes get done (not more often than every 250 ms). What it
  /// waits for, the load waits for too. May be empty.
  std::function<void(std::shared_ptr<const Trace>)> on_stage;
  bool previews = false;  ///< Whether to make the first stage at all.
  /// All that is amiss with the trace, where that is known before it is looked at: nothing else is
  /// told then.
  std::optional<Warnings> known;
};

/// Opens a trace: finds out its dialect, validates every record, makes all indexes
/// (ARCHITECTURE.md, "The life of a file"). A damaged file opens with the sound tracks before the
/// fault and a warning, if there are any. A compressed file is unpacked first (io::open_unpacked):
/// bytes that errors tell are those of what came out. Costs one read of the file and about ten
/// nanoseconds an event.
Expected<std::shared_ptr<const Trace>> load_trace(const std::string& path,
                                                  const LoadOptions& options, const Cancel& cancel,
                                                  Progress* progress = nullptr);
/// The same of a file that is open already.
Expected<std::shared_ptr<const Trace>> load_trace(std::shared_ptr<const io::InputFile> file,
                                                  const LoadOptions& options, const Cancel& cancel,
                                                  Progress* progress = nullptr);

}  // namespace bytescope::trace
