#pragma once

#include <optional>
#include <string>

namespace bytescope::app {

/// The folder that `variable` of the environment (`XDG_CONFIG_HOME`) names, else `otherwise`
/// (`.config`) below the home folder. Paths there that are not absolute do not count, as XDG has
/// it. None without a home folder.
std::optional<std::string> user_folder(const char* variable, const char* otherwise);

/// A file of the program in a folder of the user's.
std::optional<std::string> user_file(const char* variable, const char* otherwise, const char* name);

}  // namespace bytescope::app
