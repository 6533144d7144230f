#pragma once

#include <span>
#include <string_view>

#include "app/commands.h"

namespace bytescope::app {

/// The whole program: reads the command line, does what it says, prints errors and returns the
/// exit code (0 done, 1 bad input, 2 wrong usage, 3 the machine failed, 130 interrupted).
int run_command_line(int argc, const char* const* argv);

/// The table of commands.
std::span<const Command> commands();
/// That of the project, such as `1.2.3`.
std::string_view version();

}  // namespace bytescope::app
