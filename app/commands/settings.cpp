#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/settings_file.h"
#include "app/standard_output.h"

namespace bytescope::app {
namespace {

Expected<void> print_settings(const Cancel& cancel) {
  const auto path = settings_path();
  const SettingsFound found = path ? settings_of(*path) : SettingsFound();
  if (!found.notice.empty()) fmt::print(stderr, "{}\n", found.notice);
  StandardOutput output(cancel);
  output.write(settings_as_json(found.settings));
  return output.finish();
}

}  // namespace

Action make_settings(CLI::App& arguments, const Cancel& cancel) {
  arguments.footer(fmt::format(
      "The settings file is {}. Keys: \"W\", \"Ctrl Shift P\", \"F3\", \"type ?\" for a sign\n"
      "wherever it lies; an empty list for none. What the file does not name stays as it is.",
      settings_path().value_or("bytescope/settings.json in the folder for settings")));
  return [&cancel] { return print_settings(cancel); };
}

}  // namespace bytescope::app
