#pragma once

#include <functional>

#include "core/cancel.h"
#include "core/error.h"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace bytescope::app {

/// Does what a command is for, after its arguments were read. Results go to standard output, where
/// nothing stands yet when it fails because of its input; the caller prints the error.
using Action = std::function<Expected<void>()>;

/// A command of the command line; app/command_line.cpp has the table of them.
struct Command {
  const char* name;
  const char* help;  ///< One line without a full stop.
  /// Declares the arguments of the command in `arguments` and returns what runs it once they are
  /// read. `cancel` is asked for by an interrupt; it outlives the action.
  Action (*make)(CLI::App& arguments, const Cancel& cancel);
};

Action make_info(CLI::App& arguments, const Cancel& cancel);
Action make_dump(CLI::App& arguments, const Cancel& cancel);
Action make_stats(CLI::App& arguments, const Cancel& cancel);
Action make_gaps(CLI::App& arguments, const Cancel& cancel);
Action make_memory(CLI::App& arguments, const Cancel& cancel);
Action make_search(CLI::App& arguments, const Cancel& cancel);
Action make_generate(CLI::App& arguments, const Cancel& cancel);
Action make_compare(CLI::App& arguments, const Cancel& cancel);
Action make_export(CLI::App& arguments, const Cancel& cancel);
Action make_merge(CLI::App& arguments, const Cancel& cancel);
Action make_screenshot(CLI::App& arguments, const Cancel& cancel);
Action make_bench(CLI::App& arguments, const Cancel& cancel);
Action make_settings(CLI::App& arguments, const Cancel& cancel);
Action make_completion(CLI::App& arguments, const Cancel& cancel);
Action make_manual(CLI::App& arguments, const Cancel& cancel);

}  // namespace bytescope::app
