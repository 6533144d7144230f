#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/command_help.h"
#include "app/command_line.h"
#include "app/commands.h"
#include "app/completion.h"
#include "app/manual.h"
#include "app/standard_output.h"

// What packages install beside the program, written by the program itself so that it stays true.

namespace bytescope::app {
namespace {

Expected<void> print(const std::string& text, const Cancel& cancel) {
  StandardOutput output(cancel);
  output.write(text);
  return output.finish();
}

}  // namespace

Action make_completion(CLI::App& arguments, const Cancel& cancel) {
  const auto shell = std::make_shared<std::string>();
  const auto shells = completed_shells();
  arguments.add_option("SHELL", *shell, "Whose commands to write")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(shells.begin(), shells.end())));
  return [shell, &cancel] {
    return print(completion_script(*shell, help_of(commands())).value_or(""), cancel);
  };
}

Action make_manual(CLI::App&, const Cancel& cancel) {
  return [&cancel] { return print(manual_page(help_of(commands()), version()), cancel); };
}

}  // namespace bytescope::app
