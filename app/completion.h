#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/command_help.h"

namespace bytescope::app {

/// The shells that there are scripts for.
std::span<const std::string_view> completed_shells();

/// A script for that shell that completes commands, options, their choices and file names. None for
/// another shell.
std::optional<std::string> completion_script(std::string_view shell,
                                             std::span<const CommandHelp> commands);

}  // namespace bytescope::app
