#pragma once

#include <optional>
#include <string>

#include "app/settings.h"

namespace bytescope::app {

/// Where settings are looked for: `bytescope/settings.json` in $XDG_CONFIG_HOME, by default
/// ~/.config. None without a home folder.
std::optional<std::string> settings_path();

/// Settings of a file, and a sentence about what in it makes no sense; empty for nothing.
struct SettingsFound {
  Settings settings;
  std::string notice;
};

/// Reads the file; without one all is as in the tables. One that cannot be read changes nothing and
/// is told of.
SettingsFound settings_of(const std::string& path);

}  // namespace bytescope::app
