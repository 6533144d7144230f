#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/command_help.h"

namespace bytescope::app {

/// The manual page of the program, section 1, in the language of man(7): commands as they declare
/// themselves, keys from the table of actions.
std::string manual_page(std::span<const CommandHelp> commands, std::string_view version);

}  // namespace bytescope::app
