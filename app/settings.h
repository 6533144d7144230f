#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/key_bindings.h"
#include "core/error.h"

namespace bytescope::app {

/// What somebody has set in the settings file; the program reads it at its start and never writes
/// it.
struct Settings {
  KeyBindings keys;
};

/// Settings as far as a text tells them, and a sentence for each thing in it that makes no sense.
struct SettingsRead {
  Settings settings;
  std::vector<std::string> complaints;
};

/// Reads `{"keys": {"view.zoom_in": ["W", "Shift Up"], …}}`: names of actions with their keys, or
/// an empty list for none. What it does not name stays as it is. Fails for what is no JSON object.
Expected<SettingsRead> settings_from_json(std::string_view json);

/// All that can be set, as it is set now: a file to start from.
std::string settings_as_json(const Settings& settings);

}  // namespace bytescope::app
