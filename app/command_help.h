#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/commands.h"

namespace bytescope::app {

/// An option or positional argument of a command, as people and shells are told of it.
struct ArgumentHelp {
  std::string name;                  ///< `--size`, or `FILE`.
  std::string value;                 ///< What follows the option, `TEXT`; empty for flags.
  std::string standard;              ///< What it is where it is not given; empty for nothing.
  std::vector<std::string> choices;  ///< The only values there are; empty: any.
  std::string description;
  bool is_required = false;
  bool is_file = false;  ///< Of this machine.
};

/// A command with its arguments.
struct CommandHelp {
  std::string name;
  std::string description;  ///< One line without a full stop.
  std::vector<ArgumentHelp> positionals;
  std::vector<ArgumentHelp> options;
  std::string more;  ///< Text behind them, in lines; may be empty.
};

/// What the commands declare about their arguments, in their order.
std::vector<CommandHelp> help_of(std::span<const Command> commands);

}  // namespace bytescope::app
