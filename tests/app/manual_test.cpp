// What the program tells of itself to shells and to man.

#include "app/manual.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/actions.h"
#include "app/command_help.h"
#include "app/command_line.h"
#include "app/completion.h"

namespace bytescope::tests {
namespace {

using testing::HasSubstr;

TEST(CommandHelp, HasChoicesAndDefaults) {
  for (const app::CommandHelp& command : app::help_of(app::commands())) {
    EXPECT_FALSE(command.description.empty());
    for (const app::ArgumentHelp& option : command.options) {
      EXPECT_FALSE(option.description.empty()) << command.name << " " << option.name;
      if (option.name == "--by")
        EXPECT_EQ(option.choices, (std::vector<std::string>{"name", "track", "track,name"}));
      if (option.name == "--theme") EXPECT_EQ(option.standard, "dark");
      if (option.name == "--json") EXPECT_EQ(option.value, "");
    }
  }
}

TEST(CompletionScript, KnowsEveryOptionInEveryShell) {
  const std::vector<app::CommandHelp> commands = app::help_of(app::commands());
  for (const std::string_view shell : app::completed_shells()) {
    const std::string script = app::completion_script(shell, commands).value();
    for (const app::CommandHelp& command : commands) {
      EXPECT_THAT(script, HasSubstr(command.name)) << shell;
      for (const app::ArgumentHelp& option : command.options) {
        const std::string name = shell == "fish" ? "-l " + option.name.substr(2) : option.name;
        EXPECT_THAT(script, HasSubstr(name)) << shell;
      }
    }
  }
  EXPECT_FALSE(app::completion_script("tcsh", commands));
}

TEST(ManualPage, TellsEveryCommandOptionAndKey) {
  const std::vector<app::CommandHelp> commands = app::help_of(app::commands());
  const std::string page = app::manual_page(commands, "1.2.3");
  EXPECT_EQ(page.find(R"(.TH BYTESCOPE 1 "" "bytescope 1.2.3")"), 0U);
  for (const app::CommandHelp& command : commands) {
    EXPECT_THAT(page, HasSubstr(".SS \\fBbytescope " + command.name + "\\fR"));
    for (const app::ArgumentHelp& option : command.options)
      EXPECT_THAT(page, HasSubstr(R"(\fB\-\-)" + option.name.substr(2, 2)));
  }
  for (const app::WindowAction& action : app::window_actions()) {
    if (!action.chords.empty()) EXPECT_THAT(page, HasSubstr(action.title));
  }
}

}  // namespace
}  // namespace bytescope::tests
